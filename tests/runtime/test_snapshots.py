"""What front ends see: a snapshot of what is live, then numbered changes."""

import pytest

from codeg.broker.codes import Phase, Status
from codeg.broker.tasks import TaskRecord, TaskView
from codeg.runtime.snapshots import AsksChanged, Change, OptionsChanged, SessionChanged, Snapshots, TaskChanged
from codeg.store.records import SessionRecord


def task(task_id: str, status: Status) -> TaskView:
    record = TaskRecord(task_id, "p", "p", 1, "demo", "x", "/", None, f"c-{task_id}", Phase.RUNNING, 1, 1)
    return TaskView(record, status)


def session(session_id: str, state: str) -> SessionRecord:
    return SessionRecord(session_id, "root", "/", state, 1, 1, session_id)


def test_a_snapshot_holds_what_is_live_and_nothing_else() -> None:
    snapshots = Snapshots()
    for state in ("starting", "idle", "running"):
        snapshots.tell(SessionChanged(session(state, state)))
    snapshots.tell(SessionChanged(session("gone", "idle")))
    snapshots.tell(SessionChanged(session("gone", "ended")))
    snapshots.tell(TaskChanged(task("a", Status.QUEUED)))
    snapshots.tell(TaskChanged(task("b", Status.RUNNING)))
    snapshots.tell(TaskChanged(task("b", Status.COMPLETED)))
    snapshots.tell(AsksChanged(({"request_id": "r"},)))
    taken = snapshots.take()
    assert [record.session_id for record in taken.sessions] == ["starting", "idle", "running"]
    assert [view.record.task_id for view in taken.tasks] == ["a"]
    assert taken.asks == ({"request_id": "r"},)
    assert taken.number == 9


def test_changes_are_numbered_without_gaps_from_the_snapshot_on() -> None:
    snapshots = Snapshots()
    snapshots.tell(OptionsChanged("before"))
    seen: list[Change] = []
    number = snapshots.take().number
    unsubscribe = snapshots.subscribe(seen.append)
    for name in "abc":
        snapshots.tell(OptionsChanged(name))
    assert [change.number for change in seen] == [number + 1, number + 2, number + 3]
    unsubscribe()
    unsubscribe()
    snapshots.tell(OptionsChanged("after"))
    assert len(seen) == 3


def test_a_subscriber_that_fails_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    snapshots = Snapshots()
    seen: list[Change] = []

    def broken(_change: Change) -> None:
        raise RuntimeError("mine")

    snapshots.subscribe(broken)
    snapshots.subscribe(seen.append)
    snapshots.tell(OptionsChanged("a"))
    assert len(seen) == 1
    assert "a subscriber failed" in caplog.text


def test_a_subscriber_may_leave_while_it_is_told() -> None:
    snapshots = Snapshots()
    seen: list[int] = []

    def once(change: Change) -> None:
        seen.append(change.number)
        leave()

    leave = snapshots.subscribe(once)
    snapshots.subscribe(lambda change: seen.append(-change.number))
    snapshots.tell(OptionsChanged("a"))
    snapshots.tell(OptionsChanged("b"))
    assert seen == [1, -1, -2]
