"""The one door between Qt and the host: the host runs on a thread of its own, the window on the main one.

Owns that thread (a blocking portal), what goes in (orders, never blocking) and what comes out (one batch a frame, then
answers, in their order, taken by the UI thread). An exception of the host is told as `crashed`, never swallowed. Ends
by `stop`, which waits at most `STOP_S`.
"""

import logging
import os
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from PySide6.QtCore import QObject, Qt, Signal, Slot

from codeg.api import (
    Activity,
    AgentFailure,
    AgentsChanged,
    Change,
    EntryChanged,
    Host,
    HostError,
    HostRunning,
    HostSettings,
    SettingsError,
    TaskChanged,
    UsageChanged,
    UserError,
    home_paths,
    open_host,
)
from ui.bridge_orders import HostOrders, agents_of
from ui.viewmodels.world import World

if TYPE_CHECKING:
    from concurrent.futures import Future

logger = logging.getLogger(__name__)
T = TypeVar("T")

FRAME_S = 0.03
STOP_S = 7.5
FIRST_SESSIONS, FIRST_TASKS = 500, 1_000
Call = Callable[[], None]


class _Gathered:
    """Changes of one frame: an entry that changes again takes the place of its earlier change."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._entries: dict[tuple[str, int], int] = {}

    def add(self, change: Change) -> None:
        """One more."""
        what = change.what
        if isinstance(what, EntryChanged):
            key = (what.session_id, what.change.entry.seq)
            held = self._entries.get(key)
            if held is not None:
                self.changes[held] = change
                return
            self._entries[key] = len(self.changes)
        self.changes.append(change)


class Bridge(QObject):
    """Feeds `world`, carries `orders` out. Signals are told on the UI thread."""

    opened = Signal()
    crashed = Signal(str, str)
    """Reason, path of the log."""
    refused = Signal(str)
    host_running = Signal(object)
    """A `HostRunning`: another host has this home."""
    raise_asked = Signal()
    stopped = Signal()
    _wake = Signal()

    def __init__(self, world: World, home: str | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world = world
        self.home = home
        self.orders = HostOrders(self)
        self.log_file = home_paths(home).log_file
        self._portal: BlockingPortal | None = None
        self._portal_context: AbstractContextManager[BlockingPortal] | None = None
        self._running: Future[None] | None = None
        self._scope: anyio.CancelScope | None = None
        self._host: Host | None = None
        self._inbox: deque[Call] = deque()
        self._ended = False
        self._asked = False
        # The rest belongs to the host's thread.
        self._gathered = _Gathered()
        self._dirty = anyio.Event()
        self._unread = False
        self._task_of: dict[str, str] = {}
        self._wake.connect(self._take, Qt.ConnectionType.QueuedConnection)

    # ---- on the UI thread

    def start(self) -> None:
        """Open the host; `opened`, `host_running` or `crashed` follows."""
        if self._portal is None:
            self._portal_context = start_blocking_portal("asyncio")
            self._portal = self._portal_context.__enter__()
        self._running = self._portal.start_task_soon(self._run)

    def restart(self) -> None:
        """Open the host again after a crash."""
        if self._running is None or self._running.done():
            self.start()

    def stop(self) -> bool:
        """End the host in order and the thread with it; False when that took longer than `STOP_S`."""
        self._ended = True
        if self._portal is None:
            return True
        clean = True
        with suppress(RuntimeError):  # the portal has ended already
            self._portal.start_task_soon(self._cancel)
        if self._running is not None:
            try:
                self._running.result(STOP_S)
            except TimeoutError:
                clean = False
            except BaseException:  # told already
                logger.debug("the host ended", exc_info=True)
        if clean and self._portal_context is not None:
            self._portal_context.__exit__(None, None, None)
        self._portal = None
        return clean

    def carry(
        self,
        work: Callable[[Host], Awaitable[T]],
        then: Callable[[T], None] | None = None,
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Do something on the host's thread, later; the answer comes back on the UI thread."""
        if self._portal is None or self._ended:
            return
        self._portal.start_task_soon(self._carry, work, then, failed)

    @Slot()
    def _take(self) -> None:
        while self._inbox and not self._ended:
            self._inbox.popleft()()

    # ---- on the host's thread

    def post(self, call: Call) -> None:
        """Have something called on the UI thread, after all that was told before."""
        if not self._ended:
            self._inbox.append(call)
            self._wake.emit()

    async def _cancel(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    async def _run(self) -> None:
        try:
            with anyio.CancelScope() as self._scope:
                if self._ended:
                    return
                async with open_host(HostSettings(home=self.home, raise_window=self._raise)) as host:
                    await self._serve(host)
        except HostRunning as running:
            found = running
            self.post(lambda: self.host_running.emit(found))
        except BaseException as error:  # noqa: BLE001  # whatever ended the host is shown, with a way to start it again
            self._tell_crash(error)
        finally:
            self._host = None
            self.post(self.stopped.emit)

    async def _serve(self, host: Host) -> None:
        unsubscribe = host.subscribe(self._changed)
        try:
            self._host = host
            await self._load(host)
            async with anyio.create_task_group() as group:
                group.start_soon(self._flush_for_ever, host)
                await host.wait_stopped()
                group.cancel_scope.cancel()
        finally:
            unsubscribe()

    async def _load(self, host: Host) -> None:
        snapshot = host.snapshot()
        sessions = {record.session_id: record for record in await host.sessions(FIRST_SESSIONS)}
        sessions |= {record.session_id: record for record in snapshot.sessions}
        tasks = {view.record.task_id: view for view in await host.tasks(FIRST_TASKS)}
        tasks |= {view.record.task_id: view for view in snapshot.tasks}
        day = await host.usage_today()
        agents, settings, asks = agents_of(host), host.settings(), host.asks()
        self._task_of = {view.record.child_id: task_id for task_id, view in tasks.items()}
        world = self.world

        def load() -> None:
            world.load(sessions.values(), tasks.values(), asks, settings=settings, agents=agents, day=day)
            self.opened.emit()

        self.post(load)

    def _changed(self, change: Change) -> None:
        what = change.what
        if isinstance(what, TaskChanged):
            self._task_of[what.view.record.child_id] = what.view.record.task_id
        self._gathered.add(change)
        self._dirty.set()

    async def _flush_for_ever(self, host: Host) -> None:
        while True:
            await self._dirty.wait()
            if not self._unread:
                self._flush(host)
            await anyio.sleep(FRAME_S)

    def _flush(self, host: Host) -> None:
        gathered, self._gathered = self._gathered, _Gathered()
        self._dirty = anyio.Event()
        changes = tuple(gathered.changes)
        if not changes:
            return
        activities = self._activities(host, changes)
        listed = agents_of(host) if any(isinstance(change.what, AgentsChanged) for change in changes) else None
        self._unread = True

        def apply() -> None:
            try:
                self.world.apply(changes, activities)
                if listed is not None:
                    self.world.set_agents(listed)
            finally:
                self._unread = False

        self.post(apply)

    def _activities(self, host: Host, changes: tuple[Change, ...]) -> Mapping[str, Activity | None]:
        stirred = {
            self._task_of[change.what.session_id]
            for change in changes
            if isinstance(change.what, EntryChanged | UsageChanged) and change.what.session_id in self._task_of
        }
        return {task_id: host.activity(task_id) for task_id in stirred}

    async def _carry(self, work: Callable[[Host], Awaitable[Any]], then: Any, failed: Any) -> None:
        host = self._host
        if host is None:
            return
        try:
            answer = await work(host)
        except (UserError, AgentFailure) as error:
            self._refuse(error.message, failed)
            return
        except (HostError, SettingsError) as error:
            self._refuse(str(error), failed)
            return
        except Exception as error:  # a fault of ours in one order must not end the host
            logger.exception("an order failed")
            self._refuse(f"A fault of Codeg: {type(error).__name__}: {error}", failed)
            return
        self._flush(host)
        if then is not None:
            self.post(lambda: cast("Callable[[Any], None]", then)(answer))

    def _refuse(self, sentence: str, failed: Callable[[str], None] | None) -> None:
        self.post((lambda: failed(sentence)) if failed is not None else (lambda: self.refused.emit(sentence)))

    def _raise(self) -> bool:
        self.post(self.raise_asked.emit)
        return True

    def _tell_crash(self, error: BaseException) -> None:
        if isinstance(error, anyio.get_cancelled_exc_class()):
            raise error
        cause: BaseException = error
        while isinstance(cause, BaseExceptionGroup):
            cause = cast("BaseExceptionGroup[BaseException]", cause).exceptions[0]
        if not self._ended:
            logger.error("the host stopped", exc_info=error)
        known = isinstance(cause, HostError | UserError | OSError)
        reason = str(cause) if known else f"{type(cause).__name__}: {cause}"
        log = self.log_file if os.path.exists(self.log_file) else ""
        self.post(lambda: self.crashed.emit(reason, log))
