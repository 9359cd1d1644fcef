"""A line-framed JSON-RPC conversation: reads values, writes messages whole and in order.

Owns no process and no meaning; the bytes come from a `Channel` (our own stdin and stdout, or a child's pipes). Ends
with its input.
"""

import os
from collections.abc import AsyncIterator
from typing import Any, Protocol, cast

import anyio
from anyio.abc import Process

from codeg.jsonrpc.codec import Undecodable, decode, encode
from codeg.jsonrpc.framing import Frame, Splitter

_CHUNK = 65_536


def json_object(value: Any) -> dict[str, Any]:
    """The value when it is a JSON object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def json_objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects of an array, else none."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]


class Channel(Protocol):
    """Where bytes come from and go to."""

    async def read(self) -> bytes:
        """Some bytes; empty at the end."""
        ...

    async def write(self, data: bytes) -> None:
        """Write all; raises OSError when the peer is gone."""
        ...


class Descriptors:
    """Two descriptors of our own, made non-blocking."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)

    async def read(self) -> bytes:
        """Some bytes; empty at the end."""
        while True:
            try:
                return os.read(self._reading, _CHUNK)
            except BlockingIOError:
                await anyio.wait_readable(self._reading)
            except OSError:
                return b""

    async def write(self, data: bytes) -> None:
        """Write all of it."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._writing, left) :]
            except BlockingIOError:
                await anyio.wait_writable(self._writing)


class ChildPipes:
    """The pipes of a child process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def read(self) -> bytes:
        """Some bytes; empty at the end."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.receive(_CHUNK)
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return b""

    async def write(self, data: bytes) -> None:
        """Write all of it."""
        assert self._process.stdin is not None
        try:
            await self._process.stdin.send(data)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise BrokenPipeError from error


class Lines:
    """One JSON object a line over a channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._turn = anyio.Lock()

    async def values(self) -> AsyncIterator[Any]:
        """Decoded values in order; what does not decode is skipped. Ends at end of input."""
        splitter = Splitter(headers=False)
        data = b"-"
        while data:
            data = await self._channel.read()
            for item in splitter.feed(data) if data else splitter.end():
                if isinstance(item, Frame):
                    try:
                        value = decode(item.payload)
                    except Undecodable:
                        continue
                    yield value

    async def send(self, message: dict[str, Any]) -> None:
        """Write one message whole, also when cancelled meanwhile; a peer that went away loses it."""
        data = encode(message) + b"\n"
        with anyio.CancelScope(shield=True):
            async with self._turn:
                try:
                    await self._channel.write(data)
                except OSError:
                    return
