"""How a task and a session stand for the person."""

from dataclasses import replace

import pytest

from codeg.api import BlockKind, Phase, Status
from tests.ui.making import SECOND, block, session, task
from ui.viewmodels.states import ALIVE, URGENCY, State, most_urgent, own_state, state_of_task, waits_for

BLOCKED = (block(BlockKind.QUESTION, "r1", "Which?", SECOND), block(BlockKind.PERMISSION, "r2", "ls", SECOND))


@pytest.mark.parametrize(
    ("status", "phase", "state"),
    [
        (Status.QUEUED, Phase.QUEUED, State.QUEUED),
        (Status.RUNNING, Phase.STARTING, State.STARTING),
        (Status.RUNNING, Phase.RUNNING, State.RUNNING),
        (Status.COMPLETED, Phase.ENDED, State.COMPLETED),
        (Status.FAILED, Phase.ENDED, State.FAILED),
        (Status.CANCELED, Phase.ENDED, State.CANCELED),
        (Status.INTERRUPTED, Phase.ENDED, State.INTERRUPTED),
        (Status.UNKNOWN, Phase.ENDED, State.FAILED),
    ],
)
def test_a_task_stands_as_its_status_and_phase_say(status: Status, phase: Phase, state: State) -> None:
    view = task("t", "root", "x", status=status)
    assert state_of_task(replace(view, record=replace(view.record, phase=phase))) is state


@pytest.mark.parametrize("status", [Status.QUEUED, Status.RUNNING])
def test_what_blocks_a_live_task_goes_before_all(status: Status) -> None:
    view = task("t", "root", "x", status=status, blocks=BLOCKED)
    assert state_of_task(view) is State.WAITING
    assert waits_for(view) is BlockKind.QUESTION


def test_a_task_whose_folder_is_asked_about_waits() -> None:
    view = task("t", "root", "x", status=Status.QUEUED, phase=Phase.ASKING)
    assert state_of_task(view) is State.WAITING
    assert waits_for(view) is None


def test_an_ended_task_waits_for_nobody() -> None:
    assert state_of_task(task("t", "root", "x", status=Status.FAILED, blocks=BLOCKED)) is State.FAILED


@pytest.mark.parametrize(
    ("told", "asks", "prompted", "state"),
    [
        ("running", True, True, State.WAITING),
        ("starting", False, False, State.STARTING),
        ("running", False, True, State.RUNNING),
        ("failed", False, True, State.FAILED),
        ("idle", False, True, State.COMPLETED),
        ("idle", False, False, State.IDLE),
        ("connected", False, False, State.IDLE),
    ],
)
def test_a_sessions_own_state(told: str, asks: bool, prompted: bool, state: State) -> None:
    assert own_state(session("s", state=told), asks=asks, prompted=prompted) is state


def test_of_a_tree_the_most_urgent_state_is_shown() -> None:
    for number, state in enumerate(URGENCY):
        below = frozenset(URGENCY[number:])
        assert most_urgent(State.IDLE, below) is state
        assert most_urgent(state, frozenset(URGENCY[number + 1 :])) is state
    assert most_urgent(State.COMPLETED, frozenset()) is State.COMPLETED
    assert most_urgent(State.COMPLETED, frozenset({State.CANCELED})) is State.COMPLETED


def test_the_states_of_the_design() -> None:
    assert len(State) == 9  # eight, and a session with nothing to say
    assert set(ALIVE) == {State.QUEUED, State.STARTING, State.RUNNING, State.WAITING}
    assert URGENCY[0] is State.WAITING
