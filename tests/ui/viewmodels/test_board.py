"""The board: where tasks stand, what cards say, filters, exact changes, the table."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt

from codeg.api import Activity, AsksChanged, BlockKind, Code, Phase, SessionDeleted, Status, TaskChanged, TaskView
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.doubles import OrdersDouble
from tests.ui.viewmodels.watching import moves, watch
from tests.ui.worlds import a_desk, changes, eight_tasks, many
from ui.viewmodels.board import MORE, PAGE, Board, BoardFilter, Column
from ui.viewmodels.board_faces import face_of
from ui.viewmodels.board_table import Field, TableModel
from ui.viewmodels.states import State
from ui.viewmodels.world import World

ROLE = Qt.ItemDataRole.UserRole


def rows(board: Board, column: Column) -> list[str]:
    model = board.columns[column]
    return [model.index(row).data(ROLE) for row in range(model.rowCount())]


def put(world: World, *whats: object) -> None:
    world.apply(changes(*whats))


def view_of(world: World, task_id: str) -> TaskView:
    view = world.task(task_id)
    assert view is not None
    return view


def ended(number: int, age: int, status: Status = Status.COMPLETED) -> TaskView:
    return m.task(
        f"demo-task-{number:012d}", s.RETRY, f"Task {number}", "demo", status, age=age + m.MINUTE, took=m.MINUTE
    )


# ---- columns


def test_tasks_stand_by_their_states(qapp: object) -> None:
    board = Board(*a_desk())
    assert rows(board, Column.QUEUED) == [s.RECEIPTS, s.EXAMPLES]
    assert rows(board, Column.RUNNING) == [s.POLICY, s.PROPERTY, s.INCIDENT_TASK, s.INVOICES]
    assert rows(board, Column.WAITING) == [s.GRID, s.SETTLEMENT]
    assert rows(board, Column.DONE) == [s.CALLERS, s.RACE]
    assert rows(board, Column.FAILED) == [s.MERGED, s.QUEUE_LIBRARY]
    assert board.summary() == "12 delegated tasks"


def test_a_task_that_ends_leaves_one_column_and_comes_into_another(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    told = {column: watch(model) for column, model in board.columns.items()}
    view = view_of(world, s.INCIDENT_TASK)
    done = replace(view.record, ended_ms=m.NOW, phase=Phase.ENDED)
    put(world, TaskChanged(TaskView(done, Status.COMPLETED)))
    assert rows(board, Column.DONE)[0] == s.INCIDENT_TASK
    assert moves(told[Column.RUNNING]) == ["out 2-2"]
    assert moves(told[Column.DONE]) == ["in 0-0"]
    assert not any(told[column] for column in (Column.QUEUED, Column.WAITING, Column.FAILED))


def test_the_queue_moves_up(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    told = watch(board.columns[Column.QUEUED])
    first, second = view_of(world, s.RECEIPTS), view_of(world, s.EXAMPLES)
    put(world, TaskChanged(replace(first, queue_position=2)), TaskChanged(replace(second, queue_position=1)))
    assert rows(board, Column.QUEUED) == [s.EXAMPLES, s.RECEIPTS]
    assert moves(told) == ["move"]


def test_activity_is_told_to_one_card(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    told = watch(board.columns[Column.RUNNING])
    world.apply((), {s.PROPERTY: Activity("Shrinking", m.NOW, 7)})
    assert told == ["data 1"]
    assert face_of(view_of(world, s.PROPERTY), world).line == "Shrinking"


def test_a_deleted_session_takes_its_tasks(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    put(world, SessionDeleted(s.INCIDENT))
    assert rows(board, Column.QUEUED) == []
    assert board.total == 9


def test_what_is_being_stopped_counts_as_stopped(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    put(world, TaskChanged(replace(view_of(world, s.POLICY), stopping=True)))
    assert s.POLICY in rows(board, Column.FAILED)
    face = face_of(view_of(world, s.POLICY), world)
    assert (face.word, face.action) == ("Canceled", "")


# ---- how much is shown


def test_done_shows_a_day_and_offers_the_rest(qapp: object) -> None:
    world, orders = a_desk("empty")
    board = Board(world, orders)
    done = board.columns[Column.DONE]
    told = watch(done)
    put(world, *(TaskChanged(ended(n, (n + 1) * 10 * m.HOUR)) for n in range(5)))
    assert [key[-1:] for key in rows(board, Column.DONE)] == ["0", "1", MORE]
    assert done.more_text() == "Show 3 older"
    assert done.total == 5
    done.show_more()
    assert [key[-1:] for key in rows(board, Column.DONE)] == ["0", "1", "2", "3", "4"]
    assert "reset" not in told


def test_a_day_later_they_are_old(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    world.set_now(m.NOW + m.DAY)
    board.refresh()
    assert rows(board, Column.DONE) == [MORE]


def test_a_column_is_bounded(qapp: object) -> None:
    world = many(3 * PAGE, live=2 * PAGE + 5)
    board = Board(world, OrdersDouble(world))
    running = board.columns[Column.RUNNING]
    assert running.rowCount() == PAGE + 1
    assert running.more_text() == f"Show {PAGE} more"
    running.show_more()
    running.show_more()
    assert running.rowCount() == 2 * PAGE + 5


# ---- filters


@pytest.mark.parametrize(
    ("wanted", "total"),
    [
        (BoardFilter(folder=m.ATLAS), 2),
        (BoardFilter(agent="open_code"), 4),
        (BoardFilter(only="running"), 4),
        (BoardFilter(folder=m.FIELD, only="queued"), 2),
        (BoardFilter(folder="/nowhere"), 0),
        (BoardFilter(span="all"), 12),
    ],
)
def test_filters(qapp: object, wanted: BoardFilter, total: int) -> None:
    board = Board(*a_desk())
    told = [watch(model) for model in board.columns.values()]
    board.set_filter(wanted)
    assert board.total == total
    board.set_filter(BoardFilter())
    assert board.total == 12
    assert not any("reset" in words for words in told)


def test_ages_leave_out_what_ended_before_and_never_what_lives(qapp: object) -> None:
    world, orders = a_desk("empty")
    board = Board(world, orders)
    old = m.task("demo-old-aaaa0000aaaa", s.RETRY, "Old and alive", "demo", age=90 * m.DAY)
    put(world, TaskChanged(old), *(TaskChanged(ended(n, age * m.DAY)) for n, age in enumerate((0, 3, 20, 60))))
    totals: list[int] = []
    for span in ("1d", "7d", "30d", "all"):
        board.set_filter(BoardFilter(span=span))
        totals.append(board.total)
    assert totals == [2, 3, 4, 5]


def test_a_wider_age_reads_what_is_older(qapp: object) -> None:
    world, orders = a_desk("empty")
    world.add(tasks=[ended(1, m.HOUR)])
    board = Board(world, orders)
    board.set_filter(BoardFilter(span="30d"))
    order = orders.last("older_tasks")
    assert order.given == {"before": ended(1, 0).record.task_id}
    world.add(tasks=[ended(2, 2 * m.DAY)])
    orders.answer(order, (ended(2, 2 * m.DAY),))
    assert orders.last("older_tasks").given == {"before": ended(2, 0).record.task_id}
    orders.answer(orders.last("older_tasks"), ())
    board.read_older()
    assert len(orders.all("older_tasks")) == 2
    assert board.total == 2


def test_folders_of_one_name_are_told_apart(qapp: object) -> None:
    world, orders = a_desk("empty")
    board = Board(world, orders)
    for number, folder in enumerate(("/a/web", "/b/web", "/c/api")):
        put(world, TaskChanged(m.task(f"demo-{number}", s.RETRY, "x", "demo", working_dir=folder)))
    assert board.folders() == [("/a/web", "/a/web"), ("/b/web", "/b/web"), ("/c/api", "api")]


# ---- what cards say


def test_cards_of_the_picture(qapp: object) -> None:
    world, orders = a_desk()
    board = Board(world, orders)
    for task_id in (s.GRID, s.SETTLEMENT):
        board.columns[Column.WAITING].face(task_id)
    orders.settle()
    faces = {task_id: face_of(view_of(world, task_id), world) for task_id in board.ids()}
    said = {task_id: (face.line, face.facts, face.time, face.action) for task_id, face in faces.items()}
    assert said[s.RECEIPTS] == ("", "field-notes · asked 40s ago", "1st in line", "cancel")
    assert said[s.POLICY] == ("Editing retry/budget.py", "harbor-api · 14 tools · $0.42", "5m 24s", "stop")
    assert said[s.PROPERTY][1] == "harbor-api › Codex · 6 tools"
    assert said[s.GRID] == ("Edit 2 files?", "atlas-web · 8 tools · $0.19", "6m", "answer")
    assert said[s.SETTLEMENT][0] == "Run alembic upgrade head?"
    assert said[s.RACE][1:] == ("harbor-api · 2h ago · $1.20", "18m 00s", "copy")
    assert said[s.MERGED][3] == "resume"
    assert [faces[task_id].worded for task_id in (s.INVOICES, s.POLICY, s.MERGED, s.CALLERS)] == [
        True,
        False,
        True,
        False,
    ]


def test_each_state_has_its_one_action(qapp: object) -> None:
    world, _ = a_desk("states")
    faces = [face_of(view_of(world, view.record.task_id), world) for view in eight_tasks()]
    assert [(face.state, face.action) for face in faces] == [
        (State.QUEUED, "cancel"),
        (State.STARTING, "stop"),
        (State.RUNNING, "stop"),
        (State.WAITING, "answer"),
        (State.COMPLETED, "copy"),
        (State.FAILED, "again"),
        (State.CANCELED, "resume"),
        (State.INTERRUPTED, "resume"),
    ]
    assert faces[5].reason
    assert all(face.word.lower() in face.spoken for face in faces)


def test_what_is_missing_is_left_out(qapp: object) -> None:
    world, orders = a_desk("empty")
    Board(world, orders)
    put(world, TaskChanged(m.task("demo-bare", s.RETRY, "", "demo", age=m.MINUTE)))
    face = face_of(view_of(world, "demo-bare"), world)
    assert (face.title, face.line, face.facts) == ("Task without a text", "", "harbor-api")


@pytest.mark.parametrize(("kind", "line"), [(BlockKind.QUESTION, "Which?"), (BlockKind.PLAN_APPROVAL, "Plan: Do it")])
def test_questions_and_plans_are_named(qapp: object, kind: BlockKind, line: str) -> None:
    world, orders = a_desk("empty")
    board = Board(world, orders)
    title = "Which?" if kind is BlockKind.QUESTION else "Do it"
    more = {"questions": [{"question": "Which?", "options": [{"label": "A"}]}]} if kind is BlockKind.QUESTION else {}
    ask = m.ask("one", kind.value, m.child_of("demo-t"), title, m.MINUTE, task_id="demo-t", **more)
    view = m.task("demo-t", s.RETRY, "Ask", "demo", blocks=(m.block(kind, "one", title, m.MINUTE),))
    put(world, TaskChanged(view), AsksChanged((ask,)))
    face = board.columns[Column.WAITING].face("demo-t")
    assert face is not None
    assert (face.line, face.request_id, face.action) == (line, "one", "answer")


# ---- the table


def table_of(board: Board) -> tuple[TableModel, list[str]]:
    model = TableModel(board)
    model.set_active(True)
    return model, watch(model)


def ids(model: TableModel) -> list[str]:
    return [model.index(row, 0).data(ROLE) for row in range(model.rowCount())]


def test_the_table_holds_the_same_tasks_who_needs_the_person_first(qapp: object) -> None:
    board = Board(*a_desk())
    model, _ = table_of(board)
    assert sorted(ids(model)) == sorted(board.ids())
    assert set(ids(model)[:2]) == {s.GRID, s.SETTLEMENT}
    row = model.row_of(s.POLICY)
    cells = {field: model.index(row, field).data() for field in Field}
    assert cells[Field.STATE] == "Running"
    assert cells[Field.PARENT] == "Retry policy for the payments client"
    assert (cells[Field.TOOLS], cells[Field.COST], cells[Field.TIME]) == ("14", "$0.42", "5m 24s")


def test_sorting_moves_rows_and_keeps_who_points_at_them(qapp: object) -> None:
    model, told = table_of(Board(*a_desk()))
    held = QPersistentModelIndex(model.index(model.row_of(s.RACE), Field.TASK))
    model.sort(Field.TOOLS, Qt.SortOrder.DescendingOrder)
    assert ids(model)[0] == s.RACE
    assert held.row() == 0
    model.sort(Field.TASK, Qt.SortOrder.AscendingOrder)
    titles = [model.index(row, 0).data().casefold() for row in range(model.rowCount())]
    assert titles == sorted(titles)
    assert "reset" not in told
    assert held.data(ROLE) == s.RACE


def test_the_table_follows_live_and_rests_while_nobody_looks(qapp: object) -> None:
    world, orders = a_desk()
    model, told = table_of(Board(world, orders))
    put(world, TaskChanged(m.task("demo-new", s.RETRY, "Fresh", "demo", age=0)))
    assert moves(told) == [f"in {model.row_of('demo-new')}-{model.row_of('demo-new')}"]
    model.set_active(False)
    told.clear()
    put(world, TaskChanged(m.task("demo-newer", s.RETRY, "Fresher", "demo", age=0)))
    assert told == []
    model.set_active(True)
    assert "demo-newer" in ids(model)


# ---- whatever happens


def _step(dice: random.Random, world: World, count: int) -> None:
    tasks = world.tasks()
    view = dice.choice(tasks) if tasks else None
    match dice.randrange(5):
        case 0 | 1:
            age = dice.randrange(9 * m.DAY)
            status = dice.choice((Status.QUEUED, Status.RUNNING, Status.COMPLETED, Status.FAILED, Status.CANCELED))
            code = {"end": m.failed(Code.CANCELED, "x")} if status is Status.FAILED else {}
            put(
                world,
                TaskChanged(m.task(f"demo-{count}", s.RETRY, f"T{count}", "demo", status, age=age, took=1, **code)),
            )
        case 2 if view is not None:
            put(world, TaskChanged(replace(view, stopping=not view.stopping)))
        case 3 if view is not None:
            put(world, TaskChanged(replace(view, queue_position=dice.randrange(9))))
        case _ if view is not None:
            put(world, SessionDeleted(view.record.child_id))
        case _:
            pass


@pytest.mark.parametrize("seed", range(6))
def test_it_stands_as_one_made_anew(qapp: object, seed: int) -> None:
    dice, (world, orders) = random.Random(seed), a_desk("empty")
    board = Board(world, orders)
    table, told = table_of(board)
    lists = [told, *(watch(model) for model in board.columns.values())]
    for count in range(80):
        _step(dice, world, count)
        fresh = Board(world, orders)
        assert {column: rows(board, column) for column in Column} == {column: rows(fresh, column) for column in Column}
        assert sorted(ids(table)) == sorted(board.ids())
    assert not any("reset" in words for words in lists)


def test_a_change_costs_what_it_touches(qapp: object) -> None:
    world = many(3_000, live=40)
    board = Board(world, OrdersDouble(world))
    told = [watch(model) for model in board.columns.values()]
    put(world, TaskChanged(m.task("demo-task-000000000007", "root-7", "Task number 7", "demo", age=m.SECOND)))
    assert sum(len(words) for words in told) <= 4
