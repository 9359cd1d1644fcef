"""The list of asks: order, filters, words, exact changes, and what stood before an ask."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt

from codeg.api import AsksChanged, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.doubles import OrdersDouble
from tests.ui.viewmodels.watching import moves, watch
from tests.ui.worlds import Kind, a_desk, changes
from ui.viewmodels.inbox import InboxModel, before_ask, waited
from ui.viewmodels.rows import MessageRow, ToolRow, UserRow
from ui.viewmodels.transcript import Transcript
from ui.viewmodels.world import World
from ui.wording import tr

ROLE = Qt.ItemDataRole.UserRole


def watched(kind: Kind = "main") -> tuple[InboxModel, World, list[str], OrdersDouble]:
    world, orders = a_desk(kind)
    model = InboxModel(world, orders)
    return model, world, watch(model), orders


def shown(model: InboxModel) -> list[str]:
    return [model.index(row).data(ROLE).request_id for row in range(model.rowCount())]


def test_the_oldest_comes_first(qapp: object) -> None:
    model, *_ = watched()
    assert shown(model) == [s.ASK_WIDTHS, s.ASK_GRID, s.ASK_PLAN, s.ASK_ALEMBIC]
    assert model.summary() == "4 asks in 3 sessions, oldest first"
    assert model.counts() == {"": 4, "permission": 2, "question": 1, "plan_approval": 1}


def test_rows_say_who_what_and_where(qapp: object) -> None:
    model, world, _, orders = watched()
    faces = [model.face(ask) for ask in world.asks()]
    orders.settle()
    faces = [model.face(ask) for ask in world.asks()]
    assert [(face.above, face.agent, face.kind, face.age) for face in faces] == [
        ((), "Claude Code", "Question", "11m"),
        (("Claude Code",), "Codex", "Permission", "6m"),
        ((), "OpenCode", "Plan", "4m"),
        (("Claude Code",), "Claude Code", "Permission", "38s"),
    ]
    assert [(face.what, face.command) for face in faces] == [
        ("Which widths must the page support?", ""),
        ("Edit 2 files", ""),
        ("Store UTC, show local time — 4 steps", ""),
        ("Run", "alembic upgrade head"),
    ]
    assert faces[1].place == "Settings page redesign · atlas-web"
    assert "Permission: Run alembic upgrade head" in faces[3].spoken


def test_what_a_row_is_about_is_read_once(qapp: object) -> None:
    model, world, _, orders = watched()
    for _ in range(3):
        for ask in world.asks():
            model.face(ask)
        orders.settle()
    assert len(orders.all("ask_detail")) == 3


def test_an_answered_one_goes_and_a_new_one_comes_at_its_place(qapp: object) -> None:
    model, world, told, _ = watched()
    world.apply(changes(AsksChanged((s.ASKS[0], *s.ASKS[2:]))))
    assert shown(model) == [s.ASK_WIDTHS, s.ASK_PLAN, s.ASK_ALEMBIC]
    fresh = m.ask("permission-new", "permission", s.RETRY, "Delete a file", 5 * m.SECOND)
    world.apply(changes(AsksChanged((s.ASKS[0], *s.ASKS[2:], fresh))))
    assert shown(model)[-1] == "permission-new"
    assert moves(told) == ["out 1-1", "in 3-3"]


def test_a_filter_leaves_other_kinds_out(qapp: object) -> None:
    model, _, told, _ = watched()
    model.set_kind("permission")
    assert shown(model) == [s.ASK_GRID, s.ASK_ALEMBIC]
    model.set_kind("")
    assert len(shown(model)) == 4
    assert "reset" not in told
    model.set_kind("nonsense")
    assert len(shown(model)) == 4


def test_three_depths_of_one_session_are_one_session(qapp: object) -> None:
    model, world, *_ = watched("flood")
    assert model.summary() == "12 asks in 1 session, oldest first"
    assert model.face(world.asks()[2]).above == ("Claude Code", "Codex")


def test_nobody_waits(qapp: object) -> None:
    model, world, _, _ = watched()
    world.apply(changes(AsksChanged(())))
    assert model.summary() == ""
    assert model.busy() == tr("%n children are running", n=world.running_count())
    for view in world.live_tasks():
        world.apply(changes(TaskChanged(m.task(view.record.task_id, s.RETRY, "x", status=Status.COMPLETED))))
    assert model.busy() == ""


@pytest.mark.parametrize(("ms", "said"), [(0, "0s"), (38_000, "38s"), (60_000, "1m"), (3 * m.HOUR, "3h")])
def test_seconds_count_in_the_first_minute(ms: int, said: str) -> None:
    assert waited(ms) == said


def test_the_last_entries_before_it_asked(qapp: object) -> None:
    _, world, _, orders = watched()
    transcript = Transcript(s.SETTINGS, world, orders)
    transcript.load()
    while transcript.loading:
        orders.settle()
        QCoreApplication.processEvents()
    ask = world.ask(s.ASK_WIDTHS)
    assert ask is not None
    rows = before_ask(transcript, ask.since_ms)
    assert [type(row) for row in rows] == [MessageRow, ToolRow, ToolRow]
    early = before_ask(transcript, m.NOW - 12 * m.MINUTE)
    assert [type(row) for row in early] == [UserRow]
    transcript.end()
