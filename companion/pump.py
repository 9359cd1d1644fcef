"""The loop of the companion on Unix: one thread, one poll over stdin, stdout, sockets, signals, the parent's pidfd.

Owns the descriptors, the bound on what is held, and how the process ends (contract 4): stdin's end, a broken stdout,
the parent's death, idleness, SIGTERM or SIGINT. Never knows a method or a tool. `run` returns the exit code within 2 s
of any of them.
"""

from __future__ import annotations

import os
import select
from collections import deque
from time import monotonic

from codeg.jsonrpc.framing import Fault, Splitter
from companion.output import HIGH_WATER, LOW_WATER, Output
from companion.switchboard import Switchboard
from companion.timers import Timers
from companion.transport import Poller, Transport

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping
    from typing import Final

    from codeg.jsonrpc.framing import Frame
    from companion.link import Link
    from companion.mcp import Core
    from companion.options import Options
    from companion.output import Diary
    from companion.timers import Timer

else:
    try:
        import _signal as signal  # the C module: the names that `signal` adds cost 2 of the 20 ms of the start
    except ImportError:
        import signal

READ_SIZE: Final = 65_536
GRACE_S: Final = 1.2
"""Seconds that short calls have to finish once the end has begun."""
END_S: Final = 1.8
"""Seconds from the beginning of the end to the exit, whatever is open (contract 4: 2 s)."""
BROKEN_END_S: Final = 0.6
"""The same with nobody left to read: only open set-ups are told to the host."""
PARENT_POLL_S: Final = 1.0
DIARY_S: Final = 0.05
"""Seconds that lifecycle lines may wait."""
_GONE: Final = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)


class Pump:
    """One companion at work."""

    def __init__(
        self, core: Core, link: Link, diary: Diary, options: Options, *, environment: Mapping[str, str], out_fd: int
    ) -> None:
        self._core = core
        self._diary = diary
        self._poller = Poller()
        self._timers = Timers(monotonic())
        opener = Transport(self._poller, self._timers, os.getuid())
        self._switchboard = Switchboard(core, link, opener, self._timers, environment)
        self._output = Output(out_fd)
        self._out_fd = out_fd
        self._out_mask = -1
        self._splitter = Splitter()
        self._backlog: deque[Frame | Fault] = deque()
        self._reading = True
        self._stuck = False
        self._ending = ""
        self._code = 0
        self._exit_at = float("inf")
        self._idle_s = options.idle_timeout_ms / 1000
        self._active_at = self._timers.now
        self._parent_pid = options.parent_pid
        self._diary_due: Timer | None = None

    def run(self) -> int:
        """Serves until an end; the exit code."""
        self._diary.note("stdio_started")
        self._watch_signals()
        self._watch_parent()
        # Behind a stuck output only the end of stdin is of interest: its hang-up needs no mask.
        self._poller.watch(0, select.POLLIN, self._read, calm=getattr(select, "POLLRDHUP", 0))
        while not self._over():
            self._tell()
            self._poller.turn(self._wait_s(), self._stuck)
            self._timers.run(monotonic())
            self._work()
        self._diary.note(f"stdio_stopped {self._ending}")
        self._diary.flush()
        self._output.close()
        return self._code

    # One turn.

    def _tell(self) -> None:
        """While a call is under way its lines wait for those of its answer: one write instead of two."""
        if self._core.open_calls and not self._ending:
            if self._diary.pending and (self._diary_due is None or self._diary_due.call is None):
                self._diary_due = self._timers.after(DIARY_S, self._diary.flush)
            return
        if self._diary_due is not None:
            self._diary_due.cancel()
            self._diary_due = None
        self._diary.flush()

    def _wait_s(self) -> float | None:
        if self._core.out or (self._backlog and not self._stuck):
            # Of the end too: what it has made goes out at once, not with the next timer.
            return 0
        wait = self._timers.wait_s()
        if self._may_idle():
            idle = max(0.0, self._active_at + self._idle_s - self._timers.now)
            wait = idle if wait is None else min(wait, idle)
        return wait

    def _work(self) -> None:
        """Serves what was read, forwards what came of it, and writes."""
        if self._core.open_calls or self._backlog:
            self._active_at = self._timers.now
        while self._backlog and not self._stuck:
            item = self._backlog.popleft()
            if isinstance(item, Fault):
                self._core.refuse(item)
            else:
                self._core.feed(item.payload, item.framed)
            # Within the burst: answers without a host count towards what may be queued.
            self._switchboard.take_listings()
            self._collect()
        self._collect()
        self._write()
        if self._core.started or self._core.dropped:
            # What is answered at once does not wait for the connections of a hundred calls that came with it (P5).
            self._switchboard.take_calls()
            self._collect()
            self._write()
        if self._may_idle() and self._timers.now - self._active_at >= self._idle_s:
            self._diary.note("idle_timeout")
            self._end("idle_timeout")

    def _may_idle(self) -> bool:
        """The idle timer runs only while no call is open (contract 4)."""
        return bool(self._idle_s) and not self._ending and not self._core.open_calls

    def _collect(self) -> None:
        if self._core.out:
            for data, marks in self._core.out:
                self._output.put(data, marks)
            self._core.out.clear()
            if self._output.queued > HIGH_WATER:
                self._write()
        self._stuck = self._output.queued > (LOW_WATER if self._stuck else HIGH_WATER)

    def _write(self) -> None:
        try:
            self._output.flush()
        except OSError as error:
            self._break(error)
            return
        self._stuck = self._stuck and self._output.queued > LOW_WATER
        mask = select.POLLOUT if self._output.queued else 0
        if mask != self._out_mask and not self._output.plain:
            self._out_mask = mask
            self._poller.watch(self._out_fd, mask, self._writable, calm=mask)

    # What happens at the descriptors.

    def _read(self, _mask: int) -> None:
        if self._stuck:
            # Its writer has gone while nobody reads our output: the time runs; the rest is read if output moves again.
            self._poller.forget_calm(0)
            self._limit(END_S)
            return
        try:
            data = os.read(0, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._stop_reading()
            self._code = 0 if isinstance(error, _GONE) else 1
            self._end("stdin_error")
            return
        self._active_at = self._timers.now
        if data:
            self._backlog.extend(self._splitter.feed(data))
        else:
            self._backlog.extend(self._splitter.end())
            self._stop_reading()
            self._limit(END_S)

    def _writable(self, mask: int) -> None:
        if mask & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            self._break(BrokenPipeError())

    def _stop_reading(self) -> None:
        self._reading = False
        self._poller.forget(0)

    def _watch_signals(self) -> None:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        # A Python handler alone could wait behind a system call; the descriptor wakes the loop.
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: None)

        def wake(_mask: int) -> None:
            os.read(reader, 512)
            self._end("signal")

        self._poller.watch(reader, select.POLLIN, wake, calm=select.POLLIN)

    def _watch_parent(self) -> None:
        pid = self._parent_pid
        if not pid:
            return
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            self._parent_gone()
        except (AttributeError, OSError):
            self._poll_parent()
        else:

            def gone(_mask: int) -> None:
                self._poller.forget(fd)
                self._parent_gone()

            self._poller.watch(fd, select.POLLIN, gone, calm=select.POLLIN)

    def _poll_parent(self) -> None:
        """Where the system has no descriptor for a process."""
        try:
            os.kill(self._parent_pid, 0)
        except ProcessLookupError:
            self._parent_gone()
        except OSError:
            self._timers.after(PARENT_POLL_S, self._poll_parent)
        else:
            self._timers.after(PARENT_POLL_S, self._poll_parent)

    def _parent_gone(self) -> None:
        self._diary.note("parent_exit")
        self._end("parent_exit")

    # The end.

    def _break(self, error: OSError) -> None:
        """Nobody reads any more: what is queued is lost, open set-ups are told to the host."""
        self._output.drop()
        if self._ending == "output_error":
            return
        self._diary.note("output_error")
        self._poller.forget(self._out_fd)
        self._stuck = False
        self._backlog.clear()
        self._core.started.clear()
        self._code = self._code or (0 if isinstance(error, _GONE) else 1)
        self._end("output_error")
        self._switchboard.give_up()
        self._limit(BROKEN_END_S)

    def _end(self, why: str) -> None:
        """Begins the end; a second reason changes nothing but the name of a broken output."""
        if self._reading:
            self._stop_reading()
        first = not self._ending
        if first or why == "output_error":
            self._ending = why
        self._limit(END_S)
        if first:
            self._core.end_subscriptions()
            self._switchboard.wind_down()
            self._timers.after(GRACE_S, self._switchboard.give_up)

    def _limit(self, seconds: float) -> None:
        self._exit_at = min(self._exit_at, self._timers.now + seconds)
        self._timers.at(self._exit_at, lambda: None)

    def _over(self) -> bool:
        if self._timers.now >= self._exit_at:
            return True
        if not self._reading and not self._backlog and not self._ending:
            # All of stdin is served as far as it can be at once.
            self._end("stdin_eof")
        idle = not self._switchboard.busy and not self._output.queued and not self._core.out and not self._backlog
        return bool(self._ending) and idle
