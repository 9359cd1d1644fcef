"""The database thread: order, group commits, cancellation, a disk that fails, the end."""

import threading
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import pytest

from codeg.runtime.database import Database, open_database
from codeg.store.records import NoteRecord, SaveNote, SaveTask, Write
from codeg.store.store import Store, StoreError
from tests.store.samples import task

if TYPE_CHECKING:
    from codeg.runtime.services import DatabasePort

pytestmark = pytest.mark.anyio


class SlowStore(Store):
    """Its commits wait for `gate`; `batches` are the transactions as they were made."""

    gate: threading.Event
    begun: threading.Event
    batches: list[list[Write]]
    fault: Exception | None

    @classmethod
    def open(cls, path: str) -> "SlowStore":
        store = super().open(path)
        store.gate, store.begun, store.batches, store.fault = threading.Event(), threading.Event(), [], None
        store.gate.set()
        return store

    def commit(self, writes: Iterable[Write]) -> None:
        batch = list(writes)
        self.begun.set()
        assert self.gate.wait(20)
        if self.fault is not None:
            raise self.fault
        super().commit(batch)
        self.batches.append(batch)


def note(number: int) -> SaveNote:
    return SaveNote(NoteRecord(f"n{number}", "s", "text", number))


def numbers(batch: Iterable[Any]) -> list[int]:
    return [write.record.created_ms for write in batch]


async def begun(store: SlowStore) -> None:
    assert await anyio.to_thread.run_sync(store.begun.wait, 20)


async def settle() -> None:
    """Let every other task run until it waits."""
    for _ in range(5):
        await anyio.lowlevel.checkpoint()


@pytest.fixture
def path(tmp_path: object) -> str:
    return f"{tmp_path}/data/codeg.db"


async def _slow(database: Database) -> SlowStore:
    store = await database.run(lambda store: store)
    assert isinstance(store, SlowStore)
    return store


open_slow = partial(open_database, opening=SlowStore.open, linger_s=1000.0)


async def test_what_is_committed_is_durable_when_it_returns(path: str) -> None:
    with anyio.fail_after(20):
        async with open_database(path) as database:
            # The promise of `services` is kept: checked by the types.
            port: DatabasePort = database
            await port.commit([SaveTask(task(1))])
            with Store.open_readonly(path) as looking:
                assert looking.live_tasks() == (task(1),)


async def test_all_that_is_queued_during_a_commit_is_the_next_transaction_in_order(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database, anyio.create_task_group() as group:
            store = await _slow(database)
            store.gate.clear()
            finished: list[int] = []

            async def commit(number: int) -> None:
                await database.commit([note(number)])
                finished.append(number)

            group.start_soon(commit, 0)
            await begun(store)
            database.write([note(1)])
            for number in range(2, 6):
                group.start_soon(commit, number)
                await settle()
                database.write([note(number + 100)])
            assert finished == []
            store.gate.set()
            await database.commit([])
            assert [numbers(batch) for batch in store.batches] == [[0], [1, 2, 102, 3, 103, 4, 104, 5, 105]]
            await settle()
            assert finished == [0, 2, 3, 4, 5]


async def test_nobody_is_told_before_the_commit_is_durable(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database, anyio.create_task_group() as group:
            store = await _slow(database)
            store.gate.clear()
            told = anyio.Event()

            async def commit() -> None:
                await database.commit([SaveTask(task(1))])
                told.set()

            group.start_soon(commit)
            await begun(store)
            await settle()
            with Store.open_readonly(path) as looking:
                assert looking.live_tasks() == ()
            assert not told.is_set()
            store.gate.set()
            await told.wait()
            with Store.open_readonly(path) as looking:
                assert looking.live_tasks() == (task(1),)


async def test_reads_run_in_the_order_of_their_calls_and_see_what_was_queued_before(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database, anyio.create_task_group() as group:
            store = await _slow(database)
            store.gate.clear()
            order: list[tuple[str, int]] = []

            async def read(name: str) -> None:
                await database.run(lambda store: order.append((name, len(store.pending_notes()))))

            group.start_soon(database.commit, [note(0)])
            await begun(store)
            for name in "abc":
                database.write([note(ord(name))])
                group.start_soon(read, name)
                await settle()
            store.gate.set()
            await database.run(lambda _: None)
            assert order == [("a", 4), ("b", 4), ("c", 4)]


async def test_an_error_of_a_read_belongs_to_its_asker_alone(path: str) -> None:
    def fail(_: Store) -> None:
        raise LookupError("mine")

    with anyio.fail_after(20):
        async with open_database(path) as database:
            with pytest.raises(LookupError, match="mine"):
                await database.run(fail)
            await database.commit([note(1)])
            assert await database.run(lambda store: len(store.pending_notes())) == 1


async def test_a_cancelled_asker_waits_for_its_work_and_the_work_is_done(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database:
            store = await _slow(database)
            store.gate.clear()
            ran: list[str] = []
            left: list[str] = []

            async def ask() -> None:
                try:
                    await database.run(lambda _: ran.append("read"))
                    await anyio.lowlevel.checkpoint()
                finally:
                    left.append("read")

            async def commit() -> None:
                await database.commit([note(1)])

            async with anyio.create_task_group() as group:
                group.start_soon(commit)
                await begun(store)
                group.start_soon(ask)
                await settle()
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await settle()
                    assert (ran, left) == ([], [])
                    store.gate.set()
            assert (ran, left) == (["read"], ["read"])
            assert numbers(store.batches[0]) == [1]


async def test_a_caller_that_is_cancelled_already_asks_for_nothing(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database:
            store = await _slow(database)
            for call in (partial(database.commit, [note(1)]), partial(database.run, lambda _: None)):
                with anyio.CancelScope() as scope:
                    scope.cancel()
                    await call()
                assert scope.cancelled_caught
            await database.commit([])
            assert store.batches == []


async def test_a_failed_commit_reaches_every_committer_and_ends_all_writing(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database:
            store = await _slow(database)
            store.gate.clear()
            store.fault = StoreError("The store x could not be written: the disk is full.")
            errors: list[StoreError] = []

            async def commit(number: int) -> None:
                with pytest.raises(StoreError) as caught:
                    await database.commit([note(number)])
                errors.append(caught.value)

            async with anyio.create_task_group() as group:
                group.start_soon(commit, 0)
                await begun(store)
                for number in range(1, 4):
                    group.start_soon(commit, number)
                await settle()
                database.write([note(9)])
                store.gate.set()
            store.fault = None
            assert len(errors) == 4
            assert {str(error) for error in errors} == {"The store x could not be written: the disk is full."}
            assert len({id(error) for error in errors}) == 4
            assert database.failure == str(errors[0])
            database.write([note(10)])
            await commit(11)
            assert str(errors[-1]) == database.failure
            assert await database.run(lambda store: store.pending_notes()) == ()
            assert store.batches == []


async def test_any_error_of_a_commit_is_a_store_error(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database:
            store = await _slow(database)
            store.fault = RuntimeError("a bug")
            with pytest.raises(StoreError, match="a bug"):
                await database.commit([note(1)])


async def test_a_failure_that_nobody_waited_for_is_told_at_the_end(path: str) -> None:
    with anyio.fail_after(20):
        with pytest.raises(StoreError, match="the disk is full"):
            async with open_slow(path) as database:
                store = await _slow(database)
                store.fault = StoreError("The store x could not be written: the disk is full.")
                database.write([note(1)])
        with Store.open(path) as reopened:
            assert reopened.pending_notes() == ()


async def test_closing_writes_what_is_queued(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path) as database:
            database.write([note(1)])
            database.write([note(2)])
        with Store.open_readonly(path) as looking:
            assert [record.note_id for record in looking.pending_notes()] == ["n1", "n2"]


async def test_closing_writes_what_is_queued_even_when_all_is_cancelled(path: str) -> None:
    with anyio.fail_after(20):
        with anyio.CancelScope() as scope:
            async with open_slow(path) as database:
                database.write([note(1)])
                scope.cancel()
                await anyio.sleep_forever()
        with Store.open_readonly(path) as looking:
            assert len(looking.pending_notes()) == 1


async def test_a_closed_database_refuses_with_a_sentence(path: str) -> None:
    with anyio.fail_after(20):
        async with open_database(path) as database:
            pass
        for call in (partial(database.commit, []), partial(database.run, lambda _: None)):
            with pytest.raises(StoreError, match="closed"):
                await call()
        with pytest.raises(StoreError, match="closed"):
            database.write([note(1)])


async def test_what_the_body_raises_comes_out_as_it_is(path: str) -> None:
    with anyio.fail_after(20):
        with pytest.raises(LookupError, match="body"):
            async with open_database(path) as database:
                database.write([note(1)])
                raise LookupError("body")
        with Store.open_readonly(path) as looking:
            assert len(looking.pending_notes()) == 1


async def test_writes_that_nobody_waits_for_are_durable_after_the_linger(path: str) -> None:
    with anyio.fail_after(20):
        async with open_slow(path, linger_s=0.0) as database:
            store = await _slow(database)
            database.write([note(1)])
            await begun(store)
            await database.run(lambda _: None)
            assert [numbers(batch) for batch in store.batches] == [[1]]


async def test_a_store_that_cannot_be_opened_is_a_store_error(tmp_path: object) -> None:
    with anyio.fail_after(20), pytest.raises(StoreError):
        async with open_database(f"{tmp_path}"):
            raise AssertionError("it must not open")


async def test_a_thousand_committers_share_a_few_transactions(path: str) -> None:
    with anyio.fail_after(60):
        async with open_slow(path) as database, anyio.create_task_group() as group:
            store = await _slow(database)
            for number in range(1000):
                group.start_soon(database.commit, [note(number)])
            await settle()
            await database.commit([])
            assert sorted(number for batch in store.batches for number in numbers(batch)) == list(range(1000))
            assert len(store.batches) < 10
