"""Records for tests: the least that a record needs, and every value that one may hold."""

from typing import Any

from hypothesis import strategies as st

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.tasks import End, ProcessIdentity, TaskRecord, Usage
from codeg.sessions.types import Entry
from codeg.store.records import NoteRecord, QuestionRecord, SessionRecord


def task(number: int = 1, **changes: Any) -> TaskRecord:
    fields: dict[str, Any] = {
        "task_id": f"demo-task-{number:012}",
        "parent_id": "parent",
        "root_id": "parent",
        "depth": 1,
        "agent_type": "demo",
        "task_text": f"Do number {number}.",
        "working_dir": "/w",
        "explicit_dir": None,
        "child_id": f"child-{number}",
        "phase": Phase.RUNNING,
        "attempt": 1,
        "created_ms": 1_700_000_000_000 + number,
    }
    return TaskRecord(**(fields | changes))


def ended(number: int = 1, text_bytes: int = 0, **changes: Any) -> TaskRecord:
    at = 1_700_000_100_000 + number
    fields: dict[str, Any] = {"phase": Phase.ENDED, "ended_ms": at, "end": End(Status.COMPLETED, text_bytes=text_bytes)}
    return task(number, **(fields | changes))


def session(name: str, **changes: Any) -> SessionRecord:
    fields: dict[str, Any] = {
        "session_id": name,
        "kind": "root",
        "folder": "/w",
        "state": "idle",
        "created_ms": 1,
        "updated_ms": 2,
        "root_id": name,
    }
    return SessionRecord(**(fields | changes))


texts = st.text(max_size=40)
maybe_text = st.none() | texts
numbers = st.integers(0, 2**63 - 1)
maybe_number = st.none() | st.integers()
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
json_objects: st.SearchStrategy[Any] = st.dictionaries(texts, json_values, max_size=3)
json_tuples = st.lists(json_objects, max_size=3).map(tuple)

usages = st.builds(
    Usage,
    input_tokens=maybe_number,
    output_tokens=maybe_number,
    context_used=maybe_number,
    context_size=maybe_number,
    cost_amount=st.none() | st.floats(allow_nan=False),
    cost_currency=maybe_text,
)
ends = st.builds(
    End,
    status=st.sampled_from(Status),
    code=st.none() | st.sampled_from(Code),
    message=maybe_text,
    text_bytes=numbers,
    usage=st.none() | usages,
    tool_calls=maybe_number,
    gist=texts,
    files=maybe_number,
    added=maybe_number,
    removed=maybe_number,
)
processes = st.builds(
    ProcessIdentity, boot_id=texts, keeper_pid=numbers, keeper_start=numbers, agent_pid=numbers, agent_start=numbers
)
TASK_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "task_id": texts,
    "parent_id": texts,
    "root_id": texts,
    "depth": st.integers(1, 8),
    "agent_type": texts,
    "task_text": texts,
    "working_dir": texts,
    "explicit_dir": maybe_text,
    "child_id": texts,
    "phase": st.sampled_from(Phase),
    "attempt": st.integers(1, 2**40),
    "created_ms": numbers,
    "parent_task_id": maybe_text,
    "tool_use_id": texts,
    "external_handle": maybe_text,
    "idempotency_key": maybe_text,
    "digest": texts,
    "started_ms": maybe_number,
    "ended_ms": maybe_number,
    "end": st.none() | ends,
    "earlier": st.none() | ends,
    "earlier_ended_ms": maybe_number,
    "agent_session_id": maybe_text,
    "resume_via": maybe_text,
    "prompt_accepted": st.booleans(),
    "process": st.none() | processes,
    "unattended": st.booleans(),
    "by_person": st.booleans(),
    "follow_up": maybe_text,
    "folder_question": maybe_text,
}
tasks = st.builds(TaskRecord, **TASK_FIELDS)
sessions = st.builds(
    SessionRecord,
    session_id=texts,
    kind=st.sampled_from(["root", "child", "outside"]),
    folder=texts,
    state=texts,
    created_ms=numbers,
    updated_ms=numbers,
    root_id=texts,
    depth=st.integers(0, 8),
    parent_id=maybe_text,
    task_id=maybe_text,
    agent_type=maybe_text,
    host=maybe_text,
    host_session_id=maybe_text,
    title=texts,
    agent_session_id=maybe_text,
)
entries = st.builds(
    Entry,
    seq=st.integers(0, 2**40),
    kind=st.sampled_from(["user", "message", "thought", "tool", "plan", "notice"]),
    attempt=numbers,
    created_ms=numbers,
    text=texts,
    tool_call_id=texts,
    title=texts,
    tool_name=texts,
    tool_kind=texts,
    status=texts,
    content=json_tuples,
    raw_input=json_values,
    raw_output=json_values,
    locations=json_tuples,
    plan=json_tuples,
)
questions = st.builds(
    QuestionRecord,
    question_id=texts,
    session_id=texts,
    questions=json_tuples,
    state=st.sampled_from(["open", "answered", "declined", "withdrawn"]),
    created_ms=numbers,
    answers=json_tuples,
    closed_ms=maybe_number,
    delivered=st.booleans(),
)
notes = st.builds(
    NoteRecord, note_id=texts, session_id=texts, text=texts, created_ms=numbers, delivered_ms=maybe_number
)
