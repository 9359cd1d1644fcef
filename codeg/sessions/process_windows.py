"""Agents on Windows: a job object in the keeper's place (contract 7, B47).

Owns the job and the agent's pipes. The agent is created suspended, put into a job that ends with its last handle, and
only then let run, so that no descendant can be outside; the handle is the host's alone, so the death of the host ends
the job too. Windows has no TERM: after the grace for the end of stdin the job is terminated. It has not run on Windows
yet: its tests drive it with a fake of the system's calls.
"""

import asyncio
import contextlib
import ntpath
import os
from asyncio.streams import FlowControlMixin
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

import anyio
import anyio.lowlevel

from codeg.sessions.once import Once
from codeg.sessions.process_types import AgentProcess, Exit, SpawnFailed
from codeg.sessions.stderr_tail import StderrTail
from codeg.sessions.types import ProcessStarted
from codeg.sessions.windows_calls import Started
from codeg.sessions.windows_command import command_line, find_program_windows

STOP_S = 4.5
_LOOK_S = 0.02
_REST_S = 0.2
_PIECE = 64 * 1024


class JobSystem(Protocol):
    """What a job needs of the system; see `windows_calls`."""

    def start(self, line: str, env: Mapping[str, str], cwd: str) -> Started:
        """Create the process suspended."""
        ...

    def create_job(self) -> int:
        """A job that ends with its last handle."""
        ...

    def assign(self, job: int, process: int) -> None:
        """Put a process into it."""
        ...

    def resume(self, process: int) -> None:
        """Let it run."""
        ...

    def terminate(self, job: int) -> None:
        """End all of the job."""
        ...

    def active(self, job: int) -> int:
        """How many live."""
        ...

    def kill(self, process: int) -> None:
        """End one."""
        ...

    def close(self, handle: int) -> None:
        """Give a handle back."""
        ...

    def created(self, pid: int) -> int:
        """Creation time."""
        ...


class JobProcess:
    """An agent in a job. Made by `spawn_in_job` alone; see `AgentProcess` for the promise."""

    def __init__(self, started: Started, job: int, system: JobSystem) -> None:
        self._started = started
        self._job = job
        self._system = system
        # the host stands in the keeper's place: the job ends with it
        self._identity = ProcessStarted(
            "windows", os.getpid(), system.created(os.getpid()), started.pid, system.created(started.pid)
        )
        self._stdin: asyncio.StreamWriter | None = None
        self._stdout = asyncio.StreamReader()
        self._stderr = asyncio.StreamReader()
        self._transports: list[asyncio.BaseTransport] = []
        self._tail = StderrTail()
        self._exit: Exit | None = None
        self._exited = anyio.Event()
        self._receiving: anyio.CancelScope | None = None
        self._sending = anyio.Lock()
        self._watching = anyio.CancelScope(shield=True)
        self._draining = anyio.CancelScope(shield=True)
        self._stderr_ended = anyio.Event()
        self._connected = False
        self._stop = Once()

    @property
    def identity(self) -> ProcessStarted:
        """Pid and creation time of the agent, and of the host in the keeper's place."""
        return self._identity

    async def connect(self) -> None:
        """Take the pipes over."""
        loop = asyncio.get_running_loop()
        for pipe, reader in ((self._started.stdout, self._stdout), (self._started.stderr, self._stderr)):
            transport, _ = await loop.connect_read_pipe(_protocol(reader), pipe)
            self._transports.append(transport)
        transport, protocol = await loop.connect_write_pipe(FlowControlMixin, self._started.stdin)
        self._transports.append(transport)
        self._stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        self._connected = True

    async def send(self, data: bytes) -> None:
        """See `AgentProcess.send`."""
        await anyio.lowlevel.checkpoint()
        async with self._sending:
            if self._stdin is None:
                raise anyio.ClosedResourceError
            try:
                await self._stdin.drain()
                self._stdin.write(data)
                await self._stdin.drain()
            except OSError as error:
                raise anyio.BrokenResourceError from error

    async def receive(self) -> bytes:
        """See `AgentProcess.receive`."""
        await anyio.lowlevel.checkpoint()
        with anyio.CancelScope() as scope:
            self._receiving = scope
            self._limit_receive()
            try:
                return await self._stdout.read(_PIECE)
            except OSError:
                return b""
            finally:
                self._receiving = None
        return b""

    def _limit_receive(self) -> None:
        if self._exit is not None and self._receiving is not None:
            self._receiving.deadline = anyio.current_time() + _REST_S

    async def close_stdin(self) -> None:
        """See `AgentProcess.close_stdin`."""
        self._end_stdin()
        await anyio.lowlevel.checkpoint()

    def _end_stdin(self) -> None:
        if self._stdin is not None:
            self._stdin.close()
            self._stdin = None

    def stderr_tail(self) -> tuple[str, ...]:
        """See `AgentProcess.stderr_tail`."""
        return self._tail.lines()

    async def wait_exit(self) -> Exit:
        """See `AgentProcess.wait_exit`."""
        await self._exited.wait()
        return self._exit or Exit()

    async def stop(self, grace_s: float = 1.0) -> None:
        """See `AgentProcess.stop`."""
        await self._stop.do(lambda: self._end(min(max(grace_s, 0.0), 2.0)))

    async def _end(self, grace_s: float) -> None:
        with anyio.move_on_after(STOP_S):
            self._end_stdin()
            with anyio.move_on_after(grace_s):
                await self._empty()
            if self._system.active(self._job):
                self._system.terminate(self._job)
                await self._empty()
            if self._connected:
                await self._exited.wait()

    async def _empty(self) -> None:
        while self._system.active(self._job):  # noqa: ASYNC110  # asyncio cannot wait on a job
            await anyio.sleep(_LOOK_S)

    async def watch(self) -> None:
        """Note the agent's end. Runs on through cancellation; `close` ends it."""
        with self._watching:
            code = await self._started.wait()
            with anyio.move_on_after(_REST_S):
                await self._stderr_ended.wait()
            self._exit = Exit(code=code)
            self._exited.set()
            self._limit_receive()

    async def drain_stderr(self) -> None:
        """Read stderr until its end (B35). Runs on through cancellation; `close` ends it."""
        with self._draining, contextlib.suppress(OSError):
            while piece := await self._stderr.read(_PIECE):
                self._tail.feed(piece)
        self._stderr_ended.set()

    async def close(self) -> None:
        """Close job and pipes. After `stop`."""
        self._watching.cancel()
        self._draining.cancel()
        self._system.close(self._job)
        for transport in self._transports:
            transport.close()
        with anyio.CancelScope(shield=True):
            await anyio.lowlevel.checkpoint()


def _protocol(reader: asyncio.StreamReader) -> Callable[[], asyncio.StreamReaderProtocol]:
    return lambda: asyncio.StreamReaderProtocol(reader)


def _start(argv: Sequence[str], env: Mapping[str, str], cwd: str, system: JobSystem, where: "Where") -> JobProcess:
    line = where.line(argv, env)
    job = 0
    try:
        job = system.create_job()
        started = system.start(line, env, cwd)
        try:
            system.assign(job, started.handle)
            system.resume(started.handle)
        except OSError:
            system.kill(started.handle)  # it has never run
            raise
    except OSError as error:
        if job:
            system.close(job)
        raise SpawnFailed(f"{argv[0]} cannot be started: {error.strerror or error}") from error
    return JobProcess(started, job, system)


class Where:
    """How a program is found. Replaced in tests, which have another file system."""

    def __init__(self, is_file: Callable[[str], bool] = os.path.isfile) -> None:
        self._is_file = is_file

    def line(self, argv: Sequence[str], env: Mapping[str, str]) -> str:
        """The command line of `argv`; names in `env` are matched without regard to case, as Windows does.

        Raises:
            SpawnFailed: there is no such program, or it cannot be given these arguments.
        """
        names = {name.upper(): value for name, value in env.items()}
        program = argv[0] if argv else ""
        found = find_program_windows(program, names.get("PATH", ""), names.get("PATHEXT", ""), self._is_file)
        if found is None:
            raise SpawnFailed(f"{program or 'no program'} was not found in {names.get('PATH', 'an empty PATH')}")
        cmd_exe = ntpath.join(names.get("SYSTEMROOT", "C:\\Windows"), "System32", "cmd.exe")
        try:
            return command_line(found, argv[1:], cmd_exe)
        except ValueError as error:
            raise SpawnFailed(str(error)) from None


@asynccontextmanager
async def spawn_in_job(
    argv: Sequence[str], env: Mapping[str, str], cwd: str, system: JobSystem, where: Where | None = None
) -> AsyncGenerator[AgentProcess]:
    """`spawn_agent` for Windows: the same promise.

    Raises:
        SpawnFailed: on entering: it could not be started.
    """
    agent = _start(argv, env, cwd, system, where or Where())
    failure: Exception | None = None
    async with anyio.create_task_group() as readers:
        try:
            await agent.connect()
            readers.start_soon(agent.watch)
            readers.start_soon(agent.drain_stderr)
            yield agent
        except Exception as error:  # noqa: BLE001  # raised again below: it must not come out wrapped in a group
            failure = error
        finally:
            await agent.stop()
            await agent.close()
    if failure is not None:
        raise failure
