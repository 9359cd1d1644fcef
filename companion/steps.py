"""What each tool asks of the host, as a sequence of requests: one generator a tool.

A step yields an `Ask` and gets the outcome, or one of `Expired`, `Unreachable`, `RemoteError` raised at the yield; it
ends by returning a `Result`. Owns how arguments become requests and what happens at a time limit; never opens a
connection, never knows the time but by `Task`.
"""

from __future__ import annotations

from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion import hosts, rendering
from companion.arguments import Wrong, check
from companion.link import Unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, Final

    from companion.link import Access
    from companion.opened import Call
    from companion.rendering import Result

    Steps = Generator["Ask", Any, Result]
    Fields = dict[str, Any]

SHORT_S: Final = 10.0
"""Seconds for a request that the host answers at once; never longer than the host program's own limit."""
SNAPSHOT_S: Final = 0.9
"""Seconds for the snapshot at the end of a wait: the whole call stays within a second of its limit (B15)."""
MARGIN_S: Final = 1.0
"""Seconds that the host may be late with the end of a wait that it keeps itself."""
LONGEST_MS: Final = 60_000
"""Contract 5: the most that one wait asks for by number."""
MAX_IDS: Final = 1_000
NAMING_MS: Final = 1
"""The first wait for new questions: it brings their id, with which the real wait can be repeated and gone on with."""
UNREADABLE: Final = "The host's answer cannot be read; is it of another version?"
_TOOL_USE_KEYS: Final = ("claudecode/toolUseId", "callId", "tool_use_id")
_MAX_TOOL_USE: Final = 1_024


class Expired(Exception):
    """Time is up for this request: its connection is closed."""


class Lost(Unreachable):
    """The connection ended after the request had left: whether the host has done it is not known."""

    def __init__(self) -> None:
        super().__init__("host_unavailable", "The connection to the host was lost before its answer came.")


class Ask:
    """One request to make.

    `build` makes it for the token of the moment. `due`: when `Expired` comes. `repeatable`: asking twice does no harm
    (contract 4). `waits`: it waits for events of the outside, and is cut short when the companion ends.
    """

    __slots__ = ("build", "due", "repeatable", "waits")

    def __init__(
        self, build: Callable[[Access], Fields], due: float, repeatable: bool = True, waits: bool = False
    ) -> None:
        self.build = build
        self.due = due
        self.repeatable = repeatable
        self.waits = waits


class Task:
    """What a step may know of its call. Times are seconds of the loop's clock.

    `due`: when the host program's patience ends. A step sets `withdraw` to have its set-up cancelled at the host.
    """

    __slots__ = ("call", "clock", "due", "handle", "reply_bytes", "withdraw")

    def __init__(self, call: Call, clock: Callable[[], float], wait_s: float, reply_bytes: int, handle: str) -> None:
        self.call = call
        self.clock = clock
        self.due = clock() + wait_s
        self.reply_bytes = reply_bytes
        self.handle = handle
        self.withdraw = False

    def short(self) -> float:
        """When a request that should be answered at once is given up."""
        return min(self.clock() + SHORT_S, self.due)


def begin(task: Task, schema: Fields) -> Steps:
    """The steps of a call.

    Raises:
        Wrong: its arguments cannot be taken.
    """
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
    return rendering.acknowledgement(outcome)


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
    question_id: str = arguments.get("question_id", "").strip()
    given: list[Fields] = arguments.get("questions", [])
    if bool(given) == bool(question_id):
        raise Wrong(
            "Give either questions (a list of 1 to 4) or the question_id of questions asked before, one of the two."
        )
    return _answers(task, [_question(item, f"questions[{at}]") for at, item in enumerate(given)], question_id)


def _question(item: Fields, path: str) -> Fields:
    options = [
        {"label": option["label"].strip(), "description": option.get("description", "")} for option in item["options"]
    ]
    if len({option["label"] for option in options}) < len(options):
        raise Wrong(f"{path}.options takes different labels; got one of them twice.")
    return {
        "question": item["question"].strip(),
        "header": item["header"].strip(),
        "multiSelect": item.get("multiSelect", False),
        "options": options,
    }


def _answers(task: Task, questions: list[Fields], question_id: str) -> Steps:
    """Naming new questions is short, so that even at the end of the companion their id reaches the client.

    Whatever happens behind it, the result names them, so that nobody needs to ask anew. The host ends the waits itself.
    """
    if not question_id:
        build = _ask_request(questions, None, NAMING_MS)
        try:
            result = rendering.answers((yield Ask(build, task.short(), repeatable=False)))
        except Expired:
            return rendering.lost_answers("", "host_unavailable", "The host did not answer in time.")
        except Lost as error:
            return rendering.lost_answers("", error.code, error.message)
        question_id = result.fields.get("question_id", "")
        if not _pending(result) or not question_id:
            return result
    while True:
        started = task.clock()
        build = _ask_request(None, question_id, max(int((task.due - started) * 1000), NAMING_MS))
        try:
            result = rendering.answers((yield Ask(build, task.due + MARGIN_S, waits=True)))
        except Expired:
            return rendering.answers({"state": "pending", "question_id": question_id})
        except (Unreachable, RemoteError) as error:
            return rendering.lost_answers(question_id, error.code, error.message)
        except rendering.Malformed:
            return rendering.lost_answers(question_id, "host_unavailable", UNREADABLE)
        early = task.clock() - started < MARGIN_S
        if not _pending(result) or early or task.due - task.clock() < MARGIN_S:
            return result


def _pending(result: Result) -> bool:
    return result.fields.get("state") == "pending"


def _ask_request(questions: list[Fields] | None, question_id: str | None, wait_ms: int) -> Callable[[Access], Fields]:
    return lambda access: requests.ask(access.token, questions, question_id, wait_ms)


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


def failed(tool: str, error: Exception) -> Result:
    """The result of a call whose steps could not be carried out."""
    if isinstance(error, Wrong):
        return rendering.failure(tool, "invalid_arguments", str(error))
    if isinstance(error, (Unreachable, RemoteError)):
        return rendering.failure(tool, error.code, error.message)
    if isinstance(error, Expired):
        return rendering.failure(tool, "host_unavailable", "The host did not answer in time; call again.")
    assert isinstance(error, rendering.Malformed)
    return rendering.failure(tool, "host_unavailable", UNREADABLE)
