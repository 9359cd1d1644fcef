"""What each request asks of the host, as a sequence of requests: one generator a tool.

A step yields an `Ask` and gets the outcome, or one of `Expired`, `Unreachable`, `RemoteError` raised at the yield; it
ends by returning what is answered. Owns how arguments become requests and what happens at a time limit, and that what
only some calls need is loaded with the first of them; never opens a connection, never knows the time but by `Task`.
"""

from __future__ import annotations

from codeg.jsonrpc import messages
from codeg.jsonrpc.messages import RpcError
from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion import hosts, rendering
from companion.arguments import Wrong, check
from companion.link import Unreachable
from companion.opened import TOOLS_CALL
from companion.work import MARGIN_S, Ask, Expired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from companion.link import Access
    from companion.opened import Call
    from companion.rendering import Answer
    from companion.work import Steps, Task

    Fields = dict[str, Any]

SNAPSHOT_S: Final = 0.9
"""Seconds for the snapshot at the end of a wait: the whole call stays within a second of its limit (B15)."""
LONGEST_MS: Final = 60_000
"""Contract 5: the most that one wait asks for by number."""
MAX_IDS: Final = 1_000
_TOOL_USE_KEYS: Final = ("claudecode/toolUseId", "callId", "tool_use_id")
_MAX_TOOL_USE: Final = 1_024


def begin(task: Task, schema: Fields) -> Steps:
    """The steps of a call. `schema`: of its tool's arguments, empty for a request about a task.

    Raises:
        Wrong: its arguments cannot be taken.
    """
    if task.call.method != TOOLS_CALL:
        from companion import task_steps  # noqa: PLC0415  # see above

        return task_steps.begin(task)
    arguments = check(schema, task.call.arguments)
    return _STEPS[task.call.tool](task, arguments)


def parent_tool_use_id(meta: Fields) -> str:
    """Contract 6 "Parent's tool call": the first of the known keys that holds a text, else empty."""
    for key in _TOOL_USE_KEYS:
        value = meta.get(key)
        if isinstance(value, str) and 0 < len(value) <= _MAX_TOOL_USE:
            return value
    return ""


def _delegate(task: Task, arguments: Fields) -> Steps:
    if not arguments.get("idempotency_key", "x").strip():
        del arguments["idempotency_key"]
    used = parent_tool_use_id(task.call.meta)
    return _delegation(task, arguments, used)


def _delegation(task: Task, arguments: Fields, used: str) -> Steps:
    def build(access: Access) -> Fields:
        return requests.call(access.token, access.parent, task.handle, arguments, used)

    try:
        outcome = yield Ask(build, task.short())
    except Expired:
        kept = "idempotency_key" in arguments
        task.withdraw = not kept
        then = "Call again with the same idempotency_key." if kept else "The call was withdrawn; call again."
        return rendering.failure(task.call.tool, "host_unavailable", f"The host did not answer in time. {then}")
    result = rendering.acknowledgement(outcome)
    if not task.call.takes_tasks or "task_id" not in result.fields:
        # A refused call has no id: there is no task.
        return result
    from companion import handles  # noqa: PLC0415  # see above

    return handles.created(result.fields)


def _status(task: Task, arguments: Fields) -> Steps:
    ids = list(dict.fromkeys(name for item in arguments["task_ids"] if (name := item.strip())))
    if not ids:
        raise Wrong("task_ids takes a list of 1 to 1000 texts; got only empty ones.")
    offset = arguments.get("result_offset")
    if offset is not None and len(ids) != 1:
        raise Wrong(f"result_offset needs exactly one id in task_ids; got {len(ids)}.")
    size = min(arguments.get("max_bytes", task.reply_bytes), hosts.MAX_REPLY_BYTES)
    return _reports(task, ids, arguments.get("wait_ms"), offset, size)


def _reports(task: Task, ids: list[str], wait_ms: int | None, offset: int | None, size: int) -> Steps:
    if wait_ms is None:
        outcome = yield Ask(lambda access: requests.status(access.token, ids, None, offset, size), task.short())
        return rendering.statuses(outcome, waited=False)
    # The note at the end of a wait takes room of its own in the reply.
    room = max(size - len(rendering.CALL_AGAIN) - len('"message":"",'), 1)
    now = task.clock()
    bounded = min(wait_ms, LONGEST_MS) if wait_ms > 0 else 0
    due = task.due
    if bounded and now + bounded / 1000 < due:
        due = min(due, now + bounded / 1000 + MARGIN_S)
    else:
        bounded = 0
    try:
        build = _status_request(ids, bounded, offset, room)
        outcome = yield Ask(build, due, waits=True)
    except Expired:
        build = _status_request(ids, None, offset, room)
        outcome = yield Ask(build, task.clock() + SNAPSHOT_S)
    return rendering.statuses(outcome, waited=True)


def _status_request(ids: list[str], wait_ms: int | None, offset: int | None, size: int) -> Callable[[Access], Fields]:
    return lambda access: requests.status(access.token, ids, wait_ms, offset, size)


def _cancel(task: Task, arguments: Fields) -> Steps:
    task_id: str = arguments["task_id"].strip()
    outcome = yield Ask(lambda access: requests.cancel_task(access.token, task_id), task.short(), repeatable=False)
    return rendering.one_task(outcome, task.call.tool)


def _resume(task: Task, arguments: Fields) -> Steps:
    task_id: str = arguments["task_id"].strip()
    outcome = yield Ask(lambda access: requests.resume_task(access.token, task_id), task.short(), repeatable=False)
    return rendering.one_task(outcome, task.call.tool)


def _ask(task: Task, arguments: Fields) -> Steps:
    from companion import questioning  # noqa: PLC0415  # see above

    return questioning.ask(task, arguments)


def _feedback(task: Task, _arguments: Fields) -> Steps:
    outcome = yield Ask(lambda access: requests.feedback(access.token), task.short())
    return rendering.notes(outcome)


_STEPS: Final[dict[str, Callable[[Task, Fields], Steps]]] = {
    "delegate_to_agent": _delegate,
    "get_delegation_status": _status,
    "cancel_delegation": _cancel,
    "resume_delegation": _resume,
    "ask_user_question": _ask,
    "check_user_feedback": _feedback,
}


def failed(call: Call, error: Exception) -> Answer | RpcError:
    """What is answered to a call whose steps could not be carried out."""
    if isinstance(error, Wrong):
        return _failure(call, "invalid_arguments", str(error))
    if isinstance(error, (Unreachable, RemoteError)):
        return _failure(call, error.code, error.message)
    if isinstance(error, Expired):
        return _failure(call, "host_unavailable", "The host did not answer in time; call again.")
    assert isinstance(error, rendering.Malformed)
    return _failure(call, "host_unavailable", rendering.UNREADABLE)


def too_late(call: Call) -> Answer | RpcError:
    """What is answered to a call that is still open when the session ends."""
    return _failure(call, "host_unavailable", rendering.ENDING)


def _failure(call: Call, code: str, message: str) -> Answer | RpcError:
    if call.method == TOOLS_CALL:
        return rendering.failure(call.tool, code, message)
    return RpcError(messages.INTERNAL_ERROR, message, {"code": code})
