"""What is special about the named pipe: name, rights, instances, and the arguments of the system's calls."""

import asyncio
import ctypes
import logging
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from codeg.runtime.peers import Process
from codeg.runtime.pipe_system_windows import Libraries, ProcessEntry, WindowsPipes, windows_pipes
from codeg.runtime.pipe_windows import (
    FILE_FLAG_FIRST_PIPE_INSTANCE,
    PipeOrder,
    PipeServer,
    new_pipe_name,
    rights_for,
)
from codeg.runtime.transport import Stream
from tests.fakes.fake_pipes import USER_SID, FakePipes
from tests.runtime.door_rig import settle

pytestmark = pytest.mark.anyio


class Silent:
    """A receiver that only keeps its stream."""

    def __init__(self) -> None:
        self.stream: Stream | None = None
        self.over = False

    def connected(self, stream: Stream) -> None:
        self.stream = stream

    def received(self, data: bytes) -> None: ...

    def ended(self) -> None: ...

    def flushed(self) -> None: ...

    def lost(self) -> None:
        self.over = True


@asynccontextmanager
async def opened(spare: int = 2) -> AsyncGenerator[tuple[FakePipes, PipeServer, str]]:
    """An open pipe; all of it is closed afterwards."""
    pipes, name, met = FakePipes(), new_pipe_name(), list[Silent]()
    server = PipeServer(name, pipes, spare)

    def receiver() -> Silent:
        met.append(Silent())
        return met[-1]

    await server.open(receiver)
    try:
        yield pipes, server, name
    finally:
        await server.close()
        for silent in met:
            if silent.stream is not None:
                silent.stream.abort()
        await settle(lambda: all(silent.over for silent in met))
        pipes.close_all()


def test_a_name_is_short_ascii_and_new_each_time() -> None:
    first, second = new_pipe_name(), new_pipe_name()
    assert first != second
    assert re.fullmatch(r"\\\\\.\\pipe\\codeg-[0-9a-f]{32}", first)
    assert len(first) <= 100


def test_only_this_user_and_the_system_may_connect_and_nobody_from_the_network() -> None:
    assert rights_for("S-1-5-21-7") == "D:P(D;;GA;;;NU)(A;;GA;;;S-1-5-21-7)(A;;GA;;;SY)"


async def test_the_first_instance_is_exclusive_and_the_others_are_not() -> None:
    async with opened(spare=3) as (pipes, _, name):
        assert [bool(order.open_mode & FILE_FLAG_FIRST_PIPE_INSTANCE) for order in pipes.orders] == [True, False, False]
        modes = {(o.name, o.open_mode & ~FILE_FLAG_FIRST_PIPE_INSTANCE, o.pipe_mode, o.instances) for o in pipes.orders}
        assert modes == {(name, 0x4000_0003, 0x8, 255)}
        assert {order.sddl for order in pipes.orders} == {rights_for(USER_SID)}
        with pytest.raises(PermissionError):
            await PipeServer(name, pipes).open(Silent)


async def test_the_next_instance_exists_before_the_present_one_is_served() -> None:
    async with opened(spare=1) as (pipes, _, name):
        pipes.calls.clear()
        pipes.dial(name)
        await settle(lambda: "carry" in pipes.calls)
        assert pipes.calls == ["create", "carry"]
        assert pipes.free(name) == 1


async def test_a_failed_create_is_tried_again_with_back_off_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with opened(spare=1) as (pipes, server, name):
        pipes.refuse = 2
        with caplog.at_level(logging.WARNING):
            pipes.dial(name)
            await settle(lambda: pipes.free(name) == 1)
        waits = [record.args[0] for record in caplog.records if isinstance(record.args, tuple)]
        assert waits == [0.05, 0.1]
        assert server._retry_s == 0.05


async def test_a_closed_server_creates_nothing_any_more() -> None:
    async with opened(spare=1) as (pipes, server, name):
        pipes.refuse = 1
        pipes.dial(name)
        await settle(lambda: len(pipes.orders) == 2)
        await server.close()
        assert server._timer is None
        assert pipes.free(name) == 0


@pytest.mark.parametrize("stranger", [True, False])
async def test_a_client_of_another_user_or_one_that_went_is_closed_unserved(stranger: bool) -> None:
    async with opened() as (pipes, _, name):
        pipes.next_client = (1, "S-1-5-21-other") if stranger else None
        pipes.client_fails = not stranger
        client = pipes.dial(name)
        await settle(lambda: "close" in pipes.calls)
        assert client.recv(1) == b""
        assert "carry" not in pipes.calls


# ---- the system's calls


class Calls:
    """The libraries, each call written down; `results` by name, else 1."""

    def __init__(self, **results: Any) -> None:
        self.made: list[tuple[str, tuple[Any, ...]]] = []
        self.results = results
        self.wrapped: list[int] = []

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

        return WindowsPipes(Libraries(self, self, self, lambda: 5, self._error, wrap), loop)

    def _error(self, code: int) -> OSError:
        return PermissionError(code, "access is denied")


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
    kept: list[Any] = []

    def pid_of(_: Any, pid: Any) -> int:
        pid._obj.value = 4_242
        return 1

    def sid_text(_: Any, text: Any) -> int:
        kept.append(ctypes.create_unicode_buffer("S-1-5-9"))
        text._obj.value = kept[0].value
        return 1

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
    assert calls.pipes().process(42) == Process(17, None)
    assert calls.names()[-1] == "CloseHandle"
    assert Calls(Process32FirstW=0).pipes().process(42) is None
    assert Calls(CreateToolhelp32Snapshot=0).pipes().process(42) is None


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
