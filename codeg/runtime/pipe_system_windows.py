"""The system's calls for named pipes on Windows, behind `pipe_windows.PipeSystem`. It has not run on Windows.

Owns the ctypes around four libraries' functions and asyncio's undocumented but stable pipe transports. It decides
nothing. Libraries and loop are injected, so that arguments, order and errors are tested on any system.
"""

import asyncio
import ctypes
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ctypes import wintypes
from dataclasses import dataclass
from typing import Any

from codeg.runtime.peers import Process
from codeg.runtime.pipe_windows import Handle, PipeOrder

TOKEN_QUERY = 0x8
TOKEN_USER = 1
PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
SDDL_REVISION = 1
SNAPSHOT_PROCESSES = 0x2
INVALID_HANDLE = ctypes.c_void_p(-1).value


class SecurityAttributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES; handles made with it are not inherited."""

    _fields_ = (("length", wintypes.DWORD), ("descriptor", ctypes.c_void_p), ("inherit", wintypes.BOOL))


class ProcessEntry(ctypes.Structure):
    """PROCESSENTRY32W."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("usage", wintypes.DWORD),
        ("pid", wintypes.DWORD),
        ("heap", ctypes.c_void_p),
        ("module", wintypes.DWORD),
        ("threads", wintypes.DWORD),
        ("parent", wintypes.DWORD),
        ("priority", wintypes.LONG),
        ("flags", wintypes.DWORD),
        ("file", wintypes.WCHAR * 260),
    )


@dataclass(frozen=True, slots=True)
class Libraries:
    """`winapi` is Python's own `_winapi`.

    `last_error`: GetLastError of the ctypes calls; `error_of`: the exception for it; `wrap`: a handle for asyncio.
    """

    winapi: Any
    kernel32: Any
    advapi32: Any
    last_error: Callable[[], int]
    error_of: Callable[[int], OSError]
    wrap: Callable[[int], Any]


class WindowsPipes:
    """Keeps `PipeSystem`. `loop`: a ProactorEventLoop."""

    def __init__(self, libraries: Libraries, loop: Any) -> None:
        self._libraries = libraries
        self._loop = loop

    def user_sid(self) -> str:
        """SID of this process's user."""
        return self._sid_of_process(self._libraries.kernel32.GetCurrentProcess())

    def create(self, order: PipeOrder) -> Handle:
        """Make one instance, with its rights from its first instant."""
        with self._descriptor(order.sddl) as descriptor:
            attributes = SecurityAttributes(ctypes.sizeof(SecurityAttributes), descriptor, False)
            made = self._libraries.winapi.CreateNamedPipe(
                order.name,
                order.open_mode,
                order.pipe_mode,
                order.instances,
                order.buffer_bytes,
                order.buffer_bytes,
                0,
                ctypes.addressof(attributes),
            )
        return self._libraries.wrap(made)

    def connected(self, handle: Handle) -> "asyncio.Future[Any]":
        """Wait for a client by an overlapped ConnectNamedPipe."""
        return self._loop._proactor.accept_pipe(handle)  # noqa: SLF001  # asyncio has no public way

    def client(self, handle: Handle) -> tuple[int, str]:
        """Pid and user SID of the client."""
        pid = wintypes.ULONG()
        self._check(self._libraries.kernel32.GetNamedPipeClientProcessId(handle.handle, ctypes.byref(pid)))
        process = self._libraries.kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, False, pid.value)
        self._check(process)
        try:
            return pid.value, self._sid_of_process(process)
        finally:
            self._libraries.kernel32.CloseHandle(process)

    def carry(self, handle: Handle, protocol: asyncio.Protocol) -> None:
        """Hand it to asyncio's duplex pipe transport."""
        self._loop._make_duplex_pipe_transport(handle, protocol, extra={})  # noqa: SLF001  # as above

    def close(self, handle: Handle) -> None:
        """Close an instance that asyncio does not carry."""
        handle.close()

    def process(self, pid: int) -> Process | None:
        """A process by its pid, for the walk to the agent above a peer. Start times are not told."""
        kernel32 = self._libraries.kernel32
        snapshot = kernel32.CreateToolhelp32Snapshot(SNAPSHOT_PROCESSES, 0)
        if snapshot in (None, 0, INVALID_HANDLE):
            return None
        try:
            entry = ProcessEntry()
            entry.size = ctypes.sizeof(ProcessEntry)
            more = kernel32.Process32FirstW(snapshot, ctypes.byref(entry))
            while more:
                if entry.pid == pid:
                    return Process(int(entry.parent), None)
                more = kernel32.Process32NextW(snapshot, ctypes.byref(entry))
        finally:
            kernel32.CloseHandle(snapshot)
        return None

    # ---- inside

    @contextmanager
    def _descriptor(self, sddl: str) -> Generator[Any]:
        descriptor = ctypes.c_void_p()
        self._check(
            self._libraries.advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(
                sddl, SDDL_REVISION, ctypes.byref(descriptor), None
            )
        )
        try:
            yield descriptor
        finally:
            self._libraries.kernel32.LocalFree(descriptor)

    def _sid_of_process(self, process: Any) -> str:
        advapi32, kernel32 = self._libraries.advapi32, self._libraries.kernel32
        token = wintypes.HANDLE()
        self._check(advapi32.OpenProcessToken(process, TOKEN_QUERY, ctypes.byref(token)))
        try:
            size = wintypes.DWORD()
            advapi32.GetTokenInformation(token, TOKEN_USER, None, 0, ctypes.byref(size))
            buffer = ctypes.create_string_buffer(max(size.value, ctypes.sizeof(ctypes.c_void_p)))
            self._check(advapi32.GetTokenInformation(token, TOKEN_USER, buffer, len(buffer), ctypes.byref(size)))
        finally:
            kernel32.CloseHandle(token)
        # TOKEN_USER begins with the pointer to the SID.
        sid = ctypes.c_void_p.from_buffer(buffer)
        text = wintypes.LPWSTR()
        self._check(advapi32.ConvertSidToStringSidW(sid, ctypes.byref(text)))
        try:
            return text.value or ""
        finally:
            kernel32.LocalFree(text)

    def _check(self, done: Any) -> None:
        """Raise what the system says when a call returned nothing."""
        if not done:
            raise self._libraries.error_of(self._libraries.last_error())


def windows_pipes(loop: asyncio.AbstractEventLoop) -> WindowsPipes:
    """The real ones.

    Raises:
        OSError: this is not Windows.
    """
    if sys.platform != "win32":
        raise OSError("Named pipes exist on Windows only.")
    import _winapi  # noqa: PLC0415  # Windows only
    from asyncio.windows_utils import PipeHandle  # noqa: PLC0415  # Windows only

    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    advapi32 = ctypes.WinDLL("advapi32", use_last_error=True)
    for name in ("GetCurrentProcess", "OpenProcess", "CreateToolhelp32Snapshot", "LocalFree"):
        getattr(kernel32, name).restype = ctypes.c_void_p
    for library, name, arguments in (
        (kernel32, "OpenProcess", (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)),
        (kernel32, "CloseHandle", (ctypes.c_void_p,)),
        (kernel32, "LocalFree", (ctypes.c_void_p,)),
        (kernel32, "GetNamedPipeClientProcessId", (ctypes.c_void_p, ctypes.c_void_p)),
        (kernel32, "Process32FirstW", (ctypes.c_void_p, ctypes.c_void_p)),
        (kernel32, "Process32NextW", (ctypes.c_void_p, ctypes.c_void_p)),
        (advapi32, "OpenProcessToken", (ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p)),
    ):
        getattr(library, name).argtypes = arguments
    return WindowsPipes(
        Libraries(_winapi, kernel32, advapi32, ctypes.get_last_error, ctypes.WinError, PipeHandle), loop
    )
