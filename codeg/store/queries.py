"""The statements of the store's reads.

Owns SQL text only, put together from parts of this module and never from a value.
"""
# ruff: noqa: S608  # constants joined with constants; values are always bound

NEWEST = (2**63 - 1, 2**63 - 1)

TASK = "SELECT tasks.doc, briefs.text FROM tasks JOIN briefs ON briefs.task = tasks.seq WHERE "
TASK_LIVE = TASK + "tasks.live = 1 ORDER BY tasks.seq"
TASK_BY_ID = TASK + "tasks.task_id = ?"
TASK_BY_IDS = TASK + "tasks.task_id IN (SELECT value FROM json_each(?))"
TASK_BY_KEY = TASK + "tasks.parent_id = ? AND tasks.idempotency_key = ? ORDER BY tasks.seq DESC LIMIT 1"
NEWEST_FIRST = " ORDER BY created_ms DESC, seq DESC"
TASK_PAGE = TASK + "(tasks.created_ms, tasks.seq) < (?, ?)" + NEWEST_FIRST + " LIMIT ?"
TASK_BY_ROWS = TASK + "tasks.seq IN (SELECT value FROM json_each(?))" + NEWEST_FIRST
TASK_ROWS_OF = (
    "SELECT created_ms, seq FROM tasks WHERE parent_id = ? AND (created_ms, seq) < (?, ?)" + NEWEST_FIRST + " LIMIT ?"
)
TASK_PLACE = "SELECT created_ms, seq FROM tasks WHERE task_id = ?"

SESSION = (
    "SELECT sessions.doc, marks.custom_title, marks.pinned, marks.archived, marks.seen_ms "
    "FROM sessions LEFT JOIN marks USING (session_id) WHERE "
)
SESSION_BY_ID = SESSION + "session_id = ?"
SESSION_PAGE = SESSION + "(created_ms, seq) < (?, ?)" + NEWEST_FIRST + " LIMIT ?"
SESSION_LIVE = SESSION + "live = 1 ORDER BY seq"
SESSION_CHILDREN = SESSION + "parent_id = ? ORDER BY created_ms, seq"
SESSION_OUTSIDE = SESSION + "kind = 'outside' AND host = ? AND folder = ?" + NEWEST_FIRST
SESSION_PLACE = "SELECT created_ms, seq FROM sessions WHERE session_id = ?"

SESSION_TREE = """WITH RECURSIVE tree (id) AS (
    SELECT ? UNION SELECT tasks.child_id FROM tree JOIN tasks ON tasks.parent_id = tree.id
    UNION SELECT sessions.session_id FROM tree JOIN sessions ON sessions.parent_id = tree.id) SELECT id FROM tree"""

ENTRIES = "SELECT doc FROM entries WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?"
AMONG = "pending = 1 AND session_id IN (SELECT value FROM json_each(?)) ORDER BY seq"
QUESTIONS = "SELECT doc FROM questions WHERE "
NOTES = "SELECT doc FROM notes WHERE "
NEWEST_OF = "session_id = ? ORDER BY seq DESC LIMIT ?"
PROCESSES = "SELECT session_id, boot_id, keeper_pid, keeper_start, agent_pid, agent_start FROM processes ORDER BY rowid"
KEPT = "SELECT text FROM kept WHERE name = ?"
SPENT = "SELECT currency, amount, tokens FROM spent WHERE at_ms >= ?"
SEARCHED = "SELECT rowid, session_id, seq, doc FROM entries WHERE rowid < ? ORDER BY rowid DESC"
ERASE_ENTRIES = """DELETE FROM entries WHERE rowid IN (
    SELECT rowid FROM entries WHERE session_id IN (SELECT value FROM json_each(?)) LIMIT ?)"""
ERASE_CHUNKS = """DELETE FROM chunks WHERE (text_id, part) IN (
    SELECT chunks.text_id, chunks.part FROM tasks JOIN texts ON texts.task = tasks.seq JOIN chunks USING (text_id)
    WHERE tasks.parent_id IN (SELECT value FROM json_each(?)) LIMIT ?)"""
PRUNABLE = "SELECT seq, child_id FROM tasks WHERE live = 0 AND pruned = 0 AND ended_ms < ? ORDER BY ended_ms LIMIT ?"
