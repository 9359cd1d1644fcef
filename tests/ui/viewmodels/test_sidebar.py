"""The tree of the sidebar: its order, its exact changes, what it says."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from codeg.api import SessionChanged, SessionDeleted, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.worlds import a_world, changes, many
from ui.viewmodels.sidebar import FOLDER, Filter, SidebarModel
from ui.viewmodels.states import State
from ui.viewmodels.world import World

Shape = tuple[str, tuple["Shape", ...]]


class Ear(list[str]):
    """What a model tells."""

    def __init__(self, model: SidebarModel) -> None:
        super().__init__()
        model.rowsInserted.connect(self.inserted)
        model.rowsRemoved.connect(self.removed)
        model.rowsMoved.connect(self.moved)
        model.dataChanged.connect(self.changed)
        model.modelReset.connect(self.reset)

    def inserted(self) -> None:
        self.append("inserted")

    def removed(self) -> None:
        self.append("removed")

    def moved(self) -> None:
        self.append("moved")

    def changed(self, index: QModelIndex) -> None:
        self.append(f"data {key_of(index)}")

    def reset(self) -> None:
        self.append("reset")


def watched(world: World) -> tuple[SidebarModel, Ear]:
    """A model under Qt's own watch, and what it tells."""
    model = SidebarModel(world)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    return model, Ear(model)


def key_of(index: QModelIndex) -> str:
    return index.data(Qt.ItemDataRole.UserRole).key


def shape(model: QAbstractItemModel, parent: QModelIndex | None = None) -> tuple[Shape, ...]:
    above = parent or QModelIndex()
    rows = [model.index(row, 0, above) for row in range(model.rowCount(above))]
    return tuple((key_of(index), shape(model, index)) for index in rows)


def below(model: SidebarModel, key: str) -> list[str]:
    index = model.index_of(key)
    return [key_of(model.index(row, 0, index)) for row in range(model.rowCount(index))]


def put(world: World, *records: object) -> None:
    world.apply(changes(*records))


def test_folders_hold_sessions_and_sessions_their_children(qapp: object) -> None:
    model, _ = watched(a_world())
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY, s.FLAKY, s.NOTES_42]
    assert below(model, s.RETRY) == [m.child_of(task) for task in (s.CALLERS, s.POLICY, s.SETTLEMENT)]
    assert below(model, m.child_of(s.POLICY)) == [m.child_of(s.PROPERTY)]
    node = model.index_of(m.child_of(s.PROPERTY)).data(Qt.ItemDataRole.UserRole)
    assert node.level == 3


def test_folders_stand_by_their_newest_session(qapp: object) -> None:
    model, told = watched(a_world())
    assert [key for key, _ in shape(model)] == [FOLDER + path for path in (m.FIELD, m.HARBOR, m.ATLAS)]
    world = model._world
    put(world, SessionChanged(m.session("fresh", "Fresh", folder=m.ATLAS, age=0)))
    assert [key for key, _ in shape(model)] == [FOLDER + path for path in (m.ATLAS, m.FIELD, m.HARBOR)]
    assert below(model, FOLDER + m.ATLAS)[0] == "fresh"
    assert [word for word in told if not word.startswith("data")] == ["inserted", "moved"]


def test_a_child_that_waits_in_the_queue_has_a_row_before_its_session_exists(qapp: object) -> None:
    model, _ = watched(a_world())
    node = model.index_of(m.child_of(s.RECEIPTS)).data(Qt.ItemDataRole.UserRole)
    assert (model.title(node), model.state(node)) == ("Backfill missing receipts", State.QUEUED)
    assert "queued" in model.spoken(node)


def test_a_new_child_is_one_row_and_nothing_else_moves(qapp: object) -> None:
    world = a_world()
    model, told = watched(world)
    put(world, TaskChanged(m.task("codex-new-ffff0000ffff", s.RETRY, "Fresh", age=0)))
    assert below(model, s.RETRY)[-1] == "child-codex-new-ffff0000ffff"
    assert [word for word in told if not word.startswith("data")] == ["inserted"]


def test_a_childs_state_is_told_up_to_its_folder_and_nowhere_else(qapp: object) -> None:
    world = a_world()
    _model, told = watched(world)
    put(world, TaskChanged(m.task(s.PROPERTY, m.child_of(s.POLICY), "Property tests", status=Status.FAILED)))
    wanted = (m.child_of(s.PROPERTY), m.child_of(s.POLICY), s.RETRY, FOLDER + m.HARBOR)
    assert sorted(told) == sorted(f"data {key}" for key in wanted)


def test_pinned_ones_come_first(qapp: object) -> None:
    world = a_world()
    model, told = watched(world)
    record = world.session(s.NOTES_42)
    assert record is not None
    put(world, SessionChanged(replace(record, pinned=True)))
    assert below(model, FOLDER + m.HARBOR) == [s.NOTES_42, s.RETRY, s.FLAKY]
    put(world, SessionChanged(record))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY, s.FLAKY, s.NOTES_42]
    assert [word for word in told if not word.startswith("data")] == ["moved", "moved"]


def test_archived_ones_are_left_out_unless_wanted(qapp: object) -> None:
    world = a_world()
    model, _ = watched(world)
    record = world.session(s.FLAKY)
    assert record is not None
    put(world, SessionChanged(replace(record, archived=True)))
    assert s.FLAKY not in below(model, FOLDER + m.HARBOR)
    model.set_filter(Filter(archived=True))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY, s.FLAKY, s.NOTES_42]


def test_only_what_is_alive_follows_the_states(qapp: object) -> None:
    world = a_world()
    model, _ = watched(world)
    model.set_filter(Filter(alive=True))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY]
    put(world, TaskChanged(m.task("codex-new-ffff0000ffff", s.FLAKY, "Fresh", age=0)))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY, s.FLAKY]
    put(world, TaskChanged(m.task("codex-new-ffff0000ffff", s.FLAKY, "Fresh", status=Status.COMPLETED, age=0)))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY]


def test_sessions_of_terminals_can_be_left_out(qapp: object) -> None:
    model, _ = watched(a_world())
    model.set_filter(Filter(outside=False))
    assert below(model, FOLDER + m.HARBOR) == [s.RETRY, s.FLAKY]
    assert model.filter().hides


def test_a_deleted_session_goes_with_all_below_it_and_the_last_one_takes_its_folder(qapp: object) -> None:
    world = a_world()
    model, told = watched(world)
    for child in (s.PROPERTY, s.POLICY, s.CALLERS, s.SETTLEMENT):
        put(world, SessionDeleted(m.child_of(child)))
    put(world, SessionDeleted(s.RETRY))
    assert below(model, FOLDER + m.HARBOR) == [s.FLAKY, s.NOTES_42]
    for session_id in (s.FLAKY, s.NOTES_42):
        put(world, SessionDeleted(session_id))
    assert not model.index_of(FOLDER + m.HARBOR).isValid()
    assert "reset" not in told


def test_a_hidden_row_comes_back_with_its_children(qapp: object) -> None:
    model, _ = watched(a_world())
    before = shape(model)
    model.hide(s.RETRY, True)
    assert not model.index_of(s.RETRY).isValid()
    assert not model.index_of(m.child_of(s.PROPERTY)).isValid()
    model.hide(s.RETRY, False)
    assert shape(model) == before


def test_a_change_of_a_hidden_one_does_not_bring_it_back(qapp: object) -> None:
    world = a_world()
    model, _ = watched(world)
    model.hide(s.RETRY, True)
    record = world.session(s.RETRY)
    assert record is not None
    put(world, SessionChanged(replace(record, state="idle")))
    put(world, TaskChanged(m.task("codex-new-ffff0000ffff", s.RETRY, "Fresh", age=0)))
    assert not model.index_of(s.RETRY).isValid()


def test_unread_is_what_moved_since_the_person_looked(qapp: object) -> None:
    world = a_world("empty")
    model, _ = watched(world)
    looked = m.session("one", "One", seen_ms=m.NOW - m.HOUR, updated_ms=m.NOW - m.MINUTE)
    put(world, SessionChanged(looked), SessionChanged(m.session("never", "Never looked at")))
    one, never = (model.index_of(key).data(Qt.ItemDataRole.UserRole) for key in ("one", "never"))
    assert model.unread(one)
    assert not model.unread(never)
    model.set_shown("one")
    assert not model.unread(one)
    model.set_shown(None)
    put(world, SessionChanged(replace(looked, state="running")))
    assert not model.unread(one)


def test_a_folder_shows_the_most_urgent_of_its_sessions(qapp: object) -> None:
    model, _ = watched(a_world())
    states = {key: model.state(model.index_of(key).data(Qt.ItemDataRole.UserRole)) for key, _ in shape(model)}
    assert states == {
        FOLDER + m.HARBOR: State.WAITING,
        FOLDER + m.ATLAS: State.WAITING,
        FOLDER + m.FIELD: State.RUNNING,
    }


def test_odd_titles_are_one_safe_line(qapp: object) -> None:
    model, _ = watched(a_world("scripts"))
    titles = [
        model.title(model.index_of(key).data(Qt.ItemDataRole.UserRole)) for key in below(model, FOLDER + m.HARBOR)
    ]
    assert any(title.startswith("<b>bold</b>[U+202E]") for title in titles)
    assert not any("\x1b" in title or "\n" in title for title in titles)


def test_only_roots_can_be_renamed_in_place(qapp: object) -> None:
    model, _ = watched(a_world())
    editable = Qt.ItemFlag.ItemIsEditable
    assert model.index_of(s.RETRY).flags() & editable
    assert not model.index_of(m.child_of(s.POLICY)).flags() & editable
    assert not model.index_of(FOLDER + m.HARBOR).flags() & editable


def test_a_circle_in_odd_data_ends(qapp: object) -> None:
    world = a_world("empty")
    first, second = (m.task(f"codex-{n}-0000", m.child_of(f"codex-{3 - n}-0000"), "Round") for n in (1, 2))
    model, _ = watched(world)
    put(world, SessionChanged(m.session("root", "Root")), TaskChanged(first), TaskChanged(second))
    assert below(model, "root") == []


def test_older_sessions_join_at_their_place(qapp: object) -> None:
    world = a_world()
    model, told = watched(world)
    world.add(
        sessions=[m.session("old", "Old", age=9 * m.DAY), m.session("elsewhere", "E", folder="/x", age=8 * m.DAY)]
    )
    assert below(model, FOLDER + m.HARBOR)[-1] == "old"
    assert shape(model)[-1][0] == f"{FOLDER}/x"
    assert "reset" not in told


def _step(dice: random.Random, world: World, count: int) -> None:
    """One odd change of the world."""
    roots = [record for record in world.sessions() if record.kind != "child"]
    tasks = world.tasks()
    match dice.randrange(7):
        case 0 | 1:
            folder = dice.choice((m.HARBOR, m.ATLAS, m.FIELD))
            put(world, SessionChanged(m.session(f"s{count}", f"S{count}", folder=folder, age=dice.randrange(m.DAY))))
        case 2 if roots:
            record = dice.choice(roots)
            marks = {name: dice.random() < 0.5 for name in ("pinned", "archived")}
            put(world, SessionChanged(replace(record, **marks)))
        case 3 if roots:
            put(world, SessionDeleted(dice.choice(roots).session_id))
        case 4 if tasks:
            above = dice.choice(tasks).record.child_id
            put(world, TaskChanged(m.task(f"demo-t-{count:012d}", above, "Deeper", age=dice.randrange(m.HOUR))))
        case 5 if roots:
            put(world, SessionChanged(replace(dice.choice(roots), folder=dice.choice((m.HARBOR, "/new")))))
        case _ if roots:
            root = dice.choice(roots).session_id
            put(world, TaskChanged(m.task(f"demo-t-{count:012d}", root, "Task", age=dice.randrange(m.HOUR))))
        case _:
            pass


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_it_stands_as_one_made_anew(qapp: object, seed: int) -> None:
    dice, world = random.Random(seed), a_world("empty")
    model, told = watched(world)
    for count in range(80):
        _step(dice, world, count)
        assert shape(model) == shape(SidebarModel(world))
    assert "reset" not in told


def test_a_change_costs_what_it_touches(qapp: object) -> None:
    world = many(2_000, roots=400, live=50)
    model, told = watched(world)
    del model
    put(world, TaskChanged(m.task("demo-task-000000000007", "root-7", "Task number 7", "demo", age=m.SECOND)))
    assert len(told) <= 4
