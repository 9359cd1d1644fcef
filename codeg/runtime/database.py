"""The store behind one database thread: queued writes, group commits, reads in order (architecture, The shell).

Owns the store from opening to closing. One task serves the queue and one piece of work is on the thread at a time:
first everything queued for writing as one transaction, then the oldest read, and so on. What was asked for is done even
if the asker is cancelled. A failed commit is the end of writing: every later one is refused with the same sentence, so
that nothing is shown that is not durable. Leaving the context writes what is queued, then closes. It never polls.
"""

import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import anyio.lowlevel
import anyio.to_thread

from codeg.store.records import Write
from codeg.store.store import Store, StoreError

T = TypeVar("T")

LINGER_S = 1.0
"""Writes that nobody waits for are durable this long after the first of them at the latest."""
_CLOSED = "The store is closed."
_log = logging.getLogger(__name__)


class _Job:
    """Something on the queue that somebody waits for."""

    __slots__ = ("after", "done", "error", "value", "work")

    def __init__(self, work: Callable[[Store], Any] | None = None, after: int = 0) -> None:
        self.work = work
        self.after = after
        self.done = anyio.Event()
        self.value: Any = None
        self.error: Exception | None = None

    def perform(self, store: Store) -> None:
        """Called on the database thread."""
        if self.work is not None:
            try:
                self.value = self.work(store)
            except Exception as error:  # noqa: BLE001  # it belongs to the asker, who raises it
                self.error = error

    async def settled(self) -> Any:
        """The outcome, awaited to its end: work that shares the asker's data must not outlive the call."""
        with anyio.CancelScope(shield=True):
            await self.done.wait()
        if self.error is not None:
            raise self.error
        return self.value


class Database:
    """Keeps the promise `DatabasePort`. Made by `open_database`; all calls belong to the event loop's thread."""

    def __init__(self, store: Store, limiter: anyio.CapacityLimiter, linger_s: float) -> None:
        self._store = store
        self._limiter = limiter
        self._linger_s = linger_s
        self._writes: list[Write] = []
        self._committers: list[_Job] = []
        self._queued = 0
        self._written = 0
        self._reads: deque[_Job] = deque()
        self._wake = anyio.Event()
        self._flush_at = float("inf")
        self._closing = False
        self._failure: str | None = None
        self._told = False

    @property
    def failure(self) -> str | None:
        """Why nothing is written any more: the sentence that every committer gets; None while all is well."""
        return self._failure

    @property
    def untold_failure(self) -> str | None:
        """The failure, if it hit only writes that nobody waited for."""
        return None if self._told else self._failure

    async def run(self, work: Callable[[Store], T]) -> T:
        """Run `work` on the database thread, in the order of the calls; it sees all that was queued for writing before.

        Raises:
            StoreError: the store is closed, or as `work` raises it (anything else of `work` comes through as it is).
        """
        await anyio.lowlevel.checkpoint_if_cancelled()
        if self._closing:
            raise StoreError(_CLOSED)
        job = _Job(work, self._queued)
        self._reads.append(job)
        self._wake.set()
        return await job.settled()

    def write(self, writes: Sequence[Write]) -> None:
        """Queue writes that need no confirmation: durable with the next commit, after `LINGER_S` at the latest.

        After a failed commit they are dropped, as whatever else is shown then.

        Raises:
            StoreError: the store is closed.
        """
        if self._closing:
            raise StoreError(_CLOSED)
        if self._failure is not None or not writes:
            return
        if not self._writes:
            self._flush_at = anyio.current_time() + self._linger_s
            self._wake.set()
        self._queue(writes)

    async def commit(self, writes: Sequence[Write]) -> None:
        """Make writes, and all queued before, durable; returns when they are. Those that wait share one transaction.

        Raises:
            StoreError: they are not durable, and nothing will be any more; or the store is closed.
        """
        await anyio.lowlevel.checkpoint_if_cancelled()
        if self._failure is not None or self._closing:
            self._told = True
            raise StoreError(self._failure or _CLOSED)
        job = _Job()
        self._queue(writes)
        self._committers.append(job)
        self._wake.set()
        await job.settled()

    def close(self) -> None:
        """Accept nothing more; `serve` ends when the queue is empty."""
        self._closing = True
        self._wake.set()

    async def serve(self) -> None:
        """Work the queue until it is closed and empty, whatever is cancelled around it."""
        with anyio.CancelScope(shield=True):
            while await self._anything_to_do():
                await self._commit_queued()
                # A read that was asked for during the commit may come after a write that was, too.
                if self._reads and self._reads[0].after <= self._written:
                    job = self._reads.popleft()
                    await self._on_thread(job.perform)
                    job.done.set()

    async def _anything_to_do(self) -> bool:
        while not (self._committers or self._reads):
            if self._closing:
                return bool(self._writes)
            self._wake = anyio.Event()
            with anyio.CancelScope(deadline=self._flush_at if self._writes else float("inf")) as waiting:
                await self._wake.wait()
            if waiting.cancelled_caught:
                return True
        return True

    async def _commit_queued(self) -> None:
        writes, committers, queued = self._writes, self._committers, self._queued
        self._writes, self._committers = [], []
        if writes:
            try:
                await self._on_thread(lambda store: store.commit(writes))
            except Exception as error:  # noqa: BLE001  # whatever it is, it was not made durable
                self._fail(
                    str(error) if isinstance(error, StoreError) else f"The store could not be written: {error!r}."
                )
        self._written = self._queued if self._failure is not None else queued
        for job in committers:
            self._settle(job)

    def _queue(self, writes: Sequence[Write]) -> None:
        self._writes.extend(writes)
        self._queued += len(writes)

    def _fail(self, sentence: str) -> None:
        _log.error("%s", sentence)
        self._failure = sentence
        self._writes.clear()
        for job in self._committers:
            self._settle(job)
        self._committers.clear()

    def _settle(self, job: _Job) -> None:
        if self._failure is not None:
            # One for each: an exception that several tasks raise would gather all their tracebacks.
            job.error = StoreError(self._failure)
            self._told = True
        job.done.set()

    async def _on_thread(self, work: Callable[[Store], None]) -> None:
        await anyio.to_thread.run_sync(work, self._store, limiter=self._limiter)


@asynccontextmanager
async def open_database(
    path: str, *, opening: Callable[[str], Store] = Store.open, linger_s: float = LINGER_S
) -> AsyncGenerator[Database]:
    """Open the store of `path` behind its thread.

    Args:
        path: the database file.
        opening: what opens it, on the database thread.
        linger_s: seconds after which writes that nobody waits for are committed.

    Raises:
        StoreError: it cannot be opened (`Store.open`), or what was queued at the end could not be written.
    """
    limiter = anyio.CapacityLimiter(1)
    store = await anyio.to_thread.run_sync(opening, path, limiter=limiter)
    database = Database(store, limiter, linger_s)
    try:
        # Entered by hand: what the body raises must come out as it is, not in a group.
        group = anyio.create_task_group()
        await group.__aenter__()
        try:
            group.start_soon(database.serve)
            yield database
        finally:
            database.close()
            await group.__aexit__(None, None, None)
        if database.untold_failure is not None:
            raise StoreError(database.untold_failure)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(store.close, limiter=limiter)
