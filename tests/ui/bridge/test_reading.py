"""Which sessions a window begins with, however many children they have, and how older ones follow."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeg.api import SessionRecord, Status
from codeg.store.records import SaveSession, SaveTask, Write
from codeg.store.store import Store
from tests.ui import making as m
from tests.ui.bridge.rig import BridgeRig
from ui import bridge_reading


def fill(home: Path, roots: int, children: int) -> None:
    """Root `n` is older than root `n - 1`; its children are all newer than every root."""
    writes: list[Write] = []
    for root in range(roots):
        name = f"root-{root:03}"
        writes.append(SaveSession(m.session(name, f"Root {root}", age=m.DAY + root * m.MINUTE)))
        for child in range(children):
            view = m.task(
                f"demo-task-{root:03}{child:03}aaaaaa",
                name,
                "Text",
                "demo",
                Status.COMPLETED,
                age=m.HOUR + child * m.SECOND + root * m.MINUTE,
                took=1,
            )
            writes += [SaveTask(view.record), SaveSession(m.child_session(view))]
    with Store.open(str(home / "data" / "codeg.db")) as store:
        store.commit(writes)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of 5 sessions, read until 4 roots or 20 sessions are there."""
    monkeypatch.setattr(bridge_reading, "PAGE", 5)
    monkeypatch.setattr(bridge_reading, "ROOTS", 4)
    monkeypatch.setattr(bridge_reading, "MOST_SESSIONS", 20)


def roots(rig: BridgeRig) -> list[str]:
    return [record.session_id for record in rig.world.sessions() if record.kind == "root"]


def test_children_do_not_crowd_their_roots_out(make_rig: Callable[[], BridgeRig], small_pages: None) -> None:
    rig = make_rig()
    fill(rig.home, roots=2, children=30)
    rig.open()
    assert roots(rig) == ["root-000"]  # the newest twenty sessions are its children, and it is read for their sake
    assert len(rig.world.tasks_of("root-000")) == 30


def test_older_sessions_follow_stretch_by_stretch_and_none_is_skipped(
    make_rig: Callable[[], BridgeRig], small_pages: None
) -> None:
    rig = make_rig()
    fill(rig.home, roots=40, children=1)
    rig.open()
    stretches: list[tuple[SessionRecord, ...]] = []
    while not stretches or stretches[-1]:
        count = len(stretches)
        rig.bridge.older_sessions(rig.world.sessions()[-1].session_id, stretches.append)
        rig.until(lambda count=count: len(stretches) > count)
    assert roots(rig) == [f"root-{number:03}" for number in range(40)]
    assert len(rig.world.tasks()) == 40
    assert len(stretches) > 2


def test_a_small_home_is_there_at_once(make_rig: Callable[[], BridgeRig]) -> None:
    rig, got = make_rig(), list[Any]()
    fill(rig.home, roots=3, children=2)
    rig.open()
    assert (len(roots(rig)), len(rig.world.tasks()), len(rig.world.sessions())) == (3, 6, 9)
    rig.bridge.older_sessions("root-002", got.append)
    rig.until(lambda: got)
    assert got == [()]
