"""The bridge over a real host: what it tells, in which order, and how it ends."""

import resource
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QThread

from codeg.api import Host, OperatorClient, Status, TaskView, ThreadChange
from tests.ui.bridge.rig import BridgeRig
from ui.bridge_frames import Box
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch


def test_it_opens_with_a_loaded_world_and_tells_it_once(rig: BridgeRig) -> None:
    assert rig.told == [("opened",)]
    assert "demo" in {agent.slug for agent in rig.world.agents()}
    assert rig.world.settings().delegation.depth_limit == 2
    assert rig.bridge.is_open


def test_everything_is_told_on_the_ui_thread(rig: BridgeRig) -> None:
    here = QThread.currentThread()
    seen: list[Any] = []

    def note(_told: object) -> None:
        seen.append(QThread.currentThread())

    rig.world.changed.connect(note)
    rig.bridge.open_session("demo", str(rig.folder), then=note)
    rig.until(lambda: len(seen) > 2)
    assert all(thread is here for thread in seen)


def test_a_turn_streams_into_the_world_and_its_end_comes_after_its_entries(rig: BridgeRig) -> None:
    session_id, order = rig.session(), list[str]()

    def entries(_session_id: str, told: tuple[ThreadChange, ...]) -> None:
        order.extend(change.entry.kind for change in told)

    def changed(batch: Batch) -> None:
        order.extend("end" for _ in batch.turns)

    rig.world.entries_changed.connect(entries)
    rig.world.changed.connect(changed)
    rig.bridge.prompt(session_id, "@say Good day.")
    rig.until(rig.turns)
    assert order == ["user", "message", "end"]
    assert rig.turns()[0].result.text == "Good day."
    rig.until(lambda: rig.world.state_of_session(session_id) is State.COMPLETED)


def test_the_world_knows_a_new_session_before_its_order_is_answered(rig: BridgeRig) -> None:
    known: list[Any] = []
    rig.bridge.open_session(
        "demo", str(rig.folder), then=lambda session_id: known.append(rig.world.session(session_id))
    )
    rig.until(lambda: known)
    assert known[0].state == "starting"


def test_a_childs_activity_comes_with_its_entries(rig: BridgeRig) -> None:
    session_id = rig.session()
    gate = rig.folder / "gate"
    view: TaskView = rig.asked(
        rig.bridge.delegate, session_id, "demo", f"@tool read File.py completed @say Looking @wait {gate}"
    )
    task_id = view.record.task_id
    rig.until(lambda: (activity := rig.world.activity(task_id)) is not None and activity.line)
    assert task_id in {each for batch in rig.batches for each in batch.activity}
    assert [each.record.task_id for each in rig.bridge.running_tasks()] == [task_id]
    gate.touch()
    rig.until(lambda: (found := rig.world.task(task_id)) is not None and found.status is Status.COMPLETED)
    assert rig.world.activity(task_id) is None
    assert rig.bridge.running_tasks() == ()


def test_a_refusal_goes_to_who_asked_or_else_to_the_message_bar(rig: BridgeRig) -> None:
    sentences: list[str] = []
    rig.bridge.open_session("nobody", str(rig.folder), failed=sentences.append)
    rig.until(lambda: sentences)
    assert "no agent nobody" in sentences[0]
    rig.bridge.cancel_turn("session-unknown")
    rig.until(lambda: rig.heard("refused"))
    assert rig.heard("refused")[0][1] == "The session session-unknown is not open."


def test_what_the_ledger_refuses_is_a_sentence_too(rig: BridgeRig) -> None:
    sentences: list[str] = []
    rig.bridge.delegate(rig.session(), "nobody", "Do it.", failed=sentences.append)
    rig.until(lambda: sentences)


def test_orders_given_while_the_host_opens_are_carried_out_in_their_order(make_rig: Callable[[], BridgeRig]) -> None:
    rig, got = make_rig(), list[Any]()
    rig.bridge.start()
    rig.bridge.keep("window", "one")
    rig.bridge.keep("window", "two")
    rig.bridge.kept("window", got.append)
    assert got == []
    rig.until(lambda: got)
    assert (got, rig.told) == (["two"], [("opened",)])


def test_what_was_ordered_before_the_end_is_not_lost(make_rig: Callable[[], BridgeRig]) -> None:
    rig = make_rig().open()
    rig.bridge.keep("window", "lies so")
    assert rig.bridge.stop()
    again, got = make_rig().open(), list[Any]()
    again.bridge.kept("window", got.append)
    again.until(lambda: got)
    assert got == ["lies so"]


def test_the_end_is_told_and_after_it_nothing_is_done(rig: BridgeRig) -> None:
    got: list[Any] = []
    rig.bridge.begin_stop()
    rig.bridge.kept("window", got.append)
    rig.until(lambda: rig.heard("stopped"))
    rig.bridge.kept("window", got.append)
    rig.bridge.open_session("demo", str(rig.folder), then=got.append, failed=got.append)
    assert rig.bridge.stop()
    rig.qtbot.wait(1)
    assert (got, rig.told) == ([], [("opened",), ("stopped",)])
    assert "codeg-host" not in {thread.name for thread in threading.enumerate()}


def test_the_last_call_waits_for_a_thread_that_has_told_its_end(
    rig: BridgeRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, on_its_way = Box.put_call, threading.Event()

    def put_and_linger(box: Box, call: Callable[[], None]) -> None:
        put(box, call)
        if threading.current_thread().name == "codeg-host":
            on_its_way.wait(0.2)

    monkeypatch.setattr(Box, "put_call", put_and_linger)
    rig.bridge.begin_stop()
    rig.until(lambda: rig.heard("stopped"))
    assert rig.bridge.stop()
    assert "codeg-host" not in {thread.name for thread in threading.enumerate()}


def test_a_host_that_hangs_blocks_neither_orders_nor_the_end(rig: BridgeRig) -> None:
    gate, begun = threading.Event(), threading.Event()

    async def hang(_host: Host) -> None:
        begun.set()
        gate.wait(10)

    rig.bridge.carry(hang)
    assert begun.wait(5)
    rig.bridge.open_session("demo", str(rig.folder))
    rig.bridge.keep("window", "lies so")
    assert not rig.bridge.stop(0.05)
    gate.set()
    assert rig.bridge.stop()


def test_it_can_be_stopped_while_it_still_opens(make_rig: Callable[[], BridgeRig]) -> None:
    rig = make_rig()
    rig.bridge.start()
    rig.bridge.begin_stop()
    rig.until(lambda: rig.heard("stopped"))
    assert rig.told[-1] == ("stopped",)
    assert not rig.heard("crashed")


def test_a_bridge_that_never_started_ends_at_once(make_rig: Callable[[], BridgeRig]) -> None:
    rig = make_rig()
    rig.bridge.begin_stop()
    assert rig.told == [("stopped",)]


def test_a_host_that_cannot_open_says_why_and_opens_once_that_is_mended(make_rig: Callable[[], BridgeRig]) -> None:
    rig, sentences = make_rig(), list[str]()
    settings = Path(rig.home) / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[delegation\n")
    rig.bridge.start()
    rig.bridge.open_session("demo", str(rig.folder), failed=sentences.append)
    rig.until(lambda: rig.heard("stopped"))
    assert [told[0] for told in rig.told] == ["crashed", "stopped"]
    assert "settings.toml is broken in line 1" in rig.told[0][1]
    assert "the host stopped" in Path(rig.told[0][2]).read_text()
    assert sentences == ["The host does not run."]
    assert not rig.bridge.ended_by_wish
    settings.write_text("")
    rig.bridge.restart()
    rig.until(lambda: rig.heard("opened"))


@contextmanager
def full_disk() -> Generator[None]:
    """Nothing can be written to a file any more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_host_that_breaks_while_it_runs_is_told_and_comes_back(rig: BridgeRig) -> None:
    session_id = rig.session()
    rig.bridge.prompt(session_id, "@say Kept.")
    rig.until(rig.turns)
    with full_disk():
        rig.bridge.delegate(session_id, "demo", "@say lost", failed=lambda _: None)
        rig.until(lambda: rig.heard("stopped"))
    crash = rig.heard("crashed")[0]
    assert "cannot be written" in crash[1]
    assert not rig.bridge.is_open
    rig.bridge.restart()
    rig.until(lambda: len(rig.heard("opened")) == 2)
    got: list[Any] = []
    rig.bridge.entries(session_id, -1, 10, got.append)
    rig.until(lambda: got)
    assert [entry.text for entry in got[0]] == ["@say Kept.", "Kept."]


def test_a_second_desktop_shows_the_first_ones_window(make_rig: Callable[[], BridgeRig]) -> None:
    first, second = make_rig().open(), make_rig()
    second.bridge.start()
    second.until(lambda: second.heard("stopped"))
    first.until(lambda: first.heard("raise_asked"))
    assert second.told == [("elsewhere",), ("stopped",)]
    assert not second.bridge.ended_by_wish


def test_a_host_that_somebody_else_stops_ends_by_wish(rig: BridgeRig) -> None:
    asked = threading.Thread(target=lambda: OperatorClient(str(rig.home)).request("stop"))
    asked.start()
    rig.until(lambda: rig.heard("stopped"))
    asked.join(5)
    assert rig.told == [("opened",), ("stopped",)]
    assert rig.bridge.ended_by_wish


def test_after_a_restart_of_the_window_everything_is_there_again(make_rig: Callable[[], BridgeRig]) -> None:
    rig = make_rig().open()
    session_id = rig.session()
    view: TaskView = rig.asked(rig.bridge.delegate, session_id, "demo", "@say Done.")
    rig.until(lambda: (found := rig.world.task(view.record.task_id)) is not None and found.record.end is not None)
    assert rig.bridge.stop()
    again = make_rig().open()
    assert again.record(session_id).state == "ended"
    (task,) = again.world.tasks_of(session_id)
    assert (task.record.task_id, task.status) == (view.record.task_id, Status.COMPLETED)
    assert again.world.session(task.record.child_id) is not None


def test_steps_of_a_probe_come_while_it_runs(rig: BridgeRig) -> None:
    steps: list[str] = []
    got: list[Any] = []
    rig.bridge.probe("demo", got.append, steps.append)
    rig.until(lambda: got)
    assert (steps, got[0].state) == (["start", "handshake", "session"], "ready")


@pytest.mark.parametrize("marks", [{"pinned": True}, {"archived": True}, {"seen": True}])
def test_marks_reach_the_world(rig: BridgeRig, marks: dict[str, bool]) -> None:
    session_id = rig.session()
    rig.bridge.mark(session_id, **marks)
    rig.until(
        lambda: rig.record(session_id).pinned or rig.record(session_id).archived or rig.record(session_id).seen_ms
    )


def test_a_renamed_session_and_a_deleted_one(rig: BridgeRig) -> None:
    session_id = rig.session()
    rig.bridge.rename(session_id, "My title")
    rig.until(lambda: rig.world.title_of(session_id) == "My title")
    rig.bridge.delete(session_id)
    rig.until(lambda: rig.world.session(session_id) is None)
    assert session_id in {gone for batch in rig.batches for gone in batch.gone}
