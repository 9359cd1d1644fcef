"""What is special about the named pipe: name, rights and instances."""

import logging
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from codeg.runtime.pipe_windows import FILE_FLAG_FIRST_PIPE_INSTANCE, PipeServer, new_pipe_name, rights_for
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
