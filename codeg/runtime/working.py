"""Work behind a request that takes more than one step; its errors are answered at one boundary.

It runs in the listener's task group. Owns the mapping of whatever goes wrong to one answer (architecture, Errors).
Nothing that a request causes ends the listener.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from anyio.abc import TaskGroup

from codeg.runtime.services import UserError
from codeg.wire.models import WireFault

logger = logging.getLogger(__name__)

FAILED = "The host failed on this request; its log says more."


class Answerable(Protocol):
    """A connection that can be answered."""

    def reply(self, outcome: Any) -> None:
        """Answer and close."""
        ...

    def fail(self, fault: WireFault) -> None:
        """Answer with an error frame and close."""
        ...


class Work:
    """Starts work once `enter` gave it a group."""

    def __init__(self) -> None:
        self._group: TaskGroup | None = None

    def enter(self, group: TaskGroup) -> None:
        """Start work in this group from now on."""
        self._group = group

    def leave(self) -> None:
        """The group has ended."""
        self._group = None

    def start(self, exchange: Answerable, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work`; what it raises becomes the answer."""
        if self._group is None:
            exchange.fail(WireFault("busy", "The host is ending."))
            return
        self._group.start_soon(self._guarded, exchange, work)

    def run(self, exchange: Answerable, act: Callable[[], None]) -> None:
        """The same for work that is done in one step."""
        try:
            act()
        except Exception as error:  # noqa: BLE001  # the one boundary of this door
            answer_error(exchange, error)

    async def _guarded(self, exchange: Answerable, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:  # noqa: BLE001  # the one boundary of this door
            answer_error(exchange, error)


def answer_error(exchange: Answerable, error: Exception) -> None:
    """An error frame for what never became a call; a refusal (a report without id) for what was understood."""
    match error:
        case WireFault():
            exchange.fail(error)
        case UserError(code="invalid_request"):
            exchange.fail(WireFault("invalid_request", error.message))
        case UserError():
            exchange.reply({"status": "failed", "error_code": error.code, "message": error.message})
        case _:
            logger.error("a request failed", exc_info=error)
            exchange.fail(WireFault("busy", FAILED))
