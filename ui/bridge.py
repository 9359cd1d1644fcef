"""The one door between Qt and the host: the host runs on a thread of its own, the window on the main one.

Owns one life of the host at a time (`bridge_host`), what goes in (orders, never blocking) and what comes out: frames of
changes for the world, then answers, in their order. A fault of the host is told as `crashed`, never swallowed. Ends by
`begin_stop`, told by `stopped`; `stop` waits for that at most `STOP_S`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from codeg.api import Host, HostSettings, TaskView, home_paths
from ui.bridge_frames import Box, Frame
from ui.bridge_host import Ears, HostLife, Loaded, Order
from ui.bridge_neighbour import Neighbour
from ui.bridge_orders import HostOrders
from ui.viewmodels.world import World
from ui.wording import tr

T = TypeVar("T")

STOP_S = 7.5
"""Seconds for the host's end: of the 8 that the contract gives the process."""


class Bridge(QObject, HostOrders):
    """Feeds `world` and keeps `ui.orders.Orders`. Signals are told on the UI thread. `settings`: for tests."""

    opened = Signal()
    """The world is loaded."""
    changed = Signal(object)
    """A `Batch`: what the world tells."""
    crashed = Signal(str, str)
    """Reason, path of the log ("" = there is none). `restart` opens the host again."""
    refused = Signal(str)
    """A sentence for the message bar."""
    host_running = Signal(int, int)
    """Another host without a window has this home: its pid (0 = not known), tasks that run in it. See `take_over`."""
    elsewhere = Signal()
    """Another desktop has this home and has shown its window."""
    raise_asked = Signal()
    """Another `codeg` was started: show the window."""
    stopped = Signal()
    """The host has ended: it was told to, somebody asked it to, or it crashed."""
    _woken = Signal()

    def __init__(
        self, world: World, home: str | None, parent: QObject | None = None, *, settings: HostSettings | None = None
    ) -> None:
        super().__init__(parent)
        self.world = world
        self.home = home
        self._settings = replace(settings or HostSettings(), home=home)
        self.log_file = home_paths(home).log_file
        self._box = Box(self._woken.emit, self._show)
        self._life: HostLife | None = None
        self._last: HostLife | None = None
        """It has told its end; its thread may still be on its last step."""
        self._next: bool | None = None
        """Begin again as soon as the present life is over; True = by taking over."""
        self._ending = False
        self._open = False
        self._wished = True
        self._woken.connect(self._take, Qt.ConnectionType.QueuedConnection)
        world.changed.connect(self.changed)

    # ---- the host's life

    @property
    def orders(self) -> "Bridge":
        """Itself: it keeps the promise."""
        return self

    @property
    def is_open(self) -> bool:
        """The host runs and the world is loaded."""
        return self._open

    @property
    def ended_by_wish(self) -> bool:
        """The last end was asked for, here or by somebody else: no crash, and no other host in the way."""
        return self._life is None and self._wished

    def start(self) -> None:
        """Open the host; `opened`, `host_running`, `elsewhere` or `crashed` follows."""
        self._begin(take_over=False)

    def restart(self) -> None:
        """Open it again after its end."""
        self._begin(take_over=False)

    def take_over(self) -> None:
        """Stop the host that runs without a window, then open this one."""
        self._begin(take_over=True)

    def begin_stop(self) -> None:
        """End the host in order; `stopped` follows, at once if nothing runs."""
        self._ending = True
        if self._life is None:
            self.stopped.emit()
        else:
            self._life.stop()

    def stop(self, seconds: float = STOP_S) -> bool:
        """The last call: end the host and wait for it, at most so long. False = it still runs. Nothing is told."""
        self._ending = True
        self._box.close()
        if self._life is not None:
            self._life.stop()
        last = self._life or self._last
        return last is None or last.join(seconds)

    def running_tasks(self) -> tuple[TaskView, ...]:
        """Tasks that quitting would interrupt."""
        return self.world.live_tasks() if self._open else ()

    def _begin(self, *, take_over: bool) -> None:
        if self._ending:
            return
        if self._life is not None:
            if not self._wished:  # it has told why it ends, and is not gone yet: the person is quicker
                self._next = take_over
            return
        ears = Ears(
            loaded=self._loaded,
            neighbour=self._neighbour,
            raise_asked=self.raise_asked.emit,
            crashed=self._crashed,
            refused=self.refused.emit,
            ended=self._ended,
        )
        self._wished = True
        self._life = HostLife(self._settings, self._box, ears, take_over=take_over)
        self._life.begin()

    # ---- orders

    def carry(
        self,
        work: Callable[[Host], Awaitable[T]],
        then: Callable[[T], None] | None = None,
        failed: Callable[[str], None] | None = None,
        *,
        acts: bool = True,
    ) -> None:
        """Do something in the host, as soon as it is open, in the order of the calls; answered on the UI thread."""
        if self._life is not None and not self._ending:
            self._life.order(Order(work, then, failed, acts))
        elif failed is not None and not self._ending:
            self._box.put_call(lambda: failed(tr("The host does not run.")))

    def post(self, call: Callable[[], None]) -> None:
        """From the host's thread: have something called on the UI thread, after all that was told before."""
        self._box.put_call(call)

    # ---- what the host tells, on the UI thread

    @Slot()
    def _take(self) -> None:
        self._box.empty()

    def _show(self, frame: Frame) -> None:
        self.world.apply(frame.changes, frame.activities, frame.agents)

    def _loaded(self, loaded: Loaded) -> None:
        self._open = True
        self.cursor = loaded.cursor
        self.world.load(
            loaded.sessions,
            loaded.tasks,
            loaded.asks,
            settings=loaded.settings,
            agents=loaded.agents,
            day=loaded.day,
        )
        self.opened.emit()

    def _crashed(self, reason: str, log: str) -> None:
        self._wished = False
        self.crashed.emit(reason, log)

    def _neighbour(self, found: Neighbour) -> None:
        self._wished = False
        if found.raised:
            self.elsewhere.emit()
        else:
            self.host_running.emit(found.pid, found.tasks)

    def _ended(self) -> None:
        life, self._life, self._open = self._life, None, False
        self._last = life
        for order in life.left() if life is not None else ():
            if order.failed is not None:
                order.failed(tr("The host does not run."))
        self.stopped.emit()
        take_over, self._next = self._next, None
        if take_over is not None:
            self._begin(take_over=take_over)
