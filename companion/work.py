"""What the steps of a call may know of it, and the requests that they make.

Owns these records and the seconds that requests get; never decides what to ask. A request ends with the host's outcome,
or with one of `Expired`, `Unreachable`, `RemoteError` raised where it was made.
"""

from __future__ import annotations

from companion.link import Unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, Final

    from codeg.jsonrpc.messages import RpcError
    from companion.forms import Forms
    from companion.link import Access
    from companion.opened import Call
    from companion.rendering import Answer

    Steps = Generator["Ask", Any, Answer | RpcError]
    Fields = dict[str, Any]

SHORT_S: Final = 10.0
"""Seconds for a request that the host answers at once; never longer than the host program's own limit."""
MARGIN_S: Final = 1.0
"""Seconds that the host may be late with the end of a wait that it keeps itself."""


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

    __slots__ = ("_forms", "call", "clock", "due", "handle", "reply_bytes", "withdraw")

    def __init__(
        self,
        call: Call,
        clock: Callable[[], float],
        wait_s: float,
        reply_bytes: int,
        *,
        handle: str,
        forms: Callable[[], Forms],
    ) -> None:
        self.call = call
        self.clock = clock
        self.due = clock() + wait_s
        self.reply_bytes = reply_bytes
        self.handle = handle
        self._forms = forms
        self.withdraw = False

    @property
    def forms(self) -> Forms:
        """What the client's person is asked."""
        return self._forms()

    def short(self) -> float:
        """When a request that should be answered at once is given up."""
        return min(self.clock() + SHORT_S, self.due)
