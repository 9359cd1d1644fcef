"""The calls of Windows that a job of agents takes, by ctypes. Has not run on Windows yet; tests give it a fake library.

Owns the translation of structures, handles and errors. It decides nothing. `process_windows` says when what is called.
"""

import ctypes
import sys
from collections.abc import Mapping
from typing import Any, Protocol

CREATE_SUSPENDED = 0x00000004
CREATE_NO_WINDOW = 0x08000000

_KILL_ON_JOB_CLOSE = 0x2000
_BASIC_ACCOUNTING = 1
_EXTENDED_LIMITS = 9
_QUERY_LIMITED = 0x1000


class Started(Protocol):
    """A process that was created suspended, with pipes that asyncio can read and write."""

    pid: int
    handle: int
    stdin: Any
    stdout: Any
    stderr: Any

    async def wait(self) -> int:
        """Its exit code, when it has ended."""
        ...


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class _Accounting(ctypes.Structure):
    _fields_ = (
        ("TotalUserTime", ctypes.c_int64),
        ("TotalKernelTime", ctypes.c_int64),
        ("ThisPeriodTotalUserTime", ctypes.c_int64),
        ("ThisPeriodTotalKernelTime", ctypes.c_int64),
        ("TotalPageFaultCount", ctypes.c_uint32),
        ("TotalProcesses", ctypes.c_uint32),
        ("ActiveProcesses", ctypes.c_uint32),
        ("TotalTerminatedProcesses", ctypes.c_uint32),
    )


class JobCalls:
    """Job objects over `kernel32` and `ntdll`. Each call raises OSError where the system refuses."""

    def __init__(self, kernel32: Any, ntdll: Any) -> None:
        self._kernel32 = kernel32
        self._ntdll = ntdll
        # handles are pointers: without a declared type the upper half of one would be lost
        for name in ("CreateJobObjectW", "OpenProcess"):
            getattr(kernel32, name).restype = ctypes.c_void_p

    def create_job(self) -> int:
        """A new job whose processes end when its last handle closes; returns the handle."""
        job = self._kernel32.CreateJobObjectW(None, None)
        self._check(job, "CreateJobObject")
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
        done = self._kernel32.SetInformationJobObject(
            ctypes.c_void_p(job), _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        if not done:
            self.close(job)
        self._check(done, "SetInformationJobObject")
        return int(job)

    def assign(self, job: int, process: int) -> None:
        """Put the process with this handle into the job."""
        done = self._kernel32.AssignProcessToJobObject(ctypes.c_void_p(job), ctypes.c_void_p(process))
        self._check(done, "AssignProcessToJobObject")

    def resume(self, process: int) -> None:
        """Let a process that was created suspended run."""
        status = self._ntdll.NtResumeProcess(ctypes.c_void_p(process))
        if status < 0:
            raise OSError(f"NtResumeProcess was refused ({status & 0xFFFFFFFF:#x})")

    def terminate(self, job: int) -> None:
        """End every process of the job."""
        self._check(self._kernel32.TerminateJobObject(ctypes.c_void_p(job), 1), "TerminateJobObject")

    def active(self, job: int) -> int:
        """How many of its processes live."""
        told = _Accounting()
        done = self._kernel32.QueryInformationJobObject(
            ctypes.c_void_p(job), _BASIC_ACCOUNTING, ctypes.byref(told), ctypes.sizeof(told), None
        )
        self._check(done, "QueryInformationJobObject")
        return int(told.ActiveProcesses)

    def kill(self, process: int) -> None:
        """End one process by its handle: for one that could not be put into its job."""
        self._kernel32.TerminateProcess(ctypes.c_void_p(process), 1)

    def close(self, handle: int) -> None:
        """Give a handle back; the last one of a job ends what still lives in it."""
        self._kernel32.CloseHandle(ctypes.c_void_p(handle))

    def created(self, pid: int) -> int:
        """When this process was created, in units of 100 ns since 1601; 0 when there is none that we may ask."""
        process = self._kernel32.OpenProcess(_QUERY_LIMITED, 0, pid)
        if not process:
            return 0
        times = [ctypes.c_uint64() for _ in range(4)]
        done = self._kernel32.GetProcessTimes(ctypes.c_void_p(process), *(ctypes.byref(each) for each in times))
        self.close(process)
        return int(times[0].value) if done else 0

    def _check(self, done: Any, call: str) -> None:
        if not done:
            raise OSError(f"{call} was refused (error {self._kernel32.GetLastError()})")


if sys.platform == "win32":
    import asyncio
    from asyncio import windows_utils

    class _Started(windows_utils.Popen[bytes]):
        handle: int

        async def wait(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  # the promise is ours
            loop: Any = asyncio.get_running_loop()
            await loop._proactor.wait_for_handle(self.handle)  # noqa: SLF001  # as asyncio's own subprocesses do
            return int(self.poll() or 0)

    class WindowsCalls(JobCalls):
        """The real libraries."""

        def __init__(self) -> None:
            super().__init__(ctypes.WinDLL("kernel32"), ctypes.WinDLL("ntdll"))

        def start(self, line: str, env: Mapping[str, str], cwd: str) -> Started:
            """Create the process, suspended, with no window and none of our handles but its three pipes."""
            flags = CREATE_SUSPENDED | CREATE_NO_WINDOW
            pipe = windows_utils.PIPE
            started: Any = _Started(
                line, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(env), cwd=cwd, creationflags=flags
            )
            started.handle = int(started._handle)  # noqa: SLF001  # there is no public way to it
            return started
