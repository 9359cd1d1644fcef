"""One suite for every byte transport of the doors: the Unix socket, and the named pipe on a fake of the system's calls."""

import os
import shutil
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from anyio.to_thread import run_sync

from codeg.runtime.answering import Answering
from codeg.runtime.client_windows import PipeBusy
from codeg.runtime.listener import Listener
from codeg.runtime.pipe_windows import PipeServer, new_pipe_name
from codeg.runtime.tokens import Tokens
from codeg.runtime.transport import Receiver, Server, Stream
from codeg.runtime.transport_unix import UnixServer
from codeg.store.store import Store
from codeg.wire import frames, requests
from tests.fakes.fake_pipes import FakePipes
from tests.fakes.stub_services import StubParts

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("kind", ["unix", "pipe"])]
PATIENCE_S = 10.0


class Kept:
    """A receiver that remembers all it is told; `echo` answers what comes."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.data = b""
        self.stream: Stream | None = None

    @property
    def there(self) -> Stream:
        assert self.stream is not None
        return self.stream

    def connected(self, stream: Stream) -> None:
        self.stream = stream
        self.told.append("connected")

    def received(self, data: bytes) -> None:
        self.data += data
        if self.told[-1] != "received":
            self.told.append("received")

    def ended(self) -> None:
        self.told.append("ended")

    def flushed(self) -> None:
        self.told.append("flushed")

    def lost(self) -> None:
        self.told.append("lost")


class Place:
    """One transport that accepts, and a way to reach it."""

    def __init__(self, kind: str, base: Path) -> None:
        self.receivers: list[Kept] = []
        self.pipes = FakePipes()
        self._kind = kind
        self._path = str(base / "s")
        self._clients: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self.name = new_pipe_name()
        self.server: Server = self._unix() if kind == "unix" else PipeServer(self.name, self.pipes)

    def _unix(self) -> UnixServer:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self._path)
        return UnixServer(self._listening)

    def receiver(self) -> Receiver:
        self.receivers.append(Kept())
        return self.receivers[-1]

    async def dial(self, *, patient: bool = True) -> socket.socket:
        """A client, blocking with a limit; `patient`: as on Windows it tries again while the pipe is busy."""
        if self._kind == "unix":
            made = socket.socket(socket.AF_UNIX)
            made.settimeout(PATIENCE_S)
            self._clients.append(made)
            made.connect(self._path)
            return made
        while True:
            try:
                made = self.pipes.dial(self.name)
            except PipeBusy:
                if not patient:
                    raise
                await anyio.sleep(0.001)
                continue
            made.settimeout(PATIENCE_S)
            return made

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self.pipes.close_all()
        if self._listening is not None:
            self._listening.close()


@asynccontextmanager
async def place(kind: str, *, opened: bool = True) -> AsyncGenerator[Place]:
    base = Path(tempfile.mkdtemp(prefix="ct-"))
    made = Place(kind, base)
    try:
        with anyio.fail_after(PATIENCE_S):
            if opened:
                await made.server.open(made.receiver)
            yield made
    finally:
        await made.server.close()
        for receiver in made.receivers:
            if receiver.stream is not None:
                receiver.stream.abort()
        made.close()
        await checkpoint()
        await checkpoint()
        shutil.rmtree(base)


async def until(condition: Any) -> None:
    with anyio.fail_after(PATIENCE_S):
        while not condition():  # noqa: ASYNC110  # the transport tells nobody but its receiver
            await anyio.sleep(0.001)


async def met(made: Place) -> tuple[socket.socket, Kept]:
    count = len(made.receivers)
    client = await made.dial()
    await until(lambda: len(made.receivers) > count and made.receivers[count].told)
    return client, made.receivers[count]


async def test_a_peer_is_known_before_a_byte_of_it_is_there(kind: str) -> None:
    async with place(kind) as made:
        _, receiver = await met(made)
        assert receiver.told == ["connected"]
        assert receiver.there.peer.pid == os.getpid()
        assert receiver.there.peer.uid in (None, os.getuid())


async def test_bytes_arrive_in_order_however_they_were_cut(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        sent = bytes(range(256)) * 100
        for at in range(0, len(sent), 1_000):
            await run_sync(client.sendall, sent[at : at + 1_000])
        await until(lambda: len(receiver.data) == len(sent))
        assert receiver.data == sent


async def test_an_answer_goes_out_whole_and_then_the_connection_closes(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        client.sendall(b"?")
        await until(lambda: receiver.data)
        receiver.there.write(b"answer")
        receiver.there.finish()
        receiver.there.finish()
        await until(lambda: receiver.told[-1] == "lost")
        assert client.recv(100) == b"answer"
        assert client.recv(100) == b""
        assert receiver.told.count("lost") == 1


async def test_a_large_answer_waits_for_its_reader_and_is_told_when_it_is_out(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        large = os.urandom(4_000_000)
        receiver.there.write(large)
        assert receiver.there.unwritten > 0
        assert not receiver.there.broken
        receiver.there.finish()

        def read_all() -> bytes:
            got = b""
            while data := client.recv(1 << 20):
                got += data
            return got

        assert await run_sync(read_all) == large
        await until(lambda: receiver.told[-1] == "lost")


async def test_flushed_is_told_once_nothing_waits_any_more(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        receiver.there.write(bytes(2_000_000))
        assert "flushed" not in receiver.told
        left = 2_000_000
        while left:
            left -= len(await run_sync(client.recv, 1 << 20))
        await until(lambda: "flushed" in receiver.told)
        assert receiver.there.unwritten == 0


async def test_a_peer_that_closes_is_told_and_has_hung_up(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        client.close()
        await until(lambda: "ended" in receiver.told)
        assert receiver.there.hung_up()
        assert "lost" not in receiver.told
        receiver.there.abort()
        await until(lambda: receiver.told[-1] == "lost")


async def test_writing_to_a_peer_that_has_gone_breaks_and_loses_the_connection_once(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        client.close()
        await until(lambda: "ended" in receiver.told)
        receiver.there.write(b"x")
        await until(lambda: receiver.there.broken or receiver.told[-1] == "lost")
        receiver.there.abort()
        await until(lambda: receiver.told[-1] == "lost")
        assert receiver.told.count("lost") == 1


async def test_an_abort_drops_what_was_not_written(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        receiver.there.write(bytes(8_000_000))
        receiver.there.abort()
        assert receiver.there.broken
        await until(lambda: receiver.told[-1] == "lost")

        def read_all() -> int:
            got = 0
            try:
                while data := client.recv(1 << 20):
                    got += len(data)
            except ConnectionResetError:
                pass
            return got

        assert await run_sync(read_all) < 8_000_000


async def test_end_writing_is_seen_by_the_peer_after_the_last_byte(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        receiver.there.write(b"last words")
        receiver.there.end_writing()
        assert await run_sync(client.recv, 100) == b"last words"
        assert await run_sync(client.recv, 100) == b""


async def test_a_server_that_closed_takes_nobody_and_keeps_those_it_has(kind: str) -> None:
    async with place(kind) as made:
        client, receiver = await met(made)
        await made.server.close()
        await made.server.close()
        with pytest.raises(OSError):
            await made.dial(patient=False)
        receiver.there.write(b"still here")
        assert await run_sync(client.recv, 100) == b"still here"


async def test_two_clients_one_after_the_other_and_many_at_once_are_all_taken(kind: str) -> None:
    async with place(kind) as made:
        for _ in range(2):
            client, receiver = await met(made)
            client.sendall(b"x")
            await until(lambda now=receiver: now.data)
        clients = [await made.dial() for _ in range(50)]
        for client in clients:
            client.sendall(b"y")
        await until(lambda: sum(receiver.data == b"y" for receiver in made.receivers) == 50)


async def test_the_whole_door_answers_over_it(kind: str) -> None:
    async with place(kind, opened=False) as made:
        base = Path(tempfile.mkdtemp(prefix="ct-"))
        tokens = Tokens(str(base / "tokens"), "host")
        with Store.open(str(base / "codeg.db")) as store:
            parts = StubParts(str(base), store)
            listener = Listener(Answering(parts.services, tokens), tokens)
            async with anyio.create_task_group() as group:
                await group.start(listener.run, made.server)
                for token, key in (("host", "outcome"), ("wrong", "error")):
                    client = await made.dial()
                    client.sendall(frames.encode(requests.catalog(token)))
                    reader = frames.FrameReader()
                    payload = None
                    while payload is None:
                        payload = reader.feed(await run_sync(client.recv, 65_536))
                    assert key.encode() in payload
                    assert await run_sync(client.recv, 10) == b""
                    client.close()
                await until(lambda: listener.connections == 0)
                group.cancel_scope.cancel()
        shutil.rmtree(base)
