"""What the requests of the tasks extension ask of the host (protocols 5): `tasks/get`, `tasks/update`, `tasks/cancel`.

Owns how they are answered; the id of a task is the one that every tool takes. An id that the host does not know in this
session is -32602. Nothing of a delegation is answered by the client, so an update is acknowledged and changes nothing.
"""

from __future__ import annotations

from codeg.jsonrpc import messages
from codeg.jsonrpc.messages import RpcError
from codeg.wire import requests
from companion import handles, rendering
from companion.rendering import Malformed, Plain
from companion.work import Ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from companion.link import Access
    from companion.work import Steps, Task

    Fields = dict[str, Any]

_LEAST_BYTES: Final = 1
"""Room for an id and a status, which a reply always has."""


def begin(task: Task) -> Steps:
    """The steps of a request about a task; the core has judged its params."""
    task_id: str = task.call.arguments["taskId"]
    return _STEPS[task.call.method](task, task_id)


def _get(task: Task, task_id: str) -> Steps:
    outcome = yield Ask(_status(task_id, task.reply_bytes), task.short())
    report = _known(outcome, task_id)
    return _unknown() if report is None else Plain(handles.shown(report))


def _update(task: Task, task_id: str) -> Steps:
    outcome = yield Ask(_status(task_id, _LEAST_BYTES), task.short())
    return _unknown() if _known(outcome, task_id) is None else Plain({})


def _cancel(task: Task, task_id: str) -> Steps:
    outcome = yield Ask(lambda access: requests.cancel_task(access.token, task_id), task.short())
    report = rendering.report_in(outcome)
    return _unknown() if report["status"] == "unknown" else Plain({})


def _status(task_id: str, size: int) -> Callable[[Access], Fields]:
    return lambda access: requests.status(access.token, [task_id], None, None, size)


def _known(outcome: Any, task_id: str) -> Fields | None:
    reports = rendering.reports_in(outcome)
    if len(reports) != 1 or reports[0].get("task_id") != task_id:
        raise Malformed
    return None if reports[0]["status"] == "unknown" else reports[0]


def _unknown() -> RpcError:
    return RpcError(messages.INVALID_PARAMS, "There is no task with this taskId in this session.")


_STEPS: Final[dict[str, Callable[[Task, str], Steps]]] = {
    "tasks/get": _get,
    "tasks/update": _update,
    "tasks/cancel": _cancel,
}
