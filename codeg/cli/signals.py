"""SIGINT and SIGTERM as something to wait for, while a command runs.

Owns the handlers from entering the context to leaving it. Windows' event loop takes no signal handlers: there Python's
own wake it up (that way has not run on Windows).
"""

import asyncio
import math
import signal
import sys
from collections.abc import AsyncIterator, Generator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

import anyio

WATCHED = (signal.SIGINT, signal.SIGTERM)


def received() -> AbstractContextManager[AsyncIterator[int]]:
    """Each of the two that comes, in order."""
    return by_handlers() if sys.platform == "win32" else anyio.open_signal_receiver(*WATCHED)


@contextmanager
def by_handlers() -> Generator[AsyncIterator[int]]:
    """The same by Python's handlers, which run on the main thread between two of its instructions."""
    loop = asyncio.get_running_loop()
    send, receive = anyio.create_memory_object_stream[int](math.inf)

    def came(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(send.send_nowait, number)

    before = [(number, signal.signal(number, came)) for number in WATCHED]
    try:
        with send, receive:
            yield receive
    finally:
        for number, handler in before:
            signal.signal(number, handler)
