"""The system's calls that host and command line need on Windows, by ctypes and Python's `_winapi`.

They have not run on Windows. Owns the translation of structures, handles and errors: accounts and rights, folders that
are closed to others, the client's end of a pipe. It decides nothing. Libraries are injected, so that arguments, order
and errors are tested on any system.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ctypes import wintypes
from dataclasses import dataclass
from functools import cache
from typing import Any

from codeg.runtime.client_windows import Handle, PipeBusy
from codeg.runtime.peers import Process

TOKEN_QUERY = 0x8
TOKEN_USER = 1
PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
SDDL_REVISION = 1
FILE_OBJECT = 1
OWNER, RIGHTS, PROTECTED_RIGHTS = 0x1, 0x4, 0x8000_0000
SNAPSHOT_PROCESSES = 0x2
INVALID_HANDLE = ctypes.c_void_p(-1).value
OPEN_EXISTING = 3
IO_PENDING, ALREADY_EXISTS, PIPE_BUSY, WAIT_OVER = 997, 183, 231, 121
FOR_EVER_MS = 0xFFFF_FFFF
LOCKED_BYTE = 1 << 30
"""Locked bytes cannot be read by others on Windows; this one lies behind anything that is."""


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
    """`winapi` and `msvcrt` are Python's own modules.

    `last_error`: GetLastError of the ctypes calls; `error_of`: the exception for it; `wrap`: a handle for asyncio.
    """

    winapi: Any
    msvcrt: Any
    kernel32: Any
    advapi32: Any
    last_error: Callable[[], int]
    error_of: Callable[[int], OSError]
    wrap: Callable[[int], Any]

    def check(self, done: Any) -> None:
        """Raise what the system says when a call returned nothing."""
        if not done:
            raise self.error_of(self.last_error())


class Accounts:
    """Users as SIDs, and rights as SDDL."""

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries

    def user_sid(self) -> str:
        """SID of this process's user."""
        return self._sid_of_process(self._libraries.kernel32.GetCurrentProcess())

    def sid_of(self, pid: int) -> str:
        """SID of the user of that process."""
        kernel32 = self._libraries.kernel32
        process = kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, False, pid)
        self._libraries.check(process)
        try:
            return self._sid_of_process(process)
        finally:
            kernel32.CloseHandle(process)

    def text_of(self, sid: ctypes.c_void_p) -> str:
        """A SID as text."""
        text = wintypes.LPWSTR()
        self._libraries.check(self._libraries.advapi32.ConvertSidToStringSidW(sid, ctypes.byref(text)))
        try:
            return text.value or ""
        finally:
            self._libraries.kernel32.LocalFree(text)

    @contextmanager
    def attributes(self, sddl: str) -> Generator[SecurityAttributes]:
        """Rights for something new, valid inside the context."""
        descriptor = ctypes.c_void_p()
        self._libraries.check(
            self._libraries.advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(
                sddl, SDDL_REVISION, ctypes.byref(descriptor), None
            )
        )
        try:
            yield SecurityAttributes(ctypes.sizeof(SecurityAttributes), descriptor, False)
        finally:
            self._libraries.kernel32.LocalFree(descriptor)

    def _sid_of_process(self, process: Any) -> str:
        advapi32, kernel32 = self._libraries.advapi32, self._libraries.kernel32
        token = wintypes.HANDLE()
        self._libraries.check(advapi32.OpenProcessToken(process, TOKEN_QUERY, ctypes.byref(token)))
        try:
            size = wintypes.DWORD()
            advapi32.GetTokenInformation(token, TOKEN_USER, None, 0, ctypes.byref(size))
            buffer = ctypes.create_string_buffer(max(size.value, ctypes.sizeof(ctypes.c_void_p)))
            done = advapi32.GetTokenInformation(token, TOKEN_USER, buffer, len(buffer), ctypes.byref(size))
            self._libraries.check(done)
        finally:
            kernel32.CloseHandle(token)
        # TOKEN_USER begins with the pointer to the SID.
        return self.text_of(ctypes.c_void_p.from_buffer(buffer))


class WindowsFolders(Accounts):
    """Keeps `endpoint_windows.FolderSystem`."""

    def make_folder(self, path: str, sddl: str) -> None:
        """Make it, with its rights from its first instant. FileExistsError: something stands there."""
        with self.attributes(sddl) as attributes:
            if self._libraries.kernel32.CreateDirectoryW(path, ctypes.byref(attributes)):
                return
            code = self._libraries.last_error()
            raise FileExistsError(path) if code == ALREADY_EXISTS else self._libraries.error_of(code)

    def is_folder(self, path: str) -> bool:
        """A folder, and neither a link nor a junction."""
        found = os.lstat(path)
        reparse = getattr(found, "st_file_attributes", 0) & stat.FILE_ATTRIBUTE_REPARSE_POINT
        return stat.S_ISDIR(found.st_mode) and not reparse

    def owner_sid(self, path: str) -> str:
        """SID of its owner."""
        owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
        code = self._libraries.advapi32.GetNamedSecurityInfoW(
            path, FILE_OBJECT, OWNER, ctypes.byref(owner), None, None, None, ctypes.byref(descriptor)
        )
        if code:
            raise self._libraries.error_of(code)
        try:
            return self.text_of(owner)
        finally:
            self._libraries.kernel32.LocalFree(descriptor)

    def protect(self, path: str, sddl: str) -> None:
        """Give it these rights and none of the folder above."""
        with self.attributes(sddl) as attributes:
            what = RIGHTS | PROTECTED_RIGHTS
            self._libraries.check(self._libraries.advapi32.SetFileSecurityW(path, what, attributes.descriptor))

    def lock(self, descriptor: int) -> bool:
        """Lock an open file until it is closed or this process ends; False = another process has it."""
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            self._libraries.msvcrt.locking(descriptor, self._libraries.msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True


class WindowsDialer(Accounts):
    """Keeps `client_windows.PipeDialer`. Handles are plain numbers; I/O is overlapped, since a wait must end."""

    def open(self, name: str, access: int, flags: int) -> Handle:
        """Open an instance of the pipe."""
        try:
            return self._libraries.winapi.CreateFile(name, access, 0, 0, OPEN_EXISTING, flags, 0)
        except OSError as error:
            raise PipeBusy(*error.args) if _code(error) == PIPE_BUSY else error from None

    def wait(self, name: str, milliseconds: int) -> None:
        """Wait until an instance is free, or for that long."""
        try:
            self._libraries.winapi.WaitNamedPipe(name, milliseconds)
        except OSError as error:
            if _code(error) != WAIT_OVER:
                raise

    def server_sid(self, handle: Handle) -> str:
        """SID of the user whose process made the pipe."""
        pid = wintypes.ULONG()
        self._libraries.check(self._libraries.kernel32.GetNamedPipeServerProcessId(handle, ctypes.byref(pid)))
        return self.sid_of(pid.value)

    def read(self, handle: Handle, most: int, within_ms: int | None) -> bytes:
        """What is there, waited for; b"" when the other end has closed."""
        try:
            overlapped, error = self._libraries.winapi.ReadFile(handle, most, overlapped=True)
            count = self._finish(overlapped, error, within_ms)
        except BrokenPipeError:
            return b""
        return bytes(overlapped.getbuffer()[:count])

    def write(self, handle: Handle, data: bytes, within_ms: int | None) -> int:
        """How much of it was taken."""
        overlapped, error = self._libraries.winapi.WriteFile(handle, data, overlapped=True)
        return self._finish(overlapped, error, within_ms)

    def close(self, handle: Handle) -> None:
        """Give it back."""
        self._libraries.winapi.CloseHandle(handle)

    def _finish(self, overlapped: Any, error: int, within_ms: int | None) -> int:
        in_time = True
        if error == IO_PENDING:
            wait_ms = FOR_EVER_MS if within_ms is None else within_ms
            try:
                in_time = self._libraries.winapi.WaitForMultipleObjects([overlapped.event], False, wait_ms) == 0
            except BaseException:
                overlapped.cancel()
                overlapped.GetOverlappedResult(True)
                raise
            if not in_time:
                overlapped.cancel()
        # Waits for the cancelled operation, too: the system must be done with the buffer. It may have just succeeded.
        count, _ = overlapped.GetOverlappedResult(True)
        if not in_time and not count:
            raise TimeoutError
        return int(count)


def process_of(libraries: Libraries, pid: int) -> Process | None:
    """A process by its pid, for the walk to the agent above a peer. Start times are not told."""
    kernel32 = libraries.kernel32
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


def _code(error: OSError) -> int:
    """The system's own number of an error, which only Windows has."""
    return getattr(error, "winerror", 0) or 0


@cache
def libraries() -> Libraries:
    """The real ones.

    Raises:
        OSError: this is not Windows.
    """
    if sys.platform != "win32":
        raise OSError("Named pipes exist on Windows only.")
    import _winapi  # noqa: PLC0415  # Windows only
    import msvcrt  # noqa: PLC0415  # Windows only
    from asyncio.windows_utils import PipeHandle  # noqa: PLC0415  # Windows only

    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    advapi32 = ctypes.WinDLL("advapi32", use_last_error=True)
    pointer, word, text = ctypes.c_void_p, wintypes.DWORD, wintypes.LPCWSTR
    for name in ("GetCurrentProcess", "OpenProcess", "CreateToolhelp32Snapshot", "LocalFree"):
        getattr(kernel32, name).restype = pointer
    for library, name, arguments in (
        (kernel32, "OpenProcess", (word, wintypes.BOOL, word)),
        (kernel32, "CloseHandle", (pointer,)),
        (kernel32, "LocalFree", (pointer,)),
        (kernel32, "CreateDirectoryW", (text, pointer)),
        (kernel32, "GetNamedPipeClientProcessId", (pointer, pointer)),
        (kernel32, "GetNamedPipeServerProcessId", (pointer, pointer)),
        (kernel32, "Process32FirstW", (pointer, pointer)),
        (kernel32, "Process32NextW", (pointer, pointer)),
        (advapi32, "OpenProcessToken", (pointer, word, pointer)),
        (advapi32, "ConvertSidToStringSidW", (pointer, pointer)),
        (advapi32, "SetFileSecurityW", (text, word, pointer)),
    ):
        getattr(library, name).argtypes = arguments
    return Libraries(_winapi, msvcrt, kernel32, advapi32, ctypes.get_last_error, ctypes.WinError, PipeHandle)
