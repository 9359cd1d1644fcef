"""One conversation: header, sub-agents, transcript, asks, composer (design 6 and 7).

Owns the arrangement and what depends on two of its parts at once; each part knows only its own job. Ends with its tab.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.world import Batch
from ui.widgets import cards
from ui.widgets.asks import AskPanel, AskStrip
from ui.widgets.composer import Composer
from ui.widgets.controls import Button, MessageBar
from ui.widgets.feed import Feed, FeedContext
from ui.widgets.feed.geometry import geometry, overlay_fits
from ui.widgets.overlay import SubAgentsLine, SubAgentsPanel
from ui.wording import tr
from ui.workspace.find_bar import FindBar
from ui.workspace.header import Header
from ui.workspace.plan_line import PlanLine
from ui.workspace.shell import Shell

CARD = cards.DelegationCard
"""Enters the feed's registry by being imported."""


class Conversation(QWidget):
    """The page of one session, root, child or outside."""

    split_asked = Signal()
    more_asked = Signal()
    delegated = Signal(str)

    def __init__(self, session_id: str, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session_id = session_id
        self._shell = shell
        self._world = shell.world
        self._hits: list[str] = []
        self._hit = 0
        self._overlay_wanted = True
        self._own_ask: str | None = None
        self.transcript = shell.transcripts.get(session_id)
        self.header = Header(self)
        self.line = SubAgentsLine(session_id, self._world, self)
        self.plan = PlanLine(self)
        self.find_bar = FindBar(self)
        self.message = MessageBar("", "info", parent=self)
        self.message.hide()
        self.feed = Feed(self._context(), parent=self)
        self.newest = Button(tr("New messages"), "outlined", icon="arrow-down", parent=self.feed)
        self.strip = AskStrip(self._world, self, shell.orders)
        self.composer = Composer(session_id, self._world, shell.orders, shell.view, self)
        self.overlay = SubAgentsPanel(session_id, self._world, shell.orders, self)
        self._ask_room = QWidget(self)
        self._ask_column = QVBoxLayout(self._ask_room)
        self._ask_column.setContentsMargins(0, 0, 0, 0)
        self._ask_room.hide()
        self._arrange()
        self._connect()
        self.feed.set_transcript(self.transcript)
        self._refresh_head()
        self._refresh_asks()

    def _context(self) -> FeedContext:
        shell = self._shell
        return FeedContext(
            world=shell.world,
            orders=shell.orders,
            transcripts=shell.transcripts,
            view=shell.view,
            open_beside=shell.open_beside,
            open_link=shell.open_link,
            jump=shell.jump,
            session_id=self.session_id,
            open_log=shell.open_log,
        )

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.message)
        column.addWidget(self.line)
        column.addWidget(self.plan)
        column.addWidget(self.find_bar)
        column.addWidget(self.feed, 1)
        self._foot = QWidget(self)
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 8, 0, metrics.SPACE_16)
        foot.setSpacing(8)
        foot.addWidget(self._ask_room)
        foot.addWidget(self.strip)
        foot.addWidget(self.composer)
        column.addWidget(self._foot)
        self.newest.hide()
        self.setFocusProxy(self.composer)

    def _connect(self) -> None:
        self._world.changed.connect(self._changed)
        self.header.find_asked.connect(self.open_find)
        self.header.overlay_asked.connect(self.show_overlay)
        self.header.split_asked.connect(self.split_asked)
        self.header.more_asked.connect(self.more_asked)
        self.line.opened.connect(lambda: self.show_overlay(True))
        self.overlay.closed.connect(lambda: self.show_overlay(False))
        self.overlay.task_chosen.connect(self.show_task)
        self.overlay.pane_asked.connect(self.split_asked)
        self.find_bar.searched.connect(self._search)
        self.find_bar.stepped.connect(self._step)
        self.find_bar.closed.connect(self.close_find)
        self.feed.unseen_changed.connect(self._unseen)
        self.feed.at_end_changed.connect(lambda: self._unseen(self.feed.unseen))
        self.feed.visible_changed.connect(self._refresh_strip)
        self.feed.visible_changed.connect(self._refresh_plan)
        self.plan.clicked.connect(lambda: self.feed.jump_to(self.plan.key))
        self.newest.clicked.connect(self.feed.follow)
        self.strip.shown.connect(self._show_ask)
        self.composer.resized.connect(self._place)
        self.message.closed.connect(self.message.hide)
        clock().watch_seconds(self, self._tick)
        theme().changed.connect(self.update)

    # ---- what is live

    def _changed(self, batch: Batch) -> None:
        if self.session_id in batch.sessions:
            self._refresh_plan()
        if self.session_id in batch.sessions or self.session_id in batch.usage or batch.turns:
            self._refresh_head()
        if batch.asks:
            self._refresh_asks()
        if batch.tasks:
            self._place()

    def _refresh_head(self) -> None:
        record = self._world.session(self.session_id)
        self.header.show_session(record, self._world.title_of(self.session_id))
        self._tick()

    def _tick(self) -> None:
        began = self._world.turn_began(self.session_id)
        running = self._world.now_ms() - began if began is not None else None
        self.header.show_numbers(running, self._world.usage(self.session_id))

    # ---- asks

    def _refresh_asks(self) -> None:
        own = self._world.asks_of(self.session_id)
        first = own[0] if own else None
        if (first.request_id if first else None) != self._own_ask:
            self._show_own(first)
        self._refresh_strip()
        self._place()

    def _show_own(self, ask: Ask | None) -> None:
        self._own_ask = ask.request_id if ask else None
        while (item := self._ask_column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        if ask is not None:
            panel = AskPanel(ask, self._world, self._shell.orders, framed=True, parent=self._ask_room)
            self._ask_column.addWidget(panel)
        self._ask_room.setVisible(ask is not None)

    def _refresh_strip(self) -> None:
        """Asks of children whose card is out of sight, oldest first."""
        seen = self.feed.visible_tasks()
        below = self._world.asks_of(self.session_id, below=True)
        own = {ask.request_id for ask in self._world.asks_of(self.session_id)}
        hidden = [ask for ask in below if ask.request_id not in own and self._card_of(ask) not in seen]
        self.strip.show_asks(hidden)

    def _refresh_plan(self) -> None:
        """The running turn's plan is pinned while its card is out of sight."""
        plan = self.transcript.plan
        self.plan.show_plan(plan if plan is not None and plan.key not in self.feed.visible_keys() else None)

    def _card_of(self, ask: Ask) -> str:
        """The task of this conversation below which the ask stands."""
        task = self._world.task(ask.task_id) if ask.task_id else None
        while task is not None and task.record.parent_id != self.session_id:
            parent = task.record.parent_task_id
            task = self._world.task(parent) if parent else None
        return task.record.task_id if task is not None else ""

    def _show_ask(self, request_id: str) -> None:
        ask = self._world.ask(request_id)
        if ask is not None:
            self.show_task(ask.task_id or self._card_of(ask))

    def show_task(self, task_id: str) -> None:
        """Jump to a card; that of a deeper child is its ancestor's here, unfolded down to it."""
        task = self._world.task(task_id)
        path: list[str] = []
        while task is not None:
            path.append(task.record.task_id)
            if task.record.parent_id == self.session_id:
                break
            parent = task.record.parent_task_id
            task = self._world.task(parent) if parent else None
        for outer in path[1:]:
            self._shell.view.set_open(*self._shell.view.card_place(outer))
        key = self.transcript.key_of_task(path[-1]) if path else None
        if key is not None:
            self.feed.jump_to(key)
            card, child = self.feed.view_of(key), self._world.child_session(task_id)
            if isinstance(card, CARD) and child is not None and len(path) > 1:
                card.reveal(child)

    def unfold(self, task_id: str) -> None:
        """Unfold a card and show it."""
        key = self.transcript.key_of_task(task_id)
        if key is None:
            return
        self.feed.jump_to(key)
        view = self.feed.view_of(key)
        if view is not None:
            view.set_open(True)

    def show_entry(self, seq: int) -> None:
        """The row in which an entry is shown, once it is loaded."""
        key = self.transcript.key_of_entry(seq)
        if key is not None:
            self.feed.jump_to(key)
        elif self.transcript.loading:
            self.transcript.loaded.connect(lambda: self.show_entry(seq), Qt.ConnectionType.SingleShotConnection)

    def tell(self, text: str, severity: str = "info") -> None:
        """One sentence under the header."""
        self.message.show_text(text, severity)
        self.message.show()

    def areas(self) -> "list[QWidget]":
        """What F6 walks, in reading order."""
        parts = [self.header, self.message, self.feed, self._ask_room, self.composer, self.overlay]
        return [part for part in parts if part.isVisible()]

    # ---- finding

    def open_find(self) -> None:
        """Ctrl F."""
        self.find_bar.open()
        self._search(self.find_bar.field.text())

    def close_find(self) -> None:
        """Back to the transcript."""
        self.find_bar.hide()
        self.feed.highlight([], None)
        self.feed.setFocus(Qt.FocusReason.OtherFocusReason)

    def _search(self, text: str) -> None:
        self._hits = self.transcript.find(text) if text else []
        self._hit = max(0, len(self._hits) - 1)
        self._step(0)

    def _step(self, step: int) -> None:
        if self._hits:
            self._hit = (self._hit + step) % len(self._hits)
            self.feed.highlight(self._hits, self._hits[self._hit])
            self.feed.jump_to(self._hits[self._hit])
        else:
            self.feed.highlight([], None)
        self.find_bar.show_count(self._hit, len(self._hits))

    # ---- where things lie

    def show_overlay(self, wanted: bool) -> None:
        """Open or close the panel of sub-agents."""
        self._overlay_wanted = wanted
        if wanted and not overlay_fits(self.width()):
            self.overlay.float_over()
        self._place()

    def toggle_overlay(self) -> None:
        """Ctrl Shift A."""
        self.show_overlay(not self.overlay.isVisible())

    def _unseen(self, count: int) -> None:
        self.newest.setText(tr("%n new messages", n=count) if count else tr("New messages"))
        self.newest.setVisible(count > 0 or not self.feed.at_end())
        self._place()

    def _place(self) -> None:
        has_children = bool(self._world.tasks_of(self.session_id))
        fits = overlay_fits(self.width())
        floating = self._overlay_wanted and has_children and (fits or self.overlay.floating)
        self.overlay.setVisible(floating)
        self.line.setVisible(has_children and not (floating and fits))
        self.header.show_overlay_open(floating)
        at = geometry(self.width())
        inner, width = at.left, at.width
        layout = self._foot.layout()
        if layout is not None:
            right = max(metrics.SPACE_16, self.width() - inner - width)
            layout.setContentsMargins(inner, 8, right, metrics.SPACE_16)
        if floating:
            self._place_overlay(fits)
        size = self.newest.sizeHint()
        middle = inner + width // 2
        self.newest.setGeometry(
            QRect(middle - size.width() // 2, self.feed.height() - size.height() - 12, size.width(), size.height())
        )

    def _place_overlay(self, fits: bool) -> None:
        top = self.feed.y() + 12
        most = round((self.height() - self.feed.y()) * 0.6)
        width = metrics.OVERLAY if fits else min(metrics.OVERLAY, self.width() - 32)
        height = min(self.overlay.wanted_height(width), max(120, most))
        self.overlay.setGeometry(self.width() - width - 16, top, width, height)
        self.overlay.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything has its place by width."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()
