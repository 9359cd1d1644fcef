"""The one owner of agent processes: starts each below a keeper, moves its bytes, ends its whole tree (contract 7).

Owns the keeper's process, the three pipes and the control channel; `codeg.keeper` owns the tree below. It never reads
what it moves, and starts nothing but keepers. It ends when its context is left: within 5 s the tree is gone, whatever
the agent does. Windows has no keeper; there `process_windows` keeps the same promise with a job object.
"""

import contextlib
import errno
import logging
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel

from codeg.keeper import linux
from codeg.keeper.messages import Report, pack_launch, parse_report, stop_line
from codeg.sessions.descriptor_limit import agents_descriptor_limit
from codeg.sessions.environment import find_program
from codeg.sessions.leftovers import end_leftovers, end_tree, still_alive
from codeg.sessions.once import Once
from codeg.sessions.pipes import Pipes
from codeg.sessions.process_types import AgentProcess, Exit, SpawnFailed
from codeg.sessions.stderr_tail import StderrTail
from codeg.sessions.types import ProcessStarted
from codeg.sessions.why_not_started import why_not_started

if sys.platform == "win32":
    from codeg.sessions.process_windows import spawn_in_job
    from codeg.sessions.windows_calls import WindowsCalls

__all__ = ["AgentProcess", "Exit", "SpawnFailed", "end_leftovers", "end_tree", "spawn_agent", "still_alive"]

_log = logging.getLogger(__name__)

KEEPER_COMMAND = (os.path.abspath(sys.executable), "-I", "-m", "codeg.keeper")
"""Absolute and isolated: the folder we stand in is a stranger's, and nothing in it may be run (contract 4)."""

START_S = 30.0
"""From the keeper's start to the agent's. Normal is 0.05 s; a machine that swaps may take seconds."""

KEEPER_ENDS_S = 4.2
"""How long a stop trusts the keeper, whose own limit is 4 s, before it ends the tree without it."""

_LAST_S = 0.4
_LOOK_S = 0.01
_PIECE = 64 * 1024
_TAIL_READS = 64


class KeptProcess:
    """An agent below its keeper. Made by `spawn_agent` alone; see `AgentProcess` for the promise."""

    def __init__(self, keeper: "subprocess.Popen[bytes]", pipes: Pipes) -> None:
        self._keeper = keeper
        self._pipes = pipes
        seen = linux.read(keeper.pid) if sys.platform == "linux" else None
        self._identity = ProcessStarted(
            boot_id=linux.boot_id(),
            keeper_pid=keeper.pid,
            keeper_start=seen.start if seen else 0,
            agent_pid=0,
            agent_start=0,
        )
        self._failed: Report | None = None
        self._settled = anyio.Event()
        self._launched = False
        self._exit: Exit | None = None
        self._exited = anyio.Event()
        self._gone = False
        self._control_ended = anyio.Event()
        self._stop = Once()
        self._tail = StderrTail()
        self._unsent = b""
        self._sending = anyio.Lock()
        self._receiving: anyio.CancelScope | None = None

    @property
    def identity(self) -> ProcessStarted:
        """Pids, start times and boot id of keeper and agent."""
        return self._identity

    async def launch(self, message: bytes, program: str, cwd: str) -> None:
        """Tell the keeper what to start and wait until it runs.

        Raises:
            SpawnFailed: it does not run, and why.
        """
        try:
            with anyio.fail_after(START_S):
                await self._hand_over(message)
                await self._settled.wait()
        except TimeoutError:
            raise SpawnFailed(f"{program} was not started within {START_S:.0f} s") from None
        if self._failed is not None:
            raise SpawnFailed(why_not_started(self._failed.words, program, cwd))
        if self._identity.agent_pid == 0:
            words = " ".join(self.stderr_tail()[-1:])
            raise SpawnFailed(f"{program} was not started, since its keeper ended{': ' + words if words else ''}")

    async def _hand_over(self, message: bytes) -> None:
        rest = memoryview(message)
        while rest:
            try:
                rest = rest[self._pipes.control.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._pipes.control)
            except OSError:  # the keeper has gone; its end is told by the reports' end
                return
        self._launched = True

    async def send(self, data: bytes) -> None:
        """See `AgentProcess.send`."""
        await anyio.lowlevel.checkpoint()
        async with self._sending:
            rest = memoryview(self._unsent + data)
            begun = bool(self._unsent)
            try:
                while rest:
                    if self._pipes.stdin is None:
                        raise anyio.ClosedResourceError
                    try:
                        rest = rest[os.write(self._pipes.stdin, rest) :]
                        begun = True
                    except BlockingIOError:
                        await anyio.wait_writable(self._pipes.stdin)
                    except OSError as error:
                        raise anyio.BrokenResourceError from error
            finally:
                self._unsent = bytes(rest) if begun else b""

    async def receive(self) -> bytes:
        """See `AgentProcess.receive`."""
        await anyio.lowlevel.checkpoint()
        while self._pipes.stdout is not None:
            try:
                return os.read(self._pipes.stdout, _PIECE)
            except BlockingIOError:
                if self._exit is not None:
                    return b""
            await self._readable_or_ended(self._pipes.stdout)
        return b""

    async def _readable_or_ended(self, stdout: int) -> None:
        with anyio.CancelScope() as scope, contextlib.suppress(anyio.ClosedResourceError):
            self._receiving = scope
            try:
                await anyio.wait_readable(stdout)
            finally:
                self._receiving = None

    async def close_stdin(self) -> None:
        """See `AgentProcess.close_stdin`."""
        self._pipes.close_stdin()
        await anyio.lowlevel.checkpoint()

    def stderr_tail(self) -> tuple[str, ...]:
        """See `AgentProcess.stderr_tail`."""
        for _ in range(_TAIL_READS):
            if not self._take_stderr():
                break
        return self._tail.lines()

    async def wait_exit(self) -> Exit:
        """See `AgentProcess.wait_exit`."""
        await self._exited.wait()
        return self._exit or Exit()

    async def stop(self, grace_s: float = 1.0) -> None:
        """See `AgentProcess.stop`."""
        await self._stop.do(lambda: self._end(grace_s))

    async def _end(self, grace_s: float) -> None:
        self._pipes.close_stdin()
        try:
            if self._launched:
                self._pipes.control.send(stop_line(grace_s))
            else:
                self._pipes.control.shutdown(socket.SHUT_WR)
        except OSError:  # it has gone, or hangs with a full channel
            _log.debug("the keeper %d took no request to stop", self._keeper.pid)
        with anyio.move_on_after(KEEPER_ENDS_S):
            await self._control_ended.wait()
        if not self._gone and self._launched:
            hung = not self._control_ended.is_set()
            _log.warning("the keeper %d %s", self._keeper.pid, "hangs" if hung else "was killed")
            await end_tree(self._identity, term_s=0.0 if hung else grace_s, kill_s=_LAST_S if hung else 3.0)
        await self._bury_keeper()

    async def _bury_keeper(self) -> None:
        if not await self._keeper_ends(_LAST_S):
            self._keeper.kill()  # our own child, not yet waited for: its pid is nobody else's
            if not await self._keeper_ends(_LAST_S):
                _log.warning("the keeper %d could not be ended", self._keeper.pid)

    async def _keeper_ends(self, time_s: float) -> bool:
        with anyio.move_on_after(time_s):
            while self._keeper.poll() is None:
                await self._wait_keeper()
        return self._keeper.returncode is not None

    async def _wait_keeper(self) -> None:
        if sys.platform != "linux":
            await anyio.sleep(_LOOK_S)
            return
        try:
            pin = os.pidfd_open(self._keeper.pid)
        except OSError:  # a kernel before 5.3
            await anyio.sleep(_LOOK_S)
            return
        try:
            await anyio.wait_readable(pin)
        finally:
            os.close(pin)

    def close(self) -> None:
        """Close our descriptors; background readers end with them. After `stop`."""
        self.stderr_tail()
        self._pipes.close()

    async def read_reports(self) -> None:
        """Follow the keeper until it ends. Runs on through cancellation; `close` ends it."""
        held = b""
        with anyio.CancelScope(shield=True), contextlib.suppress(anyio.ClosedResourceError):
            while data := await self._next_reports():
                *lines, held = (held + data).split(b"\n")
                for line in lines:
                    self._take(parse_report(line))
        self._ended(Exit())
        self._settled.set()
        self._control_ended.set()

    async def _next_reports(self) -> bytes:
        while True:
            try:
                return self._pipes.control.recv(_PIECE)
            except BlockingIOError:
                await anyio.wait_readable(self._pipes.control)
            except OSError:  # reset by the keeper's death, or closed by us
                return b""

    def _take(self, report: Report) -> None:
        number = report.number
        if report.word == "started" and len(report.words) == 5:
            self._identity = ProcessStarted(report.words[4], number(0), number(1), number(2), number(3))
            self._settled.set()
        elif report.word == "failed":
            self._failed = report
            self._settled.set()
        elif report.word == "exited":
            code = number(0)
            self._ended(Exit(code=code) if code >= 0 else Exit(signal=-code))
        elif report.word == "signal":
            _log.info("sent signal %d to process %d (start %d)", number(0), number(1), number(2))
        elif report.word == "left":
            _log.warning("process %d (start %d) of an agent could not be ended", number(0), number(1))
        elif report.word == "gone":
            self._gone = True

    def _ended(self, end: Exit) -> None:
        if self._exit is None:
            self._exit = end
            self._exited.set()
            if self._receiving is not None:
                self._receiving.cancel()

    async def drain_stderr(self) -> None:
        """Read stderr until its end, so that the agent never waits for us (B35). Runs on through cancellation."""
        with anyio.CancelScope(shield=True), contextlib.suppress(anyio.ClosedResourceError):
            while (stderr := self._pipes.stderr) is not None:
                if self._take_stderr():
                    await anyio.lowlevel.checkpoint()
                elif self._pipes.stderr == stderr:
                    await anyio.wait_readable(stderr)

    def _take_stderr(self) -> bool:
        """Read one piece. False: there is none now, or none will come."""
        if self._pipes.stderr is None:
            return False
        try:
            piece = os.read(self._pipes.stderr, _PIECE)
        except BlockingIOError:
            return False
        if not piece:
            self._pipes.close_stderr()  # a waiting reader is told
            return False
        self._tail.feed(piece)
        return True


def _start_keeper() -> KeptProcess:
    """Start a keeper that waits for its launch message. Some milliseconds, without a wait in between.

    Raises:
        SpawnFailed: the system gives no process or no descriptors.
    """
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        try:
            control, their_control = socket.socketpair()
            ours.callback(control.close)
            theirs.callback(their_control.close)
            their_stdin, stdin = _pipe(theirs, ours)
            stdout, their_stdout = _pipe(ours, theirs)
            stderr, their_stderr = _pipe(ours, theirs)
            keeper = subprocess.Popen(
                (*KEEPER_COMMAND, str(their_control.fileno())),
                stdin=their_stdin,
                stdout=their_stdout,
                stderr=their_stderr,
                pass_fds=(their_control.fileno(),),
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise SpawnFailed(f"no process could be started: {os.strerror(error.errno or errno.EIO)}") from error
        ours.pop_all()
        return KeptProcess(keeper, Pipes(stdin, stdout, stderr, control))


def _pipe(reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    reader.callback(os.close, ends[0])
    writer.callback(os.close, ends[1])
    return ends


@asynccontextmanager
async def spawn_agent(argv: Sequence[str], env: Mapping[str, str], cwd: str) -> AsyncGenerator[AgentProcess]:
    """Start `argv` with exactly this environment (and the tree's marker) in this folder; leaving ends its whole tree.

    A program without a slash is looked up on the PATH of `env`. No shell is involved (Windows: for batch files alone).

    Raises:
        SpawnFailed: on entering: it could not be started, in one sentence that names program or folder.
    """
    if sys.platform == "win32":
        async with spawn_in_job(argv, env, cwd, WindowsCalls()) as in_job:
            yield in_job
        return
    command, message = _prepared(argv, env, cwd)
    agent = _start_keeper()
    failure: Exception | None = None
    async with anyio.create_task_group() as readers:
        readers.start_soon(agent.read_reports)
        readers.start_soon(agent.drain_stderr)
        try:
            await agent.launch(message, command, cwd)
            yield agent
        except Exception as error:  # noqa: BLE001  # raised again below: it must not come out wrapped in a group
            failure = error
        finally:
            await agent.stop()
            agent.close()
    if failure is not None:
        raise failure


def _prepared(argv: Sequence[str], env: Mapping[str, str], cwd: str) -> tuple[str, bytes]:
    program = argv[0] if argv else ""
    found = program if "/" in program or not program else find_program(program, env.get("PATH", ""))
    if found is None:
        raise SpawnFailed(f"{program} was not found in {env.get('PATH', '') or 'an empty PATH'}")
    try:
        return found, pack_launch((found, *argv[1:]), env, cwd, agents_descriptor_limit())
    except ValueError as error:
        raise SpawnFailed(str(error)) from None
