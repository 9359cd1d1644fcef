"""SIGINT and SIGTERM as something to wait for, while a command runs.

Both are held back until the command is loaded (`__main__`). Owns the handlers from entering the context, which lets
them through, to leaving it. Windows' event loop takes no signal handlers: there Python's
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


@contextmanager
def received() -> Generator[AsyncIterator[int]]:
    """Each of the two that comes, in order; those that were held back first."""
    way: AbstractContextManager[AsyncIterator[int]] = (
        by_handlers() if sys.platform == "win32" else anyio.open_signal_receiver(*WATCHED)
    )
    with way as told, _let_through():
        yield told


def release() -> None:
    """Let through what was held back."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)


@contextmanager
def _let_through() -> Generator[None]:
    """Afterwards they are held back again, if they were."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
