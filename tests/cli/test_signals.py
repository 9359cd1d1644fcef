"""Signals as something to wait for, on both ways."""

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager

import anyio
import pytest

from codeg.cli.signals import WATCHED, by_handlers, received

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("way", [received, by_handlers])
async def test_each_signal_is_told_in_order_and_the_handlers_are_put_back(
    way: Callable[[], AbstractContextManager[AsyncIterator[int]]],
) -> None:
    before = [signal.getsignal(number) for number in WATCHED]
    with way() as signals, anyio.fail_after(10):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGINT):
            signal.raise_signal(number)
            assert await anext(aiter(signals)) == number
    assert [signal.getsignal(number) for number in WATCHED] == before


async def test_what_was_held_back_comes_first_and_is_held_back_again_afterwards() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    try:
        signal.raise_signal(signal.SIGTERM)
        with received() as told, anyio.fail_after(10):
            assert await anext(aiter(told)) == signal.SIGTERM
        assert set(WATCHED) <= signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
