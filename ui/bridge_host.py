"""The host's side of the bridge: one life of the host on its own thread, from opening to its last write.

Owns that thread, the orders that run in it, and the frames of changes: one goes out at once after a quiet time, then
at most one every `FRAME_S`. Never touches a widget or the world; what it has to say goes into the box. Ends when it is
told to stop, when somebody asks the host to stop, or by a fault, which is told as `crashed`. An order is handed over by
`call_soon_threadsafe`: anyio's portal waits for the loop to take what it starts, and the UI thread must not.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

import anyio

from codeg.api import (
    Activity,
    AgentFailure,
    AgentsChanged,
    Change,
    DayUsage,
    EntryChanged,
    Host,
    HostError,
    HostRunning,
    HostSettings,
    SessionRecord,
    Settings,
    SettingsError,
    TaskChanged,
    TaskView,
    UsageChanged,
    UserError,
    home_paths,
    open_host,
    open_log,
)
from ui.bridge_frames import Box, Frame
from ui.bridge_neighbour import Neighbour, ask_to_raise, ask_to_stop
from ui.bridge_reading import agents_of, read_stretch
from ui.orders import AgentInfo
from ui.wording import tr

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

logger = logging.getLogger(__name__)

FRAME_S = 0.03
ACTS_S = 1.0
"""Seconds at the end for orders that write and have begun; what waits for an agent or a program is given up."""
OPEN_AGAIN_S, OPEN_EVERY_S = 10.0, 0.1
"""How long, and how often, the home of a host that is going away is tried."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everything at the beginning."""

    sessions: tuple[SessionRecord, ...]
    tasks: tuple[TaskView, ...]
    asks: tuple[dict[str, Any], ...]
    settings: Settings
    agents: tuple[AgentInfo, ...]
    day: DayUsage
    cursor: str | None
    """Where older sessions begin; None = these are all."""


@dataclass(frozen=True, slots=True)
class Ears:
    """Who is told, all on the UI thread. `crashed`: reason and path of the log; `ended` is the last word."""

    loaded: Callable[[Loaded], None]
    neighbour: Callable[[Neighbour], None]
    raise_asked: Callable[[], None]
    crashed: Callable[[str, str], None]
    refused: Callable[[str], None]
    ended: Callable[[], None]


@dataclass(slots=True)
class Order:
    """Something to do in the host. `acts`: it changes something, so what was told before its answer goes out first."""

    work: Callable[[Host], Awaitable[Any]]
    then: Callable[[Any], None] | None = None
    failed: Callable[[str], None] | None = None
    acts: bool = True


class _State:
    """Of this life; made and used on the host's thread alone."""

    def __init__(self) -> None:
        self.scope = anyio.CancelScope()
        self.stop_asked = anyio.Event()
        self.settled = anyio.Event()
        self.dirty = anyio.Event()
        self.heard = anyio.Event()
        self.frame = Frame()
        self.early: list[Order] = []
        self.open: tuple[Host, TaskGroup] | None = None
        self.over = False
        self.acting = 0
        self.task_of: dict[str, str] = {}


class HostLife:
    """`begin` once; then `order`, `stop`, `join` from the UI thread. `take_over`: stop the host that is there first."""

    def __init__(self, settings: HostSettings, box: Box, ears: Ears, *, take_over: bool = False) -> None:
        self._home = settings.home
        self._settings = replace(settings, raise_window=self._raise)
        self._box = box
        self._ears = ears
        self._take_over = take_over
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[Order | None] = deque()
        """Orders on their way; None = stop."""
        self._thread = Thread(target=self._run, name="codeg-host", daemon=True)

    # ---- from the UI thread

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def order(self, order: Order) -> None:
        """Do it as soon as the host is open, in the order of the calls."""
        self._send(order)

    def stop(self) -> None:
        """End in order."""
        self._send(None)

    def left(self) -> tuple[Order, ...]:
        """Orders that came too late, once it is over."""
        return tuple(order for order in self._waiting if order is not None)

    def join(self, seconds: float) -> bool:
        """Wait for the thread's end, at most so long; whether it ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _send(self, thing: Order | None) -> None:
        self._waiting.append(thing)  # first, so that a loop that begins or ends at this moment finds it
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it ended at this moment
                loop.call_soon_threadsafe(self._state.heard.set)

    # ---- the thread

    def _run(self) -> None:
        try:
            anyio.run(self._live)
        except BaseException as error:  # noqa: BLE001  # whatever it is, the window must hear of it
            self._tell_crash(error)
        finally:
            self._box.put_call(self._ears.ended)

    async def _live(self) -> None:
        state = self._state = _State()
        self._loop = asyncio.get_running_loop()
        async with anyio.create_task_group() as group:
            group.start_soon(self._hear)
            try:
                with state.scope:
                    await self._open()
            except Exception as error:  # noqa: BLE001  # told, with a way to start it again
                self._tell_crash(error)
            finally:
                state.over = True
                self._loop = None
                for order in state.early:
                    self._refuse(tr("The host does not run."), order.failed, quiet=True)
                group.cancel_scope.cancel()

    async def _hear(self) -> None:
        """Orders from the UI thread, in their order; the first ones came before this loop did."""
        state = self._state
        while True:
            state.heard = anyio.Event()
            while self._waiting and not state.over:
                thing = self._waiting.popleft()
                if thing is None:
                    self._end()
                else:
                    self._take(thing)
            await state.heard.wait()

    def _end(self) -> None:
        state = self._state
        state.stop_asked.set()
        if state.open is None and not state.over:  # cut short whatever opening waits for
            state.scope.cancel()

    async def _open(self) -> None:
        """Open and serve. A home that another host has is tried again while that host neither answers nor is gone."""
        if self._take_over:
            await ask_to_stop(self._home)
        deadline = anyio.current_time() + OPEN_AGAIN_S
        while True:
            try:
                async with open_host(self._settings) as host:
                    await self._serve(host)
                return
            except HostRunning as running:
                found = None if self._take_over else await ask_to_raise(self._home)
                if found is None and anyio.current_time() > deadline:
                    found = Neighbour(running.pid or 0)
                if found is not None:
                    self._box.put_call(partial(self._ears.neighbour, found))
                    return
            await anyio.sleep(OPEN_EVERY_S)

    async def _serve(self, host: Host) -> None:
        state = self._state
        unsubscribe = host.subscribe(self._changed)
        try:
            await self._load(host)
            async with anyio.create_task_group() as group:
                state.open = (host, group)
                early, state.early = state.early, []
                for order in early:
                    self._take(order)
                group.start_soon(self._flush_for_ever, host)
                group.start_soon(self._watch, host)
                await state.stop_asked.wait()
                await self._settle_acts()
                self._flush(host)
                group.cancel_scope.cancel()
        finally:
            unsubscribe()
            state.over = True

    async def _watch(self, host: Host) -> None:
        """Somebody else may ask the host to end (`operator stop`)."""
        await host.wait_stopped()
        self._state.stop_asked.set()

    async def _load(self, host: Host) -> None:
        stretch = await read_stretch(host)
        sessions = {record.session_id: record for record in stretch.sessions}
        tasks = {view.record.task_id: view for view in stretch.tasks}
        day, agents = await host.usage_today(), agents_of(host)
        snapshot = host.snapshot()  # last, and nothing is waited for from here on: it is the newest
        sessions |= {record.session_id: record for record in snapshot.sessions}
        tasks |= {view.record.task_id: view for view in snapshot.tasks}
        self._state.task_of = {view.record.child_id: view.record.task_id for view in snapshot.tasks}
        loaded = Loaded(
            sessions=tuple(sessions.values()),
            tasks=tuple(tasks.values()),
            asks=snapshot.asks,
            settings=host.settings(),
            agents=agents,
            day=day,
            cursor=stretch.cursor,
        )
        self._box.put_call(lambda: self._ears.loaded(loaded))

    # ---- changes

    def _changed(self, change: Change) -> None:
        what = change.what
        if isinstance(what, TaskChanged):
            self._state.task_of[what.view.record.child_id] = what.view.record.task_id
        self._state.frame.add(change)
        self._state.dirty.set()

    async def _flush_for_ever(self, host: Host) -> None:
        while True:
            await self._state.dirty.wait()
            self._flush(host)
            await anyio.sleep(FRAME_S)

    def _flush(self, host: Host) -> None:
        state = self._state
        frame = state.frame
        if not frame.changes:
            return
        state.frame, state.dirty = Frame(), anyio.Event()
        frame.activities |= self._activities(host, frame)
        if any(isinstance(change.what, AgentsChanged) for change in frame.changes):
            frame.agents = agents_of(host)
        self._box.put_frame(frame)

    def _activities(self, host: Host, frame: Frame) -> Mapping[str, Activity | None]:
        """What the children do whose conversations stirred."""
        stirred: set[str] = set()
        for change in frame.changes:
            what = change.what
            if isinstance(what, EntryChanged | UsageChanged):
                task_id = self._state.task_of.get(what.session_id)
                if task_id is not None:
                    stirred.add(task_id)
            elif isinstance(what, TaskChanged):
                stirred.add(what.view.record.task_id)
        return {task_id: host.activity(task_id) for task_id in stirred}

    # ---- orders

    def _take(self, order: Order) -> None:
        state = self._state
        if state.stop_asked.is_set():
            self._refuse(tr("The host does not run."), order.failed, quiet=True)
        elif state.open is None:
            state.early.append(order)
        else:
            host, group = state.open
            state.acting += order.acts
            group.start_soon(self._carry, order, host)

    async def _carry(self, order: Order, host: Host) -> None:
        try:
            answer = await order.work(host)
        except (UserError, AgentFailure) as error:
            self._refuse(error.message, order.failed)
        except (HostError, SettingsError) as error:
            self._refuse(str(error), order.failed)
        except Exception as error:  # a fault of ours in one order must not end the host
            logger.exception("an order failed")
            self._refuse(tr("A fault of Codeg: {fault}", fault=f"{type(error).__name__}: {error}"), order.failed)
        else:
            then = order.then
            if order.acts:
                self._flush(host)
            if then is not None:
                self._box.put_call(lambda: then(answer))
        finally:
            if order.acts:
                self._state.acting -= 1
                self._state.settled.set()

    async def _settle_acts(self) -> None:
        state = self._state
        with anyio.move_on_after(ACTS_S):
            while state.acting:
                state.settled = anyio.Event()
                await state.settled.wait()

    def _refuse(self, sentence: str, failed: Callable[[str], None] | None, *, quiet: bool = False) -> None:
        """`quiet`: the window says already why nothing is done."""
        if failed is not None:
            self._box.put_call(lambda: failed(sentence))
        elif not quiet:
            self._box.put_call(lambda: self._ears.refused(sentence))

    # ---- what else there is to say

    def tell(self, call: Callable[[], None]) -> None:
        """Have something called on the UI thread (steps of an order)."""
        self._box.put_call(call)

    def _raise(self) -> bool:
        if self._state.stop_asked.is_set():
            return False
        self._box.put_call(self._ears.raise_asked)
        return True

    def _tell_crash(self, error: BaseException) -> None:
        cause: BaseException = error
        while isinstance(cause, BaseExceptionGroup):
            cause = cast("BaseExceptionGroup[BaseException]", cause).exceptions[0]
        known = isinstance(cause, HostError | UserError | OSError) and str(cause)
        reason = str(cause) if known else f"{type(cause).__name__}: {cause}"
        log = home_paths(self._home).log_file
        with suppress(OSError), open_log(log):  # the host's own has been closed with it
            logger.error("the host stopped", exc_info=error)
        self._box.put_call(lambda: self._ears.crashed(reason, log if os.path.exists(log) else ""))
