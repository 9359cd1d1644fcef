"""SIGINT and SIGTERM reach the event loop."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from ui.interrupts import Interrupts


@pytest.fixture
def interrupts(qtbot: QtBot) -> Iterator[Interrupts]:
    made = Interrupts()
    yield made
    made.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_told_in_the_event_loop(qtbot: QtBot, interrupts: Interrupts, number: int) -> None:
    with qtbot.waitSignal(interrupts.came, timeout=5_000):
        os.kill(os.getpid(), number)


def test_what_was_held_back_comes_at_once(qtbot: QtBot) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)  # to this thread: another one would not hold it back
    made = Interrupts()
    came: list[bool] = []
    made.came.connect(lambda: came.append(True))
    qtbot.waitUntil(lambda: bool(came), timeout=5_000)
    made.close()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_threads_that_begin_later_hold_nothing_back(interrupts: Interrupts) -> None:
    held: list[set[int]] = []
    thread = threading.Thread(
        target=lambda: held.append({int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, [])})
    )
    thread.start()
    thread.join(5)
    assert not held[0] & {signal.SIGINT, signal.SIGTERM}


def test_afterwards_everything_is_as_before(qtbot: QtBot) -> None:
    before = signal.getsignal(signal.SIGTERM)
    made = Interrupts()
    assert signal.getsignal(signal.SIGTERM) != before
    made.close()
    assert signal.getsignal(signal.SIGTERM) == before
