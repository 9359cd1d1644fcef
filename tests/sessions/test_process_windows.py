"""Agents in a job, on a fake of the system's calls: what is called in which order, and that the promise is kept."""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from codeg.sessions.process_types import Exit, SpawnFailed
from codeg.sessions.process_windows import Where, spawn_in_job
from codeg.sessions.windows_calls import JobCalls
from tests.fakes.processes import PATIENCE, agent, living, new_run

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="the fake is of POSIX")]

JOB = 77


class FakeStarted:
    """A real process, stopped at its start as a suspended one is."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.pid = process.pid
        self.handle = process.pid
        self.stdin: Any = process.stdin
        self.stdout: Any = process.stdout
        self.stderr: Any = process.stderr

    async def wait(self) -> int:
        while (code := self.process.poll()) is None:  # noqa: ASYNC110  # a fake of a handle that can be waited on
            await asyncio.sleep(0.005)
        return code


class FakeSystem:
    def __init__(self, argv: list[str], refuse: str = "") -> None:
        self.argv = argv
        self.refuse = refuse
        self.calls: list[str] = []
        self.lines: list[str] = []
        self.started: FakeStarted | None = None

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name == self.refuse:
            raise OSError(f"{name} was refused")

    def start(self, line: str, env: Mapping[str, str], cwd: str) -> FakeStarted:
        self._call("start")
        self.lines.append(line)
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            self.argv, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd, bufsize=0, start_new_session=True
        )
        os.kill(process.pid, signal.SIGSTOP)
        self.started = FakeStarted(process)
        return self.started

    def create_job(self) -> int:
        self._call("create_job")
        return JOB

    def assign(self, job: int, process: int) -> None:
        assert job == JOB
        self._call("assign")

    def resume(self, process: int) -> None:
        self._call("resume")
        os.kill(process, signal.SIGCONT)

    def terminate(self, job: int) -> None:
        self._call("terminate")
        assert self.started is not None
        os.killpg(self.started.pid, signal.SIGKILL)

    def active(self, job: int) -> int:
        if self.started is None:
            return 0
        try:
            self.started.process.poll()
            os.killpg(self.started.pid, 0)
        except ProcessLookupError:
            return 0
        return 1

    def kill(self, process: int) -> None:
        self._call("kill")
        os.kill(process, signal.SIGKILL)
        assert self.started is not None
        self.started.process.communicate(timeout=PATIENCE)

    def close(self, handle: int) -> None:
        assert handle == JOB
        self._call("close")

    def created(self, pid: int) -> int:
        return pid * 10


WHERE = Where(lambda path: path == r"C:\bin\mine.CMD")


def windows(env: dict[str, str]) -> dict[str, str]:
    return {**env, "Path": r"C:\bin", "SystemRoot": r"C:\Windows"}


async def test_the_agent_is_in_its_job_before_it_runs_and_its_bytes_are_moved() -> None:
    system = FakeSystem(agent("echo"))
    async with spawn_in_job(["mine", "a&b"], windows(new_run()), "/", system, WHERE) as process:
        assert system.calls == ["create_job", "start", "assign", "resume"]
        assert system.lines == [
            r'"C:\Windows\System32\cmd.exe" /e:ON /v:OFF /d /s /c ""C:\bin\mine.CMD" "a&b""',
        ]
        assert process.identity.agent_start == process.identity.agent_pid * 10
        assert process.identity.keeper_pid == os.getpid()
        with anyio.fail_after(PATIENCE):
            await process.send(b"hello")
            assert await process.receive() == b"hello"
            await process.close_stdin()
            assert await process.receive() == b""
            assert await process.wait_exit() == Exit(code=0)
            with pytest.raises(anyio.ClosedResourceError):
                await process.send(b"x")
    assert system.calls[4:] == ["close"], "a job that is empty is not terminated"


async def test_an_agent_that_stays_is_terminated_with_its_job_after_the_grace() -> None:
    env = new_run()
    system = FakeSystem(agent("stubborn"))
    async with spawn_in_job(["mine"], windows(env), "/", system, WHERE) as process:
        with anyio.fail_after(PATIENCE):
            assert await process.receive() == b"ready\n"
            await process.stop(grace_s=0.05)
            await process.stop()
    assert system.calls[4:] == ["terminate", "close"]
    if sys.platform == "linux":
        assert not living(env)


async def test_a_descendant_that_holds_the_pipes_delays_neither_exit_nor_end_of_output() -> None:
    async with spawn_in_job(["mine"], windows(new_run()), "/", FakeSystem(agent("holder")), WHERE) as process:
        with anyio.fail_after(PATIENCE):
            assert await process.receive() == b"ready\n"
            await process.send(b"\n")
            assert await process.wait_exit() == Exit(code=3)
            assert await process.receive() == b"last answer\n"
            assert await process.receive() == b""
            assert process.stderr_tail() == ("last words",)
            await process.stop(grace_s=0.0)


async def test_stderr_is_drained() -> None:
    system = FakeSystem(agent("flood", str(2 << 20), "lines"))
    async with spawn_in_job(["mine"], windows(new_run()), "/", system, WHERE) as process:
        with anyio.fail_after(PATIENCE):
            assert await process.receive() == b"OK\n"


async def test_what_the_body_raises_and_a_cancellation_come_out_as_they_were() -> None:
    with pytest.raises(ZeroDivisionError):
        async with spawn_in_job(["mine"], windows(new_run()), "/", FakeSystem(agent("echo")), WHERE):
            raise ZeroDivisionError
    system = FakeSystem(agent("echo"))
    with anyio.CancelScope() as scope:
        async with spawn_in_job(["mine"], windows(new_run()), "/", system, WHERE):
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert system.calls[-1] == "close"


@pytest.mark.parametrize(
    ("refuse", "calls"),
    [
        ("create_job", ["create_job"]),
        ("start", ["create_job", "start", "close"]),
        ("assign", ["create_job", "start", "assign", "kill", "close"]),
        ("resume", ["create_job", "start", "assign", "resume", "kill", "close"]),
    ],
)
async def test_a_call_that_is_refused_leaves_nothing(refuse: str, calls: list[str]) -> None:
    system = FakeSystem(agent("echo"), refuse)
    with pytest.raises(SpawnFailed, match=f"mine cannot be started: {refuse} was refused"):
        async with spawn_in_job(["mine"], windows(new_run()), "/", system, WHERE):
            pass
    assert system.calls == calls


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        ([], r"no program was not found in C:\\bin"),
        (["absent"], r"absent was not found in C:\\bin"),
        (["mine", "a\nb"], "holds a line break"),
    ],
)
async def test_what_cannot_be_started_is_said(argv: list[str], why: str) -> None:
    system = FakeSystem(agent("echo"))
    with pytest.raises(SpawnFailed, match=why):
        async with spawn_in_job(argv, windows(new_run()), "/", system, WHERE):
            pass
    assert system.calls == []


class Call:
    """One function of a library: notes its arguments, answers what it is told to."""

    def __init__(self, name: str, log: list[tuple[Any, ...]], answers: dict[str, Any]) -> None:
        self.restype: Any = None
        self._name = name
        self._log = log
        self._answers = answers

    def __call__(self, *arguments: Any) -> Any:
        self._log.append((self._name, *(getattr(each, "value", each) for each in arguments)))
        answer = self._answers.get(self._name, 1)
        return answer(*arguments) if callable(answer) else answer


class Library:
    def __init__(self, **answers: Any) -> None:
        self.log: list[tuple[Any, ...]] = []
        self._answers = answers
        self._functions: dict[str, Call] = {}

    def __getattr__(self, name: str) -> Call:
        return self._functions.setdefault(name, Call(name, self.log, self._answers))


BIG = 0x7FFF_1234_5678


def test_a_job_is_made_to_end_with_its_last_handle() -> None:
    flags: list[int] = []

    def set_information(_job: Any, kind: int, limits: Any, size: int) -> int:
        flags.extend((kind, limits._obj.BasicLimitInformation.LimitFlags, size))
        return 1

    kernel32 = Library(CreateJobObjectW=BIG, SetInformationJobObject=set_information)
    assert JobCalls(kernel32, Library()).create_job() == BIG
    assert kernel32.CreateJobObjectW.restype is ctypes.c_void_p
    size = 144 if ctypes.sizeof(ctypes.c_void_p) == 8 else 112
    assert flags == [9, 0x2000, size]


def test_handles_are_passed_in_full_and_numbers_come_back() -> None:
    def query(_job: Any, kind: int, told: Any, size: int, _none: None) -> int:
        assert (kind, size) == (1, 48)
        told._obj.ActiveProcesses = 3
        return 1

    def times(_process: Any, created: Any, *_: Any) -> int:
        created._obj.value = 1234
        return 1

    kernel32 = Library(QueryInformationJobObject=query, OpenProcess=BIG, GetProcessTimes=times)
    ntdll = Library(NtResumeProcess=0)
    calls = JobCalls(kernel32, ntdll)
    calls.assign(BIG, BIG + 1)
    calls.resume(BIG)
    calls.terminate(BIG)
    calls.kill(BIG)
    assert calls.active(BIG) == 3
    assert calls.created(4) == 1234
    assert ("AssignProcessToJobObject", BIG, BIG + 1) in kernel32.log
    assert ("TerminateJobObject", BIG, 1) in kernel32.log
    assert kernel32.log[-1] == ("CloseHandle", BIG)
    assert ntdll.log == [("NtResumeProcess", BIG)]


def test_a_refusal_of_the_system_is_an_error_and_nothing_is_kept() -> None:
    kernel32 = Library(
        CreateJobObjectW=BIG,
        SetInformationJobObject=0,
        AssignProcessToJobObject=0,
        TerminateJobObject=0,
        QueryInformationJobObject=0,
        OpenProcess=None,
        GetLastError=5,
    )
    calls = JobCalls(kernel32, Library(NtResumeProcess=-1073741790))
    with pytest.raises(OSError, match="SetInformationJobObject was refused"):
        calls.create_job()
    assert ("CloseHandle", BIG) in kernel32.log
    for call in (lambda: calls.assign(1, 2), lambda: calls.terminate(1), lambda: calls.active(1)):
        with pytest.raises(OSError, match=r"was refused \(error 5\)"):
            call()
    with pytest.raises(OSError, match="0xc0000022"):
        calls.resume(1)
    assert calls.created(4) == 0
