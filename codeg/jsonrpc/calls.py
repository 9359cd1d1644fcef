"""Who waits for which answer, in both directions of one connection.

Owns open calls; never sends, never keeps time. Each waiter is handed back exactly once: by its answer, by cancel, or by
the end of the connection. Of answer and cancel exactly one wins (contract 4).
"""

from __future__ import annotations

from codeg.jsonrpc.messages import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codeg.jsonrpc.messages import Id, Response


class Closed(Exception):
    """The connection has ended: nobody will answer."""


class Outgoing:
    """Our requests to the peer. A waiter is any object but None; what to do with it is the caller's."""

    __slots__ = ("_closed", "_last", "_waiters")

    def __init__(self) -> None:
        self._waiters: dict[int, Any] = {}
        self._last = 0
        self._closed = False

    def __len__(self) -> int:
        return len(self._waiters)

    def begin(self, waiter: Any) -> int:
        """Registers a waiter and gives the fresh id of its request: 1, 2, 3 ... never used twice.

        Raises:
            Closed: after `closed()`; the waiter was not taken.
        """
        if self._closed:
            raise Closed("The connection has ended.")
        self._last += 1
        self._waiters[self._last] = waiter
        return self._last

    def settle(self, response: Response) -> Any:
        """The waiter that this response answers; None when nobody waits for it (unknown, late, repeated)."""
        # 1.0, "1" and True are other ids than 1, though two of them are equal keys of a dict.
        return self._waiters.pop(response.id, None) if type(response.id) is int else None

    def cancel(self, call_id: int) -> Any:
        """Takes the waiter back; None when it was answered first. A later response to this id settles nothing."""
        return self._waiters.pop(call_id, None)

    def closed(self) -> list[Any]:
        """The connection has ended: every open waiter, in order of their requests. Later calls give none."""
        self._closed = True
        left = list(self._waiters.values())
        self._waiters.clear()
        return left


class Incoming:
    """The peer's open requests. Ids are told apart by kind: 42, "42", 42.0 are three."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: dict[tuple[type, Id], Any] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, call_id: Id, call: Any = None) -> bool:
        """Opens a request; False when its id is open already: the second is to be refused, the first stays as it is.

        `call`: the caller's object for this request. Where it is given, `finish` with another object loses, so that
        late work of a cancelled request cannot answer a new request that reuses the id.
        """
        key = (type(call_id), call_id)
        if key in self._open:
            return False
        self._open[key] = call
        return True

    def get(self, call_id: Id) -> Any:
        """The caller's object of an open request; None when the id is not open."""
        return self._open.get((type(call_id), call_id))

    def finish(self, call_id: Id, call: Any = None) -> bool:
        """True: the answer may be sent, the request is closed. False: it was cancelled or answered before."""
        key = (type(call_id), call_id)
        if key not in self._open or (call is not None and self._open[key] is not call):
            return False
        del self._open[key]
        return True

    def cancel(self, call_id: Any) -> bool:
        """True: the request is closed and no answer may follow. False: unknown, late or repeated; nothing happens.

        Takes any JSON value, since the id stands in a notification's params: one that is no id is unknown.
        """
        return is_id(call_id) and self.finish(call_id)

    def closed(self) -> list[Any]:
        """The connection has ended: the objects of all open requests, oldest first. None of them can be answered."""
        left = list(self._open.values())
        self._open.clear()
        return left
