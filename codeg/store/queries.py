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

SESSION = "SELECT doc FROM sessions WHERE "
SESSION_BY_ID = SESSION + "session_id = ?"
SESSION_PAGE = SESSION + "(created_ms, seq) < (?, ?)" + NEWEST_FIRST + " LIMIT ?"
SESSION_LIVE = SESSION + "live = 1 ORDER BY seq"
SESSION_CHILDREN = SESSION + "parent_id = ? ORDER BY created_ms, seq"
SESSION_OUTSIDE = SESSION + "kind = 'outside' AND host = ? AND folder = ?" + NEWEST_FIRST
SESSION_PLACE = "SELECT created_ms, seq FROM sessions WHERE session_id = ?"

ENTRIES = "SELECT doc FROM entries WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?"
AMONG = "pending = 1 AND session_id IN (SELECT value FROM json_each(?)) ORDER BY seq"
QUESTIONS = "SELECT doc FROM questions WHERE "
NOTES = "SELECT doc FROM notes WHERE "
PROCESSES = "SELECT session_id, boot_id, keeper_pid, keeper_start, agent_pid, agent_start FROM processes ORDER BY rowid"
PRUNABLE = "SELECT seq, child_id FROM tasks WHERE live = 0 AND pruned = 0 AND ended_ms < ? ORDER BY ended_ms LIMIT ?"
