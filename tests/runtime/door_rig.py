"""A door with stub services on a real Unix socket, and a client that speaks raw frames."""

import json
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from anyio.abc import SocketStream

from codeg.runtime.answering import Answering
from codeg.runtime.listener import DoorLimits, Listener
from codeg.runtime.peers import Look, look_up
from codeg.runtime.tokens import Tokens
from codeg.runtime.transport_unix import UnixServer
from codeg.store.store import Store
from codeg.wire import frames
from codeg.wire.version import PROTOCOL
from tests.fakes.stub_services import StubParts

HOST_TOKEN = "the-token-of-the-host"
PATIENCE_S = 10.0
Json = dict[str, Any]
T = TypeVar("T")


class Door:
    """The running door and its parts."""

    def __init__(self, base: Path, limits: DoorLimits | None, look: Look, uid: int | None) -> None:
        self.folder = base / "folder"
        self.folder.mkdir()
        self.parts = StubParts(str(self.folder), Store.open(str(base / "data" / "codeg.db")))
        self.broker = self.parts.broker
        self.now = 1_000.0
        self.tokens = Tokens(str(base / "tokens"), HOST_TOKEN)
        self.answering = Answering(self.parts.services, self.tokens, look=look, clock=lambda: self.now)
        self.listener = Listener(self.answering, self.tokens, uid=uid, limits=limits)
        self.path = str(base / "s")
        self.token_file = self.tokens.mint("root")
        self.token = Path(self.token_file).read_text()

    @property
    def read(self) -> int:
        """Connections whose request was read and whose token is known."""
        return len(self.listener._token_of)

    def pending(self, kind: type[T]) -> list[T]:
        """What waits for an answer, of this kind."""
        waiting = [exchange._pending for exchange in self.listener._open]
        return [pending for pending in waiting if isinstance(pending, kind)]

    async def connect(self) -> SocketStream:
        return await anyio.connect_unix(self.path)

    async def send(self, **fields: Any) -> SocketStream:
        """A connection on which this request was sent; `token` defaults to the root session's."""
        peer = await self.connect()
        await peer.send(frames.encode({"v": PROTOCOL, "token": self.token, **fields}))
        return peer

    async def ask(self, **fields: Any) -> Json:
        """The whole response to one request; the connection must close behind it."""
        async with await self.send(**fields) as peer:
            response = await receive(peer)
            assert await closed(peer)
        return response

    async def outcome(self, **fields: Any) -> Any:
        response = await self.ask(**fields)
        assert "outcome" in response, response
        return response["outcome"]

    async def error(self, **fields: Any) -> str:
        response = await self.ask(**fields)
        assert set(response) == {"error"}, response
        assert set(response["error"]) == {"code", "message"}
        return response["error"]["code"]

    async def operate(self, op: str, **fields: Any) -> Any:
        return await self.outcome(kind="operator", token=HOST_TOKEN, op=op, **fields)

    async def hello(self, name: str = "claude-code", **client: Any) -> tuple[SocketStream, Json]:
        """A lease and what it brought."""
        told = {"name": name, "pid": os.getpid(), "cwd": str(self.folder), **client}
        peer = await self.send(kind="hello", token=HOST_TOKEN, client=told)
        return peer, (await receive(peer))["outcome"]

    async def call(self, task: str = "look around", **more: Any) -> Any:
        given = {"agent_type": "demo", "task": task, **more}
        return await self.outcome(kind="call", parent_connection_id="root", external_handle="h", input=given)


@asynccontextmanager
async def open_door(
    *, limits: DoorLimits | None = None, look: Look = look_up, uid: int | None = None
) -> AsyncGenerator[Door]:
    """A door that accepts; everything is closed afterwards."""
    base = Path(tempfile.mkdtemp(prefix="cd-"))
    listening = socket.socket(socket.AF_UNIX)
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, base)
        stack.callback(listening.close)
        listening.bind(str(base / "s"))
        door = Door(base, limits, look, uid)
        stack.callback(door.parts.store.close)
        stack.callback(door.tokens.close)
        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as group:
                await group.start(door.listener.run, UnixServer(listening))
                yield door
                group.cancel_scope.cancel()
            await settle(lambda: door.listener.connections == 0)


async def receive(peer: SocketStream) -> Json:
    """One frame."""
    reader = frames.FrameReader()
    while True:
        payload = reader.feed(await peer.receive())
        if payload is not None:
            return json.loads(payload)


async def closed(peer: SocketStream) -> bool:
    """The host closed the connection and sent nothing more."""
    try:
        await peer.receive()
    except (anyio.EndOfStream, anyio.BrokenResourceError):
        return True
    return False


async def settle(condition: Any) -> None:
    """Let others run until the condition holds."""
    with anyio.fail_after(PATIENCE_S):
        while not condition():  # noqa: ASYNC110  # what is waited for is the door's own state, which tells nobody
            await anyio.sleep(0.001)
