"""The rows of the sub-agents panel: order, tree, folding, and how the model tells what changed."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt

from codeg.api import Activity, AsksChanged, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene
from tests.ui.making import SECOND
from tests.ui.worlds import STATES_ROOT, a_world, changes, many
from ui.viewmodels.overlay import (
    Folded,
    SubAgent,
    SubAgentsModel,
    branches_of,
    counted,
    counts_of,
    listed,
    rails_of,
)
from ui.viewmodels.states import State


def rows_of(model: SubAgentsModel) -> list[SubAgent | Folded]:
    return [model.row_at(number) for number in range(model.rowCount())]


def test_the_rows_of_the_picture() -> None:
    rows = rows_of(SubAgentsModel(scene.RETRY, a_world()))
    told = [(row.level, row.state, row.title, row.time) for row in rows if isinstance(row, SubAgent)]
    assert told == [
        (0, State.COMPLETED, "List every PaymentsClient caller", "1m 12s"),
        (0, State.RUNNING, "Write the retry policy with jitter and a budget", "5m 24s"),
        (1, State.RUNNING, "Property tests for backoff bounds", "1m 21s"),
        (0, State.WAITING, "Move the settlement job to the new client", "3m 43s"),
    ]
    last = rows[-1]
    assert isinstance(last, SubAgent)
    assert (last.word, last.line) == ("Waiting for you 38s", "alembic upgrade head")
    assert last.spoken == (
        "Claude Code, Move the settlement job to the new client, waiting for you, 3 minutes 43 seconds"
    )


@pytest.mark.parametrize(
    ("levels", "rails"),
    [
        ([], ()),
        ([0, 0], ((), ())),
        ([0, 0, 1, 0], ((), (1,), (), ())),
        ([0, 1, 2, 1], ((1,), (1, 2), (1,), ())),
        ([0, 1, 1, 0, 1], ((1,), (1,), (), (1,), ())),
    ],
)
def test_rails_go_on_as_long_as_there_are_siblings(levels: list[int], rails: tuple[tuple[int, ...], ...]) -> None:
    assert rails_of(levels) == rails


def test_up_to_twelve_are_all_listed() -> None:
    branches = branches_of("root-0", many(12, roots=1))
    assert listed(branches, is_open=False) == (branches, None)


def test_over_twelve_ended_ones_fold() -> None:
    branches = branches_of("root-0", many(20, roots=1, live=5))
    shown, folded = listed(branches, is_open=False)
    assert len(shown) == 5
    assert folded == Folded(((State.COMPLETED, 15),), False)
    assert folded is not None
    assert folded.text == "15 completed"
    shown, folded = listed(branches, is_open=True)
    assert len(shown) == 20
    assert folded is not None
    assert folded.is_open


def test_an_ended_one_with_a_living_child_stays() -> None:
    world = many(20, roots=1)
    parent = world.tasks_of("root-0")[3]
    child = m.task("demo-child-ffff0000ffff", parent.record.child_id, "Child", "demo")
    world.apply(changes(TaskChanged(child)))
    shown, _ = listed(branches_of("root-0", world), is_open=False)
    assert [branch.view.record.task_id for branch in shown] == [parent.record.task_id, child.record.task_id]


def test_states_are_counted_by_urgency() -> None:
    counts = counts_of(a_world("states").tasks_of(STATES_ROOT))
    assert [state for state, _ in counts] == [
        State.WAITING,
        State.FAILED,
        State.RUNNING,
        State.STARTING,
        State.QUEUED,
        State.INTERRUPTED,
        State.COMPLETED,
        State.CANCELED,
    ]
    assert [counted(state, count) for state, count in counts][:3] == ["1 waiting for you", "1 failed", "1 running"]


# ---- the model


def test_a_changed_task_is_an_update_of_its_row() -> None:
    world = a_world()
    model = SubAgentsModel(scene.RETRY, world)
    told: list[int] = []
    came: list[int] = []

    def changed(first: QModelIndex, _last: QModelIndex) -> None:
        told.append(first.row())

    def inserted(_parent: QModelIndex, first: int, _last: int) -> None:
        came.append(first)

    model.dataChanged.connect(changed)
    model.rowsInserted.connect(inserted)
    world.apply((), {scene.POLICY: Activity("Running the tests", m.NOW, 15)})
    model.refresh()
    assert (told, came) == ([1], [])
    row = model.row_at(1)
    assert isinstance(row, SubAgent)
    assert row.line == "Running the tests"


def test_a_new_task_is_an_inserted_row() -> None:
    world = a_world()
    model = SubAgentsModel(scene.RETRY, world)
    came: list[tuple[int, int]] = []

    def inserted(_parent: QModelIndex, first: int, last: int) -> None:
        came.append((first, last))

    model.rowsInserted.connect(inserted)
    new = m.task("codex-new-ffff0000ffff", m.child_of(scene.POLICY), "New", depth=2, age=SECOND)
    world.apply(changes(TaskChanged(new)))
    model.refresh()
    assert came == [(3, 3)]
    assert model.number_of(new.record.task_id) == 3


def test_times_go_on() -> None:
    world = a_world()
    model = SubAgentsModel(scene.RETRY, world)
    world.set_now(m.NOW + 5 * SECOND)
    model.tick()
    times = [row.time for row in rows_of(model) if isinstance(row, SubAgent)]
    assert times == ["1m 12s", "5m 29s", "1m 26s", "3m 48s"]


def test_folding_and_unfolding() -> None:
    model = SubAgentsModel("root-0", many(20, roots=1, live=5))
    assert model.rowCount() == 6
    model.fold(True)
    assert model.rowCount() == 21
    model.fold(False)
    assert model.rowCount() == 6


def test_screen_readers_hear_the_rows() -> None:
    model = SubAgentsModel(scene.RETRY, a_world())
    index = model.index(1, 0)
    text = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("Codex, Write the retry policy")
    assert model.data(QModelIndex()) is None


def test_an_answer_and_an_end_show_at_once() -> None:
    world = a_world()
    model = SubAgentsModel(scene.RETRY, world)
    view = world.task(scene.SETTLEMENT)
    assert view is not None
    world.apply(changes(TaskChanged(replace(view, blocks=())), AsksChanged(())))
    model.refresh()
    row = model.row_at(3)
    assert isinstance(row, SubAgent)
    assert row.state is State.RUNNING
    done = m.task(scene.SETTLEMENT, scene.RETRY, "Move", "claude_code", Status.COMPLETED, end={"gist": "Moved."})
    world.apply(changes(TaskChanged(done)))
    model.refresh()
    row = model.row_at(3)
    assert isinstance(row, SubAgent)
    assert (row.state, row.line) == (State.COMPLETED, "Moved.")
