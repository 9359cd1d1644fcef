"""Records of the host, made in one line each, for tests and pictures of the desktop.

Owns defaults only: what a test does not say is plausible and the same every time. `NOW` is the moment at which all
pictures are taken.
"""

from dataclasses import replace
from typing import Any

from codeg.api import (
    Block,
    BlockKind,
    Code,
    End,
    Entry,
    NoteRecord,
    Phase,
    SessionRecord,
    Status,
    TaskRecord,
    TaskView,
    Usage,
)

NOW = 1_788_518_527_000
"""2026-09-04 10:42:07 UTC."""
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
HARBOR, ATLAS, FIELD = "/home/ada/harbor-api", "/home/ada/atlas-web", "/home/ada/field-notes"
_PHASES = {
    Status.QUEUED: Phase.QUEUED,
    Status.RUNNING: Phase.RUNNING,
}


def session(
    session_id: str,
    title: str = "",
    agent: str = "claude_code",
    folder: str = HARBOR,
    age: int = 6 * MINUTE,
    **more: Any,
) -> SessionRecord:
    """A root session that began `age` ago; `host="codex"` makes it an outside one."""
    outside = "host" in more
    record = SessionRecord(
        session_id=session_id,
        kind="outside" if outside else "root",
        folder=folder,
        state="gone" if outside else "idle",
        created_ms=NOW - age,
        updated_ms=NOW - age,
        root_id=session_id,
        agent_type=None if outside else agent,
        title=title,
        agent_session_id=None if outside else f"agent-{session_id}",
    )
    return replace(record, **more)


def task(
    task_id: str,
    parent_id: str,
    text: str,
    agent: str = "codex",
    status: Status = Status.RUNNING,
    *,
    age: int = 5 * MINUTE,
    **more: Any,
) -> TaskView:
    """A task that was asked for `age` ago and has run since, unless `more` says otherwise.

    `more`: `blocks`, `queue_position`, `stopping` of the view; `took` (ms) of an ended one; fields of `End` under
    `end`; all else are fields of the record (`phase`, `depth`, `root_id`, `parent_task_id`, `working_dir` ...).
    """
    view_parts = {name: more.pop(name) for name in ("blocks", "queue_position", "stopping") if name in more}
    took, end_parts = more.pop("took", age), more.pop("end", {})
    ended = status not in _PHASES
    created = NOW - age
    started = created if ended or (status is Status.RUNNING and more.get("phase") is not Phase.STARTING) else None
    record = TaskRecord(
        task_id=task_id,
        parent_id=parent_id,
        root_id=more.pop("root_id", parent_id),
        depth=more.pop("depth", 1),
        agent_type=agent,
        task_text=text,
        working_dir=more.pop("working_dir", HARBOR),
        explicit_dir=None,
        child_id=child_of(task_id),
        phase=more.pop("phase", _PHASES.get(status, Phase.ENDED)),
        attempt=more.pop("attempt", 1),
        created_ms=created,
        started_ms=started,
        ended_ms=created + took if ended else None,
        end=End(status, **end_parts) if ended else None,
        prompt_accepted=started is not None,
        resume_via="load",
    )
    return TaskView(replace(record, **more), status, **view_parts)


def child_of(task_id: str) -> str:
    """The session of a task's child."""
    return f"child-{task_id}"


def child_session(view: TaskView, **more: Any) -> SessionRecord:
    """The session of a task's child, as the host keeps it."""
    record = view.record
    live = {Status.QUEUED: "starting", Status.RUNNING: "running"}
    made = SessionRecord(
        session_id=record.child_id,
        kind="child",
        folder=record.working_dir,
        state=live.get(view.status, "failed" if view.status is Status.FAILED else "ended"),
        created_ms=record.created_ms,
        updated_ms=record.ended_ms or record.created_ms,
        root_id=record.root_id,
        depth=record.depth,
        parent_id=record.parent_id,
        task_id=record.task_id,
        agent_type=record.agent_type,
        title="",
    )
    return replace(made, **more)


def block(kind: BlockKind, request_id: str, title: str, age: int) -> Block:
    """What a task waits for, since `age`."""
    return Block(kind, request_id, title, NOW - age)


def usage(tokens: int, cost: float | None = None) -> Usage:
    """Tokens in all, and dollars."""
    return Usage(tokens - tokens // 8, tokens // 8, None, None, cost, "USD" if cost is not None else None)


def completed(gist: str, tools: int, spent: Usage, **more: Any) -> dict[str, Any]:
    """Fields of a good end."""
    return {"text_bytes": len(gist), "gist": gist, "tool_calls": tools, "usage": spent, **more}


def failed(code: Code, message: str, tools: int | None = None, spent: Usage | None = None) -> dict[str, Any]:
    """Fields of a bad end."""
    return {"code": code, "message": message, "tool_calls": tools, "usage": spent}


def note(note_id: str, session_id: str, text: str, age: int, delivered: int | None = None) -> NoteRecord:
    """A steering note; `delivered`: so long ago."""
    return NoteRecord(note_id, session_id, text, NOW - age, NOW - delivered if delivered is not None else None)


def said(kind: str, text: str, age: int, seq: int = 0, **more: Any) -> Entry:
    """An entry of text: user, message, thought, notice."""
    shape: dict[str, Any] = {"seq": seq, "kind": kind, "attempt": 1, "created_ms": NOW - age, "text": text}
    return Entry(**shape, **more)


def tool(title: str, kind: str, age: int, status: str = "completed", seq: int = 0, **more: Any) -> Entry:
    """A tool call: `raw_input`, `content`, `raw_output`, `locations` as ACP has them."""
    return Entry(
        seq=seq,
        kind="tool",
        attempt=1,
        created_ms=NOW - age,
        tool_call_id=more.pop("tool_call_id", f"call-{age}-{title[:12]}"),
        title=title,
        tool_kind=kind,
        status=status,
        **more,
    )


def diff(path: str, old: str | None, new: str) -> dict[str, Any]:
    """A block of a tool call's content."""
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def text_block(text: str) -> dict[str, Any]:
    """Output of a tool call."""
    return {"type": "content", "content": {"type": "text", "text": text}}


def numbered(*entries: Entry) -> tuple[Entry, ...]:
    """The entries of a conversation, in order."""
    return tuple(replace(entry, seq=seq) for seq, entry in enumerate(entries))


def ask(
    request_id: str, kind: str, session_id: str, title: str, age: int, *, task_id: str | None = None, **more: Any
) -> dict[str, Any]:
    """What waits for the person, as the host tells it; a permission has the four usual options."""
    since = _rfc3339(NOW - age)
    shape: dict[str, Any] = {"request_id": request_id, "kind": kind, "session_id": session_id, "title": title}
    if task_id is not None:
        shape["task_id"] = task_id
    if kind != "question":
        shape["options"] = more.pop("options", OPTIONS)
    return {**shape, **more, "since": since}


OPTIONS = [
    {"id": "once", "name": "Allow once", "kind": "allow_once"},
    {"id": "always", "name": "Allow in this session", "kind": "allow_always"},
    {"id": "reject", "name": "Reject", "kind": "reject_once"},
]


def _rfc3339(ms: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
