"""The system's calls on Windows, over libraries that write down what they are asked: arguments, order, errors."""

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from codeg.runtime.client_windows import FLAGS, GENERIC_READ_WRITE, PipeBusy
from codeg.runtime.peers import Process
from codeg.runtime.pipe_system_windows import WindowsPipes, windows_pipes
from codeg.runtime.pipe_windows import PipeOrder
from codeg.runtime.system_windows import (
    LOCKED_BYTE,
    Libraries,
    ProcessEntry,
    WindowsDialer,
    WindowsFolders,
    process_of,
)

pytestmark = pytest.mark.anyio


class Calls:
    """The libraries, each call written down; `results` by name, else 1."""

    def __init__(self, **results: Any) -> None:
        self.made: list[tuple[str, tuple[Any, ...]]] = []
        self.results = results
        self.code = 5

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.made.append((name, arguments))
            result = self.results.get(name, 1)
            return result(*arguments) if callable(result) else result

        return call

    def names(self) -> list[str]:
        return [name for name, _ in self.made]

    def pipes(self, loop: Any = None) -> WindowsPipes:
        def wrap(handle: int) -> Any:
            return SimpleNamespace(handle=handle)

        return WindowsPipes(self.libraries(wrap), loop)

    def libraries(self, wrap: Callable[[int], Any] = lambda handle: handle) -> Libraries:
        return Libraries(self, self, self, self, lambda: self.code, self._error, wrap)

    def _error(self, code: int) -> OSError:
        return PermissionError(code, "access is denied")


def pid_of(_: Any, pid: Any) -> int:
    pid._obj.value = 4_242
    return 1


def sid_text(_: Any, text: Any) -> int:
    text._obj.value = "S-1-5-9"
    return 1


def test_an_instance_is_made_with_its_rights_from_its_first_instant() -> None:
    calls = Calls(CreateNamedPipe=77)
    made = calls.pipes().create(PipeOrder("name", 1, 2, "D:P"))
    assert made.handle == 77
    assert calls.names() == ["ConvertStringSecurityDescriptorToSecurityDescriptorW", "CreateNamedPipe", "LocalFree"]
    assert calls.made[0][1][:2] == ("D:P", 1)
    arguments = calls.made[1][1]
    assert arguments[:7] == ("name", 1, 2, 255, 65_536, 65_536, 0)
    assert isinstance(arguments[7], int)
    assert arguments[7] != 0


def test_a_failed_create_still_frees_its_descriptor() -> None:
    def fail(*_: Any) -> int:
        raise PermissionError(5, "access is denied")

    calls = Calls(CreateNamedPipe=fail)
    with pytest.raises(PermissionError):
        calls.pipes().create(PipeOrder("name", 1, 2, "D:P"))
    assert calls.names()[-1] == "LocalFree"


def test_rights_that_the_system_does_not_understand_are_an_error() -> None:
    calls = Calls(ConvertStringSecurityDescriptorToSecurityDescriptorW=0)
    with pytest.raises(PermissionError):
        calls.pipes().create(PipeOrder("name", 1, 2, "nonsense"))
    assert "CreateNamedPipe" not in calls.names()


def test_a_client_is_known_by_pid_and_user_and_every_handle_is_closed() -> None:
    calls = Calls(GetNamedPipeClientProcessId=pid_of, ConvertSidToStringSidW=sid_text, OpenProcess=9)
    assert calls.pipes().client(SimpleNamespace(handle=1)) == (4_242, "S-1-5-9")
    opened_process = next(arguments for name, arguments in calls.made if name == "OpenProcess")
    assert opened_process == (0x1000, False, 4_242)
    assert calls.names().count("CloseHandle") == 2
    assert calls.names().count("LocalFree") == 1


def test_a_client_that_went_is_an_error() -> None:
    with pytest.raises(PermissionError):
        Calls(GetNamedPipeClientProcessId=0).pipes().client(SimpleNamespace(handle=1))


def test_a_process_is_found_in_the_systems_list() -> None:
    listed = iter([(4, 0), (42, 17)])

    def entry_of(_: Any, entry: Any) -> int:
        found = next(listed, None)
        if found is None:
            return 0
        shown: ProcessEntry = entry._obj
        shown.pid, shown.parent = found
        return 1

    calls = Calls(Process32FirstW=entry_of, Process32NextW=entry_of)
    assert process_of(calls.libraries(), 42) == Process(17, None)
    assert calls.names()[-1] == "CloseHandle"
    assert process_of(Calls(Process32FirstW=0).libraries(), 42) is None
    assert process_of(Calls(CreateToolhelp32Snapshot=0).libraries(), 42) is None


async def test_waiting_and_carrying_are_asyncios() -> None:
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    proactor, handle, protocol = Calls(accept_pipe=future), SimpleNamespace(), asyncio.Protocol()
    made: list[Any] = []

    def make(*arguments: Any, **named: Any) -> None:
        made.append((arguments, named))

    pipes = Calls().pipes(SimpleNamespace(_proactor=proactor, _make_duplex_pipe_transport=make))
    assert pipes.connected(handle) is future
    pipes.carry(handle, protocol)
    assert made == [((handle, protocol), {"extra": {}})]


def test_elsewhere_than_on_windows_there_are_no_pipes() -> None:
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(OSError, match="Windows only"):
            windows_pipes(loop)
    finally:
        loop.close()


# ---- folders


def test_a_folder_is_made_with_its_rights_from_its_first_instant_and_one_that_is_there_is_told() -> None:
    calls = Calls()
    WindowsFolders(calls.libraries()).make_folder("C:\\x", "D:P")
    assert calls.names() == ["ConvertStringSecurityDescriptorToSecurityDescriptorW", "CreateDirectoryW", "LocalFree"]
    assert calls.made[1][1][0] == "C:\\x"
    there = Calls(CreateDirectoryW=0)
    there.code = 183
    with pytest.raises(FileExistsError):
        WindowsFolders(there.libraries()).make_folder("C:\\x", "D:P")
    with pytest.raises(PermissionError):
        WindowsFolders(Calls(CreateDirectoryW=0).libraries()).make_folder("C:\\x", "D:P")


def test_a_folders_owner_is_asked_and_its_rights_are_set() -> None:
    calls = Calls(GetNamedSecurityInfoW=0, ConvertSidToStringSidW=sid_text)
    assert WindowsFolders(calls.libraries()).owner_sid("C:\\x") == "S-1-5-9"
    assert calls.made[0][1][:3] == ("C:\\x", 1, 0x1)
    assert calls.names().count("LocalFree") == 2
    with pytest.raises(PermissionError):
        WindowsFolders(Calls(GetNamedSecurityInfoW=5).libraries()).owner_sid("C:\\x")
    calls = Calls()
    WindowsFolders(calls.libraries()).protect("C:\\x", "D:P")
    assert calls.made[1][0] == "SetFileSecurityW"
    assert calls.made[1][1][:2] == ("C:\\x", 0x8000_0004)


def test_a_link_or_junction_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = WindowsFolders(Calls().libraries())
    (tmp_path / "file").touch()
    assert folders.is_folder(str(tmp_path))
    assert not folders.is_folder(str(tmp_path / "file"))
    junction = SimpleNamespace(st_mode=stat.S_IFDIR, st_file_attributes=stat.FILE_ATTRIBUTE_REPARSE_POINT)
    monkeypatch.setattr(os, "lstat", Calls(lstat=junction).lstat)
    assert not folders.is_folder(str(tmp_path))


def test_a_lock_is_on_a_byte_that_nobody_reads(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("wb") as file:
        calls = Calls(LK_NBLCK=2)
        assert WindowsFolders(calls.libraries()).lock(file.fileno())
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == LOCKED_BYTE
        assert calls.made[0][0] == "locking"
        assert calls.made[0][1][::2] == (file.fileno(), 1)
        assert not WindowsFolders(Calls(locking=refuse(PermissionError(13, "locked"))).libraries()).lock(file.fileno())


# ---- the client's end of a pipe


class Overlapped:
    """One operation of the system: `count` bytes once it is done."""

    def __init__(self, count: int = 0, data: bytes = b"") -> None:
        self.event = 7
        self.count = count
        self.data = data
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def GetOverlappedResult(self, wait: bool) -> tuple[int, int]:  # noqa: N802  # the system's name
        assert wait
        return self.count, 0

    def getbuffer(self) -> bytes:
        return self.data


def refuse(error: Exception) -> Callable[..., Any]:
    def call(*_: Any) -> Any:
        raise error

    return call


class Winapi(Calls):
    """`_winapi`, whose reads and writes take a keyword."""

    def __init__(self, operation: Overlapped, error: int = 997, **results: Any) -> None:
        super().__init__(WaitForMultipleObjects=0, **results)
        self.operation = operation
        self.error = error

    def ReadFile(self, handle: int, most: int, overlapped: bool) -> tuple[Overlapped, int]:  # noqa: N802  # as above
        self.made.append(("ReadFile", (handle, most, overlapped)))
        return self.operation, self.error

    def WriteFile(self, handle: int, data: bytes, overlapped: bool) -> tuple[Overlapped, int]:  # noqa: N802  # as above
        self.made.append(("WriteFile", (handle, data, overlapped)))
        return self.operation, self.error


def with_code(code: int) -> OSError:
    error = OSError(22, "as the system says")
    error.winerror = code  # type: ignore[attr-defined]
    return error


def test_a_pipe_is_opened_without_letting_its_server_act_in_our_name() -> None:
    calls = Calls(CreateFile=9)
    assert WindowsDialer(calls.libraries()).open("name", GENERIC_READ_WRITE, FLAGS) == 9
    assert calls.made == [("CreateFile", ("name", 0xC000_0000, 0, 0, 3, 0x4011_0000, 0))]


def test_a_busy_pipe_is_told_apart_and_waited_for() -> None:
    with pytest.raises(PipeBusy):
        WindowsDialer(Calls(CreateFile=refuse(with_code(231))).libraries()).open("name", 1, 2)
    with pytest.raises(FileNotFoundError):
        WindowsDialer(Calls(CreateFile=refuse(FileNotFoundError())).libraries()).open("name", 1, 2)
    calls = Calls(WaitNamedPipe=refuse(with_code(121)))
    WindowsDialer(calls.libraries()).wait("name", 40)
    assert calls.made == [("WaitNamedPipe", ("name", 40))]
    with pytest.raises(OSError, match="as the system says"):
        WindowsDialer(Calls(WaitNamedPipe=refuse(with_code(2))).libraries()).wait("name", 40)


def test_a_servers_user_is_known_by_its_pid() -> None:
    calls = Calls(GetNamedPipeServerProcessId=pid_of, ConvertSidToStringSidW=sid_text, OpenProcess=9)
    assert WindowsDialer(calls.libraries()).server_sid(1) == "S-1-5-9"
    assert ("OpenProcess", (0x1000, False, 4_242)) in calls.made


@pytest.mark.parametrize("error", [0, 997])
def test_bytes_are_read_and_written_with_overlapped_calls(error: int) -> None:
    calls = Winapi(Overlapped(3, b"abcdef"), error)
    dialer = WindowsDialer(calls.libraries())
    assert dialer.read(1, 6, 500) == b"abc"
    assert dialer.write(1, b"xyz", None) == 3
    waits = [arguments for name, arguments in calls.made if name == "WaitForMultipleObjects"]
    assert waits == ([([7], False, 500), ([7], False, 0xFFFF_FFFF)] if error else [])


def test_an_operation_that_takes_too_long_is_cancelled_unless_it_just_succeeded() -> None:
    late = Winapi(Overlapped(0))
    late.results["WaitForMultipleObjects"] = 258
    with pytest.raises(TimeoutError):
        WindowsDialer(late.libraries()).read(1, 6, 500)
    assert late.operation.cancelled
    just = Winapi(Overlapped(2, b"ab"))
    just.results["WaitForMultipleObjects"] = 258
    assert WindowsDialer(just.libraries()).read(1, 6, 500) == b"ab"


def test_an_interrupted_wait_leaves_no_operation_behind() -> None:
    calls = Winapi(Overlapped(0))
    calls.results["WaitForMultipleObjects"] = refuse(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        WindowsDialer(calls.libraries()).write(1, b"x", None)
    assert calls.operation.cancelled


def test_the_end_of_the_other_side_is_the_end_of_the_bytes() -> None:
    calls = Winapi(Overlapped(0))
    calls.results["WaitForMultipleObjects"] = refuse(BrokenPipeError())
    dialer = WindowsDialer(calls.libraries())
    assert dialer.read(1, 6, None) == b""
    with pytest.raises(BrokenPipeError):
        dialer.write(1, b"x", None)
    dialer.close(1)
    assert calls.made[-1] == ("CloseHandle", (1,))
