"""The loop around a stub ledger: order, group commit, answers once, the timer, faults."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Announce, Effect, Persist, Reply, StopChild, WakeAt
from codeg.broker.events import (
    CancelRequested,
    ChildGone,
    Event,
    PromptAccepted,
    StatusAsked,
    TasksRecalled,
    TimePassed,
    WaitClosed,
)
from codeg.broker.tasks import Answer, Now, Refused, TaskRecord, TaskView, Unknown
from codeg.runtime.database import open_database
from codeg.runtime.loop import DelegationBroker, HostFailed, system_now
from codeg.runtime.results import ResultCache
from codeg.store.records import SaveTask
from tests.runtime.stubs import HeldDatabase, until

pytestmark = pytest.mark.anyio


def record(task_id: str, phase: Phase = Phase.RUNNING, attempt: int = 1) -> TaskRecord:
    return TaskRecord(task_id, "parent", "parent", 1, "demo", "do it", "/", None, f"child-{task_id}", phase, attempt, 1)


def view(task: TaskRecord) -> TaskView:
    return TaskView(task, Status.COMPLETED if task.phase is Phase.ENDED else Status.RUNNING)


class StubLedger:
    """Persists a task on each child event, answers status at once; knows what it was told."""

    def __init__(self) -> None:
        self.seen: list[Event] = []
        self.tasks: dict[str, TaskRecord] = {}
        self.wake: float | None = None
        self.text: bytes | None = None

    def knows(self, task_id: str) -> bool:
        return task_id in self.tasks

    def open_of_root(self, root_id: str) -> int:
        return sum(task.root_id == root_id and task.phase is not Phase.ENDED for task in self.tasks.values())

    def view(self, task_id: str) -> TaskView | None:
        return view(self.tasks[task_id]) if task_id in self.tasks else None

    def apply(self, event: Event, now: Now) -> tuple[Effect, ...]:
        del now
        self.seen.append(event)
        match event:
            case PromptAccepted(task_id=task_id):
                self.tasks[task_id] = record(task_id)
                return Persist(self.tasks[task_id]), Announce(view(self.tasks[task_id]))
            case ChildGone(task_id=task_id, text=text):
                self.tasks[task_id] = record(task_id, Phase.ENDED)
                ended = self.tasks[task_id]
                return Persist(ended, text), StopChild(task_id, 1, cancel_turn=False), Announce(view(ended))
            case StatusAsked(ref=ref, task_ids=ids):
                return (Reply(ref, tuple(self.view(task_id) or Unknown(task_id) for task_id in ids)),)
            case CancelRequested(task_id="twice", ref=ref):
                return Reply(ref, (Unknown("twice"),)), Reply(ref, (Unknown("twice"),))
            case CancelRequested():
                raise RuntimeError("illegal")
            case TasksRecalled(records=records):
                self.tasks |= {task.task_id: task for task in records}
                return ()
            case TimePassed():
                return ()
            case _:
                return (WakeAt(self.wake),) if self.wake is not None else ()


class Bench:
    """A running broker with everything it lets out, in order."""

    def __init__(self, broker: DelegationBroker, ledger: StubLedger, database: HeldDatabase) -> None:
        self.broker = broker
        self.ledger = ledger
        self.database = database
        self.left: list[object] = []

    def status(self, *task_ids: str) -> Callable[[int], Event]:
        return lambda ref: StatusAsked(ref, None, task_ids)

    def ask(self, *task_ids: str) -> int:
        return self.broker.ask(self.status(*task_ids), self.left.append)


@asynccontextmanager
async def running(folder: Path, clock: Callable[[], Now] = system_now) -> AsyncGenerator[Bench]:
    async with open_database(str(folder / "codeg.db")) as real:
        database = HeldDatabase(real)
        ledger = StubLedger()
        broker = DelegationBroker(ledger, database, ResultCache(database, lambda: 2**29), clock=clock)
        bench = Bench(broker, ledger, database)
        broker.attach(bench.left.append, lambda _task_id: None)
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(broker.run)
                yield bench
                database.release()
                broker.close()


async def test_nothing_leaves_before_the_commit_of_what_came_before_it(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        bench.database.hold()
        bench.broker.post(PromptAccepted("a", 1))
        await until(lambda: bench.database.waiting, "the commit is under way")
        bench.ask("a")
        bench.ask("nobody")
        await anyio.wait_all_tasks_blocked()
        assert len(bench.ledger.seen) == 3, "events are applied meanwhile"
        assert bench.left == []
        bench.database.release()
        await bench.broker.settled()
        running_a = view(record("a"))
        assert bench.left == [Announce(running_a), (running_a,), (Unknown("nobody"),)]
        assert bench.broker.view("a") == running_a


async def test_writes_that_gather_during_a_commit_share_the_next_one(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        bench.database.hold()
        bench.broker.post(PromptAccepted("a", 1))
        await until(lambda: bench.database.waiting, "the commit is under way")
        for task_id in ("b", "c", "d"):
            bench.broker.post(PromptAccepted(task_id, 1))
        await anyio.wait_all_tasks_blocked()
        bench.database.release()
        await bench.broker.settled()
        assert [[w.record.task_id for w in commit if isinstance(w, SaveTask)] for commit in bench.database.commits] == [
            ["a"],
            ["b", "c", "d"],
        ]
        assert [effect.view.record.task_id for effect in bench.left if isinstance(effect, Announce)] == list("abcd")


async def test_a_change_under_way_shows_as_it_was_before(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        bench.broker.post(PromptAccepted("a", 1))
        await bench.broker.settled()
        bench.database.hold()
        bench.broker.post(ChildGone("a", 1, b"text"))
        await until(lambda: bench.database.waiting, "the commit is under way")
        before = bench.broker.view("a")
        assert before is not None
        assert before.status is Status.RUNNING
        assert await bench.broker.result("a", 0, 100) == b""
        bench.database.release()
        await bench.broker.settled()
        after = bench.broker.view("a")
        assert after is not None
        assert after.status is Status.COMPLETED
        assert await bench.broker.result("a", 1, 2) == b"ex"
        assert [type(effect) for effect in bench.left] == [Announce, StopChild, Announce]


async def test_an_answer_is_given_once_and_never_to_one_who_left(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        bench.broker.ask(lambda ref: CancelRequested(ref, None, "twice"), bench.left.append)
        bench.database.hold()
        bench.broker.post(PromptAccepted("a", 1))
        await until(lambda: bench.database.waiting, "the commit is under way")
        gone = bench.ask("a")
        bench.broker.forget(gone)
        bench.broker.forget(gone)
        bench.database.release()
        await bench.broker.settled()
        assert bench.left == [(Unknown("twice"),), Announce(view(record("a")))]
        assert [event for event in bench.ledger.seen if isinstance(event, WaitClosed)] == [WaitClosed(gone)]


async def test_a_fault_of_the_ledger_costs_its_asker_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with running(tmp_path) as bench:
        answers: list[tuple[Answer, ...]] = []
        bench.broker.ask(lambda ref: CancelRequested(ref, None, "x"), answers.append)
        bench.ask("nobody")
        await bench.broker.settled()
        assert isinstance(answers[0][0], Refused)
        assert bench.left == [(Unknown("nobody"),)]
    assert "CancelRequested" in caplog.text


async def test_a_fault_of_an_asker_or_observer_stops_nobody(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:

        def broken(_answers: object) -> None:
            raise RuntimeError("mine")

        bench.broker.attach(broken, lambda _task_id: None)
        bench.broker.ask(bench.status("nobody"), broken)
        bench.broker.post(PromptAccepted("a", 1))
        bench.ask("a")
        await bench.broker.settled()
        assert bench.left == [(view(record("a")),)]


async def test_a_failed_commit_ends_the_host_and_shows_nothing(tmp_path: Path) -> None:
    answers: list[tuple[Answer, ...]] = []
    left: list[object] = []
    async with open_database(str(tmp_path / "codeg.db")) as real:
        database = HeldDatabase(real)
        broker = DelegationBroker(StubLedger(), database, ResultCache(database, lambda: 1))
        broker.attach(left.append, lambda _task_id: None)
        database.fault = OSError("disk full")
        broker.post(PromptAccepted("a", 1))
        broker.ask(lambda ref: StatusAsked(ref, None, ("a",)), answers.append)
        with anyio.fail_after(10), pytest.raises(HostFailed, match="disk full"):
            await broker.run()
        assert left == []
        await broker.settled()
        broker.ask(lambda ref: StatusAsked(ref, None, ("a",)), answers.append)
    assert [answer.code for each in answers for answer in each if isinstance(answer, Refused)] == [
        Code.HOST_UNAVAILABLE,
        Code.HOST_UNAVAILABLE,
    ]


async def test_the_timer_reports_the_moment_that_was_asked_for_last(tmp_path: Path) -> None:
    now = Now(0, 100.0)

    def clock() -> Now:
        return now

    async with running(tmp_path, clock) as bench:
        bench.ledger.wake = 1e9
        bench.broker.post(WaitClosed(0))
        bench.ledger.wake = 150.0
        bench.broker.post(WaitClosed(0))
        await bench.broker.settled()
        assert not any(isinstance(event, TimePassed) for event in bench.ledger.seen)
        now = replace(now, mono=150.0)
        bench.ledger.wake = None
        bench.broker.post(WaitClosed(0))
        await bench.broker.settled()
        assert sum(isinstance(event, TimePassed) for event in bench.ledger.seen) == 1


async def test_the_timer_needs_no_event_to_go_off(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        bench.ledger.wake = system_now().mono + 0.01
        bench.broker.post(WaitClosed(0))
        await until(lambda: any(isinstance(event, TimePassed) for event in bench.ledger.seen), "time passed")


async def test_recalled_tasks_are_there_when_the_recall_returns(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        await bench.database.commit([SaveTask(record("old", Phase.ENDED), b"text")])
        await bench.broker.recall(["old", "never", "old"])
        assert bench.broker.view("old") is not None
        await bench.broker.recall(["old"])
        assert sum(isinstance(event, TasksRecalled) for event in bench.ledger.seen) == 1


async def test_closing_carries_out_what_was_posted(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        for number in range(50):
            bench.broker.post(PromptAccepted(f"t{number}", 1))
        bench.ask("t49")
        bench.broker.close()
        await bench.broker.ended.wait()
        assert len(bench.left) == 51
        await bench.broker.recall(["more"])
