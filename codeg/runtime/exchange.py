"""One connection at the door: one request in, one answer out (contract 5).

Owns the life of a connection from accept to close: the peer's user, the 5 s for its request, the frame, the token
before anything else, the answer's way out. It decides nothing about the request itself: the door does, and is told
when the peer goes. Of an answer and a close that are both there, the answer wins. It ends with the connection.
"""

import asyncio
from typing import Any, Protocol

from codeg.runtime.peers import Peer
from codeg.runtime.tokens import Grant
from codeg.runtime.transport import Stream
from codeg.wire import frames, requests
from codeg.wire.models import Request, WireFault, authority_fields, decode_request, validate

REQUEST_S = 5.0
"""Seconds to deliver a whole request."""
WRITE_S = 10.0
"""Seconds in which a peer must take its answer; one that never reads is dropped."""
LINGER_S = 1.0
"""Seconds for which what a refused peer still sends is read and dropped, so that it gets to see the refusal."""
EXTRA_BYTES = 64 * 1024
"""Bytes behind the request that are dropped; over it the connection is."""


class Pending(Protocol):
    """What waits for an answer, as its connection sees it."""

    def ended(self) -> None:
        """The peer sends no more, but may still read."""
        ...

    def lost(self) -> None:
        """The peer went before its answer was written (or the lease's connection closed)."""
        ...


class Hall(Protocol):
    """What all connections share: counts, limits, tokens and the door behind them."""

    def admit(self, exchange: "Exchange") -> WireFault | None:
        """Count it in; a fault if its user may not come in (`not_authorized`) or there is no room (`busy`)."""
        ...

    def hold(self, exchange: "Exchange", held: int) -> WireFault | None:
        """It holds that many bytes of an unfinished request; a fault if that is too much over all."""
        ...

    def recognise(self, exchange: "Exchange", token: str) -> Grant:
        """Whose token this is.

        Raises:
            WireFault: `not_authorized`, or `busy` when the token has too many connections.
        """
        ...

    def take(self, exchange: "Exchange", grant: Grant, request: Request) -> None:
        """Answer it, now or later, by `reply`, `fail` or `lease`."""
        ...

    def leased(self, exchange: "Exchange") -> None:
        """It is a lease from now on and does not count for its token."""
        ...

    def left(self, exchange: "Exchange") -> None:
        """It is over."""
        ...


class Exchange:
    """Keeps `transport.Receiver`. All calls belong to the event loop's thread."""

    __slots__ = ("_extra", "_hall", "_linger", "_over", "_pending", "_reader", "_stream", "_timer", "_written")

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._reader: frames.FrameReader | None = frames.FrameReader()
        self._stream: Stream | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._pending: Pending | None = None
        self._extra = 0
        self._over = False
        self._written = False
        self._linger = False

    # ---- what the door does

    @property
    def peer(self) -> Peer:
        """Who is at the other end."""
        assert self._stream is not None
        return self._stream.peer

    @property
    def open(self) -> bool:
        """An answer can still be given."""
        return not self._over

    def watch(self, pending: Pending) -> None:
        """Tell this one when the peer goes."""
        self._pending = pending

    def reply(self, outcome: Any) -> None:
        """Answer and close. The second answer of a connection is dropped."""
        try:
            frame = frames.encode(requests.outcome(outcome))
        except frames.FrameTooLarge:
            self.fail(WireFault("too_large", "The answer is over 16 MiB; ask for less at once."))
        else:
            self._answer(frame)

    def fail(self, fault: WireFault) -> None:
        """Answer with an error frame and close."""
        self._answer(frames.encode(requests.refusal(fault.code, fault.message)))

    def break_off(self, fault: WireFault) -> None:
        """Answer with an error frame although the door still works on the request; it is told that nobody waits."""
        pending, self._pending = self._pending, None
        self.fail(fault)
        if pending is not None:
            pending.lost()

    def lease(self, outcome: Any) -> None:
        """Answer and stay open: the connection is a lease until either side closes it."""
        if self._over or self._stream is None:
            return
        self._hall.leased(self)
        self._stream.write(frames.encode(requests.outcome(outcome)))
        if self._stream.unwritten:
            self._limit(WRITE_S, self.drop)

    def drop(self) -> None:
        """Close without an answer."""
        self._over = True
        if self._stream is not None:
            self._stream.abort()

    def close(self) -> None:
        """Close when what was written is out; nothing more is answered."""
        self._over = True
        if self._stream is not None:
            self._stream.finish()

    # ---- what the transport tells

    def connected(self, stream: Stream) -> None:
        """A peer is there; its user is judged before a byte of it is read."""
        self._stream = stream
        fault = self._hall.admit(self)
        if fault is None:
            self._limit(REQUEST_S, self._too_slow)
        elif fault.code == "busy":
            self.fail(fault)
        else:
            self._reader = None
            self.drop()

    def received(self, data: bytes) -> None:
        """Part of the request; what comes behind it is dropped."""
        if self._reader is None or self._over:
            self._extra += len(data)
            if self._extra > EXTRA_BYTES and not self._linger:
                self.drop()
            return
        try:
            payload = self._reader.feed(data)
        except frames.FrameTooLarge as error:
            self.fail(WireFault("too_large", str(error)))
            return
        fault = self._hall.hold(self, 0 if payload is not None else self._reader.held)
        if fault is not None:
            self.fail(fault)
        elif payload is not None:
            self._extra = len(self._reader.extra)
            self._reader = None
            self._read(payload)

    def ended(self) -> None:
        """The peer sends no more."""
        assert self._stream is not None
        if self._linger:
            self._stream.finish()
        elif self._over:
            return
        elif self._reader is not None:
            self._cut_off(self._reader)
        elif self._stream.hung_up():
            self.drop()
        elif self._pending is not None:
            self._pending.ended()

    def flushed(self) -> None:
        """What was written is out: the answer, or the beginning of a lease."""
        self._limit(None)
        if self._over:
            self._written = True
            self._close_written()

    def lost(self) -> None:
        """The connection is over; an answer that was not written is nobody's any more."""
        self._over = True
        self._limit(None)
        self._reader = None
        self._hall.left(self)
        pending, self._pending = self._pending, None
        if pending is not None and not self._written:
            pending.lost()

    # ---- inside

    def _read(self, payload: bytes) -> None:
        self._limit(None)
        try:
            fields = decode_request(payload)
            grant = self._hall.recognise(self, authority_fields(fields).token)
            request = validate(fields)
        except WireFault as fault:
            self.fail(fault)
        else:
            self._hall.take(self, grant, request)

    def _answer(self, frame: bytes) -> None:
        if self._over or self._stream is None:
            return
        self._over = True
        self._linger = self._reader is not None
        self._reader = None
        self._hall.hold(self, 0)
        self._stream.write(frame)
        if self._stream.broken:
            self._stream.abort()
        elif self._stream.unwritten:
            self._limit(WRITE_S, self.drop)
        else:
            self._written = True
            self._close_written()

    def _close_written(self) -> None:
        assert self._stream is not None
        if self._linger:
            self._stream.end_writing()
            self._limit(LINGER_S, self.drop)
        else:
            self._stream.finish()

    def _cut_off(self, reader: frames.FrameReader) -> None:
        if reader.announced is None and not reader.held:
            self.close()
            return
        self._reader = None
        self.fail(WireFault("invalid_request", "The connection ended before the whole request was there."))

    def _too_slow(self) -> None:
        self.fail(WireFault("invalid_request", f"The whole request must be there within {REQUEST_S:.0f} s."))

    def _limit(self, seconds: float | None, then: Any = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, then)
