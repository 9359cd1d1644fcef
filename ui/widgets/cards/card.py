"""The card itself: head, what waits for the person, fields, and the child's live transcript inside (design 7.3).

Owns its parts, made when they are first needed; every deed is an order. Folded it is two lines whatever happens, but
for an ask, which stands in full. It repaints only when its own task is told of. Goes back to the pool with its row.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from codeg.api import TaskView
from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.cards import CardFace, face_of, id_of
from ui.viewmodels.rows import DelegationRow, Row
from ui.viewmodels.states import ALIVE, State
from ui.viewmodels.world import Batch, World
from ui.widgets.asks import AskPanel
from ui.widgets.cards.deeds import action_of
from ui.widgets.cards.hands import CardHands, drop, has_focus_in
from ui.widgets.cards.head import CardHead
from ui.widgets.cards.inside import CardInside
from ui.widgets.cards.lines import ConfirmLine, FollowUpField, SteerField, kept_field
from ui.widgets.cards.way_down import reveal_in, way_below
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.feed import Feed
from ui.widgets.feed.row_view import RowView, Sign
from ui.widgets.mirror import put

DEEPEST = 2
"""Levels that unfold in place; below, the chevron opens the child beside."""
LEAST_INSIDE = 420
_OUTLINE = 1
_TURNING = frozenset({State.RUNNING, State.STARTING})
_ANNOUNCED = frozenset({State.WAITING, State.FAILED, State.COMPLETED})
_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class DelegationCard(RowView):
    """One delegation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.face: CardFace | None = None
        self.head = CardHead(self)
        self.ask: AskPanel | None = None
        self.field: SteerField | FollowUpField | None = None
        self.confirm: ConfirmLine | None = None
        self.inside: CardInside | None = None
        self._world: World | None = None
        self._short = ""
        self._wide = 0
        self.hands = CardHands(self)
        self.head.strip.acted.connect(self.do)
        self.head.strip.left.connect(self.take_focus_back)
        clock().watch_seconds(self, self._tick)
        clock().watch_frames(self, self._turn)
        theme().changed.connect(self.update)

    # ---- the promise of a row

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this delegation, unfolded as it was left."""
        if self.row is not None and row.key != self.row.key:
            self._let_go()
        super().show_row(row, ctx)
        if self._world is not ctx.world:
            self._forget_world()
            self._world = ctx.world
            ctx.world.changed.connect(self._changed)
        self._short = ""
        self.head.strip.absent = frozenset({"log"}) if ctx.open_log is None else frozenset()
        self.fill()

    def height_for(self, width: int) -> int:
        """Of everything that shows, placed."""
        if width != self._wide:  # a second level may have more or less room to unfold than before
            self._wide = width
            if self.stand.depth:
                self.fill()
        return self.place(width)

    def rest(self) -> None:
        """Back to the pool."""
        self._let_go()
        self._forget_world()
        super().rest()

    def signs(self) -> tuple[Sign, ...]:
        """A branch on the rail, joined to the card."""
        return (Sign("git-branch", self.head.first_line(), joined=True),) if self.stand.depth else ()

    def first_line(self) -> float:
        """Middle of the head's first line."""
        return self.head.first_line()

    def can_open(self) -> bool:
        """In place, as long as the text does not grow too narrow."""
        return self.row is not None and self.unfolds

    def is_open(self) -> bool:
        """As the person left it, wherever the card shows."""
        ctx = self.ctx
        return self.can_open() and ctx is not None and ctx.view.is_open(*self._card_place())

    def set_open(self, is_open: bool) -> None:
        """Unfold or fold, and remember it."""
        if self.ctx is None or not self.can_open() or is_open == self.is_open():
            return
        self.ctx.view.set_open(*self._card_place(), is_open)
        self.unfolded.emit()
        self.fill()
        self.resized.emit()

    def activate(self) -> None:
        """Unfold here, or open beside."""
        if self.can_open():
            self.set_open(not self.is_open())
        else:
            self.do("beside")

    def go_in(self) -> bool:
        """Into the transcript inside."""
        feed = self.inside.feed if self.inside is not None and self.is_open() else None
        if feed is None:
            return False
        feed.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _press(self, digit: int) -> bool:
        """A digit of the ask. Picks of a question go on in the ask itself, so that Enter sends and does not fold."""
        done = self.ask is not None and self.ask.press(digit)
        if done and self.ask is not None and self.ask.ask.kind == "question" and not has_focus_in(self.ask):
            self.ask.setFocus(Qt.FocusReason.OtherFocusReason)
        return done

    def take_key(self, event: QKeyEvent) -> bool:
        """Letters of the card's actions, digits of its ask, the menu key."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Menu or (event.key() == Qt.Key.Key_F10 and shift):
            self.head.strip.open_menu()
            return True
        text = event.text().upper()
        if event.modifiers() & _CHORDS or not text or event.isAutoRepeat():
            return False
        if text in "123456789":
            return self._press(int(text))
        action = action_of(text, self.face) if self.face is not None else None
        ends_first = self.face is not None and self.face.busy and action in {"resume", "again"}
        if action is not None and not ends_first:
            self.do(action)
        return action is not None

    # ---- what it shows

    @property
    def unfolds(self) -> bool:
        """It unfolds in place: two levels do, one where there is little room."""
        depth = self.stand.depth
        return depth == 0 or (depth < DEEPEST and self._wide >= LEAST_INSIDE)

    def view_now(self) -> TaskView | None:
        """Its task, where the host knows it."""
        row = self.row
        if not isinstance(row, DelegationRow) or self._world is None or row.task_id is None:
            return None
        return self._world.task(row.task_id)

    def _card_place(self) -> tuple[str, str]:
        row, ctx = self.row, self.ctx
        assert isinstance(row, DelegationRow), "a row is shown"
        assert ctx is not None, "with its context"
        return ctx.view.card_place(row.task_id) if row.task_id else (ctx.session_id, row.key)

    def fill(self) -> None:
        """Everything that is known of it now."""
        row, ctx = self.row, self.ctx
        if not isinstance(row, DelegationRow) or ctx is None:
            return
        self._show_face()
        self._fill_ask(ctx)
        self.fill_field(ctx)
        if self.is_open():
            if self.inside is None:
                self.inside = CardInside(self)
                self.inside.resized.connect(self.resized)
                self.inside.acted.connect(self.do)
                self.inside.left.connect(self.take_focus_back)
            self.inside.show_task(row, ctx)
            self.inside.show()
        elif self.inside is not None:
            self.inside.hide()
            self.inside.rest()
        self.update()

    def _show_face(self) -> None:
        row, ctx, view = self.row, self.ctx, self.view_now()
        if not isinstance(row, DelegationRow) or ctx is None:
            return
        if view is not None and not self._short:
            self._short = id_of(view, ctx.world)
        face = face_of(row, ctx.world, ctx.session_id, self._short or None)
        if face == self.face and self.head.is_open == self.is_open():
            return
        before, self.face = self.face, face
        self.head.show_face(face, is_open=self.is_open())
        self.setAccessibleName(face.spoken)
        self.setAccessibleDescription(face.line_text)
        news = before is not None and before.full_id == face.full_id and before.state is not face.state
        if news and face.state in _ANNOUNCED and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, face.spoken))
        if before is None or before.state is not face.state:
            self.update()

    def _own_ask(self) -> Ask | None:
        """What this child itself waits for: its children's asks stand on their cards."""
        view, world = self.view_now(), self._world
        asks = world.asks_of(view.record.child_id) if view is not None and world is not None else ()
        return asks[0] if asks else None

    def _fill_ask(self, ctx: FeedContext) -> None:
        ask = self._own_ask()
        if self.ask is not None and (ask is None or ask.request_id != self.ask.ask.request_id):
            if has_focus_in(self.ask):
                self.take_focus_back()
            drop(self.ask)
            self.ask = None
        if ask is not None and self.ask is None:
            self.ask = AskPanel(ask, ctx.world, ctx.orders, framed=False, parent=self)
            self.ask.resized.connect(self.resized)
            self.ask.show()

    def fill_field(self, ctx: FeedContext) -> None:
        """What was open when the card was last seen."""
        view, face = self.view_now(), self.face
        if view is None or face is None:
            return
        wanted = kept_field(view, (*face.buttons, *face.menu), ctx)
        if self.field is not None and type(self.field) is not wanted:
            drop(self.field)
            self.field = None
        if wanted is None or self.field is not None:
            return
        self.field = wanted(view, ctx, self)
        self.field.closed.connect(self.hands.shut_field)
        self.field.resized.connect(self.resized)
        self.field.show()

    # ---- what is live

    def _changed(self, batch: Batch) -> None:
        row, view = self.row, self.view_now()
        if not isinstance(row, DelegationRow) or self.ctx is None:
            return
        if view is None:
            touched = bool(batch.tasks) or self.ctx.session_id in batch.sessions
        else:
            child = view.record.child_id
            own = row.task_id in batch.tasks or child in batch.sessions
            queued = self.face is not None and self.face.state is State.QUEUED and bool(batch.tasks)
            touched = own or queued or batch.asks
            if not touched and (row.task_id in batch.activity or child in batch.usage):
                self._show_face()
        if touched or batch.agents:
            if batch.tasks:
                self._short = ""
            self.fill()
            self.resized.emit()

    def _tick(self) -> None:
        if self.face is not None and self.face.state in ALIVE:
            self._show_face()

    def _turn(self) -> None:
        if self.face is not None and self.face.state in _TURNING:
            self.head.update(self.head.badge_room().toAlignedRect())

    def _forget_world(self) -> None:
        if self._world is not None:
            self._world.changed.disconnect(self._changed)
            self._world = None

    def _let_go(self) -> None:
        for part in (self.ask, self.field, self.confirm):
            if part is not None:
                drop(part)
        self.ask = self.field = self.confirm = None
        if self.inside is not None:
            self.inside.hide()
            self.inside.rest()
        self.face = None
        self.head.forget()

    # ---- where things lie

    def place(self, width: int) -> int:
        """One below the other within one outline; the height."""
        top = self.head.height_for()
        self.head.setGeometry(0, 0, width, top)
        if self.confirm is not None:
            tall, left = self.confirm.sizeHint().height(), metrics.CARD_TEXT
            line = self.head.first_line() + (theme().row(metrics.CARD_LINE_1) + theme().line("ui")) / 2
            put(self.confirm, left, line - tall / 2, width - left - metrics.CARD_HEAD_PAD, tall)
        inner, last = width - 2 * _OUTLINE, top
        if self.field is not None:
            tall = self.field.height_for()
            self.field.setGeometry(_OUTLINE, last, inner, tall)
            last += tall
        if self.ask is not None:
            tall = self.ask.height_for(inner)
            self.ask.setGeometry(_OUTLINE, last, inner, tall)
            last += tall
        if self.inside is not None and self.is_open():
            gap = 0 if last == top else _OUTLINE
            tall = self.inside.height_for(inner)
            self.inside.setGeometry(_OUTLINE, last + gap, inner, tall)
            last += gap + tall
        return last if last == top else last + _OUTLINE

    def resizeEvent(self, event: QResizeEvent) -> None:
        """By its width."""
        super().resizeEvent(event)
        self.place(self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Outline, and a line above each part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        waits = self.face is not None and self.face.state is State.WAITING
        outline = theme().color("waiting.border" if waits else "border.default")
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color("bg.surface"), outline)
        line = theme().color("waiting.border" if waits else "border.subtle")
        for part in (self.ask, self.inside):
            if part is not None and not part.isHidden():
                y = part.y() - _OUTLINE
                hairline(painter, _OUTLINE, y, self.width() - _OUTLINE, y, line)
        painter.end()

    # ---- hands

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the head unfolds; on an action it never does."""
        if event.button() == Qt.MouseButton.LeftButton and self.head.geometry().contains(event.position().toPoint()):
            self.activate()
            event.accept()

    def do(self, name: str) -> None:
        """Carry an action out."""
        self.hands.do(name)

    def take_focus_back(self) -> None:
        """To the feed, where this is the current row."""
        feed = self.parentWidget()
        while feed is not None and not isinstance(feed, Feed):
            feed = feed.parentWidget()
        if feed is not None and self.row is not None:
            feed.setFocus(Qt.FocusReason.OtherFocusReason)
            feed.set_current(self.row.key, reveal=False)

    # ---- the way down

    def show_waiting(self) -> None:
        """Unfold down to the child that waits."""
        view, world = self.view_now(), self._world
        asks = world.asks_of(view.record.child_id, below=True) if view is not None and world is not None else ()
        if asks and world is not None:
            self.reveal(world.asker(asks[0]))

    def reveal(self, session_id: str) -> None:
        """Unfold down to the card of a child further below, or open beside what does not fit."""
        view, ctx = self.view_now(), self.ctx
        below = way_below(view.record.child_id, session_id, ctx.world) if view is not None and ctx is not None else ()
        if not below or ctx is None or view is None:
            return
        if not self.can_open():
            ctx.open_beside(below[-2] if len(below) > 1 else view.record.child_id)
            return
        self.set_open(True)
        task = ctx.world.task_of(below[0])
        if task is not None and self.inside is not None:
            self.inside.unfold("transcript")
            if self.inside.feed is not None:
                reveal_in(self.inside.feed, task.record.task_id, session_id)
