"""Requests as the companion and the command line send them, and responses as both sides make and read them.

Owns the form of the dicts of contract 5; never sends, never judges a request (that is `codeg.wire.models`, held
together with this by a test). Optional fields that are None are left out.
"""

from __future__ import annotations

from codeg.wire.version import PROTOCOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeGuard

ERROR_CODES: Final = ("invalid_request", "too_large", "not_authorized", "version_mismatch", "busy")
"""Codes of error frames: what never became a call."""
OPERATIONS: Final = (
    "sessions",
    "tasks",
    "show",
    "wait",
    "result",
    "cancel",
    "resume",
    "asks",
    "answer",
    "note",
    "raise",
    "stop",
    "run",
)
"""The `op` of an operator request."""


class RemoteError(Exception):
    """The host answered with an error frame. `code` is the contract's, `message` one sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class BadResponse(RemoteError):
    """What came back is no response: code `host_unavailable`."""

    def __init__(self, why: str) -> None:
        super().__init__("host_unavailable", f"The answer of the host cannot be used: {why}")


def hello(token: str, client: dict[str, Any]) -> dict[str, Any]:
    """Opens the lease of an outside session. `client`: see `client_of`; `token`: that of the discovery record."""
    return _request("hello", token, client=client)


def client_of(
    name: str, pid: int, cwd: str, version: str | None = None, session_id: str | None = None
) -> dict[str, Any]:
    """Who asks: the host program's normalised name and own session id, the companion's pid and absolute folder."""
    return _given(name=name, version=version, pid=pid, cwd=cwd, session_id=session_id)


def catalog(token: str) -> dict[str, Any]:
    """Which agents and groups are on."""
    return _request("catalog", token)


def call(
    token: str, parent_connection_id: str, external_handle: str, arguments: dict[str, Any], parent_tool_use_id: str = ""
) -> dict[str, Any]:
    """One delegation. `arguments`: the tool's, as given (`input` on the wire)."""
    return _request(
        "call",
        token,
        parent_connection_id=parent_connection_id,
        parent_tool_use_id=parent_tool_use_id,
        external_handle=external_handle,
        input=arguments,
    )


def status(
    token: str,
    task_ids: list[str],
    wait_ms: int | None = None,
    result_offset: int | None = None,
    max_bytes: int | None = None,
) -> dict[str, Any]:
    """Reports of 1 to 1,000 tasks. `wait_ms` None: a snapshot; 0: until an end or a new block; n: n ms at most."""
    return _request(
        "status", token, task_ids=task_ids, wait_ms=wait_ms, result_offset=result_offset, max_bytes=max_bytes
    )


def listen(token: str, task_ids: list[str], wait_ms: int | None, max_bytes: int) -> dict[str, Any]:
    """The same as `status`, for a listener beside the model's calls: it uses up nothing that is new to these."""
    return _request("status", token, task_ids=task_ids, wait_ms=wait_ms, max_bytes=max_bytes, listens=True)


def cancel_task(token: str, task_id: str) -> dict[str, Any]:
    """Ends a task."""
    return _request("cancel_task", token, task_id=task_id)


def resume_task(token: str, task_id: str) -> dict[str, Any]:
    """Goes on with a task."""
    return _request("resume_task", token, task_id=task_id)


def cancel(token: str, external_handle: str, reason: str | None = None) -> dict[str, Any]:
    """Withdraws a `call` that is still being set up."""
    return _request("cancel", token, external_handle=external_handle, reason=reason)


def feedback(token: str) -> dict[str, Any]:
    """Pulls notes and late answers."""
    return _request("feedback", token)


def commit_feedback(token: str, ids: list[str]) -> dict[str, Any]:
    """These notes and answers were written to the agent."""
    return _request("commit_feedback", token, ids=ids)


def ask(
    token: str,
    questions: list[dict[str, Any]] | None = None,
    question_id: str | None = None,
    wait_ms: int | None = None,
) -> dict[str, Any]:
    """Asks the person: `questions`, or again by `question_id`."""
    return _request("ask", token, questions=questions, question_id=question_id, wait_ms=wait_ms)


def answer_question(token: str, question_id: str, answers: list[dict[str, Any]] | None) -> dict[str, Any]:
    """What the person at an outside session's own program said: (question, selected, other), or None = declined."""
    decline = True if answers is None else None
    return _request("answer_question", token, question_id=question_id, answers=answers, decline=decline)


def operator(token: str, op: str, **fields: Any) -> dict[str, Any]:
    """A command of the person. `fields` stand beside `op`; none may be named kind, v, token or op."""
    return _request("operator", token, op=op, **fields)


def outcome(value: Any) -> dict[str, Any]:
    """The response to a request that became a call, refused or not."""
    return {"outcome": value}


def refusal(code: str, message: str) -> dict[str, Any]:
    """The error response, one of `ERROR_CODES`; the connection closes behind it."""
    return {"error": {"code": code, "message": message}}


def parse_response(content: bytes) -> Any:
    """The outcome in one response payload.

    Raises:
        RemoteError: the host answered with an error.
        BadResponse: the payload is no response.
    """
    from codeg.wire import payload  # noqa: PLC0415  # json costs start-up; a companion decodes itself, see `outcome_of`

    try:
        value = payload.decode(content)
    except payload.Unreadable as error:
        raise BadResponse(str(error)) from None
    return outcome_of(value)


def outcome_of(value: Any) -> Any:
    """The outcome in one decoded response.

    Raises:
        RemoteError: the host answered with an error.
        BadResponse: the value is no response.
    """
    if not is_object(value):
        raise BadResponse("It is no object.")
    error = value.get("error")
    if error is None:
        if "outcome" in value:
            return value["outcome"]
        raise BadResponse("It has neither an outcome nor an error.")
    if not is_object(error):
        raise BadResponse("Its error is no object.")
    code, message = error.get("code"), error.get("message")
    if type(code) is not str or type(message) is not str:
        raise BadResponse("Its error lacks a code or a message.")
    raise RemoteError(code, message)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a decoded value is a JSON object."""
    return type(value) is dict


def _request(kind: str, token: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "v": PROTOCOL, "token": token, **_given(**fields)}


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
