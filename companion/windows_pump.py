"""The loop of the companion on Windows, where pipes cannot be polled: blocking threads behind the same core.

Owns the threads and the queue between them; never knows a method or a tool. **It has not run on Windows**: it was
written against the documentation, type-checked, and its loop tested on Linux. Known to be weaker than `pump`: a wait
that is dropped keeps its thread until the host answers, the peer's account is not checked by us (the pipe admits the
current user only, contract 5), `--parent-pid` is not watched, a peer that stops reading holds up the loop.

`run` returns the exit code within 2 s of stdin's end, a broken stdout, or idleness.
"""

from __future__ import annotations

import os
import queue
import threading
from time import monotonic

from codeg.jsonrpc.framing import Fault, Splitter
from codeg.wire.frames import FrameReader, FrameTooLarge
from companion.link import Link
from companion.switchboard import Switchboard
from companion.timers import Timers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, TypeVar

    from companion.mcp import Core
    from companion.opened import Mark
    from companion.options import Options
    from companion.output import Diary

    Event = Callable[[], None]
    Item = TypeVar("Item")

READ_SIZE: Final = 65_536
GRACE_S: Final = 1.2
END_S: Final = 1.8
MAX_READ: Final = 32
"""Pieces of input that may wait unserved: behind them the reading thread stands still."""


class PipeExchange:
    """One request on one named pipe, in a thread of its own. Keeps `connections.Connection`."""

    def __init__(self, done: Callable[[bytes], None], failed: Callable[[bool, str], None], events: Events) -> None:
        self.sent = False
        self.lost: Callable[[], None] | None = None
        self._done = done
        self._failed = failed
        self._events = events
        self._closed = False

    def close(self) -> None:
        """Ends it silently; its thread goes when the host answers or leaves."""
        self._closed = True

    def work(self, path: str, frame: bytes, keep: bool) -> None:
        """The thread: write, read one frame, and for a lease wait for its end."""
        try:
            with open(path, "r+b", buffering=0) as pipe:
                self.sent = True
                pipe.write(frame)
                payload = self._payload(pipe.read)
                if payload is None:
                    self._tell(lambda: self._failed(self.sent, "the host closed the connection"))
                    return
                self._tell(lambda: self._done(payload))
                while keep and pipe.read(1):
                    continue
        except (OSError, FrameTooLarge) as error:
            reason = str(error)
            self._tell(lambda: self._failed(self.sent, reason))
            return
        if keep:
            self._tell(lambda: self.lost() if self.lost else None)

    def _payload(self, read: Callable[[int], bytes]) -> bytes | None:
        reader = FrameReader()
        while True:
            data = read(READ_SIZE)
            if not data:
                return None
            payload = reader.feed(data)
            if payload is not None:
                return payload

    def _tell(self, event: Event) -> None:
        self._events.put(lambda: None if self._closed else event())


class Events:
    """What threads tell the loop; the loop alone acts. Keeps `connections.Opener`."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def put(self, event: Event) -> None:
        """From any thread."""
        self._queue.put(event)

    def take(self, wait_s: float | None) -> None:
        """Runs the next event, and all that are there already; waits at most `wait_s`."""
        try:
            event = self._queue.get(timeout=wait_s)
            while True:
                event()
                event = self._queue.get_nowait()
        except queue.Empty:
            return

    def open(
        self,
        path: str,
        frame: bytes,
        done: Callable[[bytes], None],
        failed: Callable[[bool, str], None],
        keep: bool = False,
    ) -> PipeExchange:
        """Sends one frame to the host at `path`; see `connections.Opener`."""
        exchange = PipeExchange(done, failed, self)
        threading.Thread(target=exchange.work, args=(path, frame, keep), daemon=True).start()
        return exchange


class ThreadPump:
    """One companion at work on threads."""

    def __init__(self, core: Core, diary: Diary, options: Options, out: int) -> None:
        self.events = Events()
        self._core = core
        self._diary = diary
        self._out = out
        self._timers = Timers(monotonic())
        self._switchboard = Switchboard(core, Link(options, os.environ, None), self.events, self._timers, os.environ)
        self._splitter = Splitter()
        self._room = threading.Semaphore(MAX_READ)
        self._ending = ""
        self._code = 0
        self._idle_s = options.idle_timeout_ms / 1000
        self._active_at = self._timers.now
        self._exit_at = float("inf")

    def run(self) -> int:
        """Serves until an end; the exit code."""
        self._diary.note("stdio_started")
        threading.Thread(target=self._read_input, daemon=True).start()
        while not self._over():
            self._diary.flush()
            self.events.take(self._wait_s())
            self._timers.run(monotonic())
            self._write()
            self._switchboard.take_calls()
            self._write()
            if self._idles() and self._timers.now - self._active_at >= self._idle_s:
                self._diary.note("idle_timeout")
                self.end("idle_timeout")
        self._diary.note(f"stdio_stopped {self._ending}")
        self._diary.flush()
        return self._code

    def end(self, why: str) -> None:
        """Begins the end; a later reason changes nothing."""
        if self._ending:
            return
        self._ending = why
        self._exit_at = self._timers.now + END_S
        self._timers.at(self._exit_at, lambda: None)
        self._core.end_subscriptions()
        self._switchboard.wind_down()
        self._timers.after(GRACE_S, self._switchboard.give_up)

    def _read_input(self) -> None:
        while True:
            self._room.acquire()
            try:
                data = os.read(0, READ_SIZE)
            except OSError:
                data = b""
            self.events.put(lambda data=data: self._take(data))
            if not data:
                return

    def _take(self, data: bytes) -> None:
        self._room.release()
        self._active_at = self._timers.now
        for item in self._splitter.feed(data) if data else self._splitter.end():
            if isinstance(item, Fault):
                self._core.refuse(item)
            else:
                self._core.feed(item.payload, item.framed)
            self._switchboard.take_listings()
        if not data:
            self.end("stdin_eof")

    def _write(self) -> None:
        """Blocks while the peer does not read; the reading thread then stands still behind its bound."""
        for data, marks in _taken(self._core.out):
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._out, view) :]
            except OSError:
                self._diary.note("output_error")
                self.end("output_error")
                self._switchboard.give_up()
                self._core.started.clear()
                self._core.out.clear()
                return
            _run(marks)

    def _idles(self) -> bool:
        return bool(self._idle_s) and not self._ending and not self._core.open_calls

    def _wait_s(self) -> float | None:
        if self._core.out:
            return 0
        wait = self._timers.wait_s()
        if self._idles():
            idle = max(0.0, self._active_at + self._idle_s - self._timers.now)
            wait = idle if wait is None else min(wait, idle)
        return wait

    def _over(self) -> bool:
        idle = not self._switchboard.busy and not self._core.out
        return bool(self._ending) and (idle or self._timers.now >= self._exit_at)


def run(core: Core, options: Options, diary: Diary, out: int) -> int:
    """Serves on Windows; the exit code."""
    return ThreadPump(core, diary, options, out).run()


def _taken(items: list[Item]) -> list[Item]:
    found = list(items)
    items.clear()
    return found


def _run(marks: list[Mark] | None) -> None:
    for mark in marks or ():
        mark()
