"""The card itself: head, what waits for the person, steer field, and the child's live transcript inside (design 7.3).

Owns its parts and makes each when it is first needed; every deed is an order. Folded it is two lines whatever happens.
Ends with its row, which returns it to the pool.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from codeg.api import TaskView
from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.painting import focus_ring, hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.cards import Face, face_of
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import Batch
from ui.widgets.asks import AskPanel
from ui.widgets.cards.head import CardHead
from ui.widgets.cards.inside import CardInside
from ui.widgets.cards.lines import ConfirmLine, FollowUpField, SteerField
from ui.widgets.feed.context import Geometry
from ui.widgets.feed.view import RowView
from ui.wording import tr

DEEPEST = 2
"""Levels that unfold in place; below, the chevron opens the child beside."""
LEAST_INSIDE = 420


class DelegationCard(RowView):
    """One delegation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.face: Face | None = None
        self.head = CardHead(self)
        self.ask: AskPanel | None = None
        self.steer: SteerField | None = None
        self.follow_up: FollowUpField | None = None
        self.confirm: ConfirmLine | None = None
        self.inside: CardInside | None = None
        self._world_connected = False
        self._box = QRectF()
        self.head.acted.connect(self.do)
        self.head.toggled.connect(self.toggle)
        clock().watch_seconds(self, self._tick)
        clock().watch_frames(self, self._turn)

    # ---- what it shows

    def fill(self) -> None:
        """Everything that the world knows of this delegation."""
        row, context = self.row, self.context
        if not isinstance(row, DelegationRow) or context is None:
            return
        if not self._world_connected:
            context.world.changed.connect(self._changed)
            self._world_connected = True
        face = face_of(row, context.world)
        self.face = face
        self.head.show_face(face, is_open=self._unfolds() and self.is_open())
        self.setAccessibleName(face.spoken)
        self._fill_ask()
        self._fill_inside(row)

    def view_now(self) -> TaskView | None:
        """The task."""
        row, context = self.row, self.context
        if not isinstance(row, DelegationRow) or context is None or row.task_id is None:
            return None
        return context.world.task(row.task_id)

    def _own_ask(self) -> Ask | None:
        """What this child itself waits for (not what its children do)."""
        context, view = self.context, self.view_now()
        if context is None or view is None or state_of_task(view) not in ALIVE:
            return None
        found = [ask for ask in context.world.asks() if ask.task_id == view.record.task_id]
        return found[0] if found else None

    def _fill_ask(self) -> None:
        ask, context = self._own_ask(), self.context
        if self.ask is not None and (ask is None or ask.request_id != self.ask.ask.request_id):
            self.ask.setParent(None)
            self.ask.deleteLater()
            self.ask = None
        if ask is not None and self.ask is None and context is not None:
            self.ask = AskPanel(ask, context.world, context.orders, framed=False, parent=self)
            self.ask.resized.connect(self.resized)
            self.ask.show()

    def _fill_inside(self, row: DelegationRow) -> None:
        wanted = self.is_open() and self._unfolds()
        if wanted and self.context is not None:
            if self.inside is None:
                self.inside = CardInside(self)
                self.inside.resized.connect(self.resized)
                self.inside.acted.connect(self.do)
            self.inside.show_task(row, self.context)
        if self.inside is not None:
            self.inside.setVisible(wanted)

    def _unfolds(self) -> bool:
        """In place, or beside where it would grow too narrow."""
        depth = self.context.depth if self.context is not None else 0
        return depth < DEEPEST and (depth == 0 or self.lies.width >= LEAST_INSIDE)

    # ---- what is live

    def _changed(self, batch: Batch) -> None:
        row, context = self.row, self.context
        if not isinstance(row, DelegationRow) or context is None or row.task_id is None:
            return
        view = self.view_now()
        touched = row.task_id in batch.tasks or row.task_id in batch.activity
        touched = touched or (view is not None and view.record.child_id in batch.usage)
        if batch.asks or touched:
            had = self.ask is not None
            self.fill()
            if had != (self.ask is not None) or row.task_id in batch.tasks:
                self.resized.emit()
            self.update()

    def _tick(self) -> None:
        if self.face is not None and self.face.state in ALIVE and isinstance(self.row, DelegationRow) and self.context:
            self.face = face_of(self.row, self.context.world)
            self.head.show_face(self.face, is_open=self.head.is_open)

    def _turn(self) -> None:
        if self.face is not None and self.face.state in {State.RUNNING, State.STARTING}:
            self.head.update()

    def rest(self) -> None:
        """Let go of the child's transcript and of what waits."""
        if self._world_connected and self.context is not None:
            self.context.world.changed.disconnect(self._changed)
            self._world_connected = False
        for part in (self.ask, self.steer, self.follow_up, self.confirm, self.inside):
            if part is not None:
                part.setParent(None)
                part.deleteLater()
        self.ask = self.steer = self.follow_up = self.confirm = self.inside = None
        self.face = None
        super().rest()

    # ---- where things lie

    def place(self, at: Geometry) -> int:
        """Head, confirmation, ask, steer field, inside: one below the other, one outline around them."""
        left, width, top = at.left + 1, at.width - 2, 1
        height = self.head.height_for(width)
        self.head.setGeometry(left, top, width, height)
        top += height
        for part in (self.confirm, self.steer, self.follow_up):
            if part is not None:
                part.setGeometry(left, top, width, part.height_for(width))
                top += part.height_for(width)
        if self.ask is not None:
            tall = self.ask.height_for(width)
            self.ask.setGeometry(left, top + 1, width, tall)
            top += tall + 1
        if self.inside is not None and self.is_open() and self._unfolds():
            tall = self.inside.height_for(width)
            self.inside.setGeometry(left, top + 1, width, tall)
            top += tall + 1
        self._box = QRectF(at.left, 0, at.width, top + 1)
        return top + 1

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Outline, rail and its branch, gutter badge, rings."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        at, context = self.lies, self.context
        if context is not None and context.depth:
            self._paint_branch(painter, at)
        elif self.row is not None and getattr(self.row, "first", False):
            self._paint_badge(painter)
        waits = self.ask is not None
        outline = theme().color("waiting.border" if waits else "border.default")
        rounded(painter, self._box, metrics.RADIUS_8, theme().color("bg.surface"), outline)
        line = theme().color("waiting.border" if waits else "border.subtle")
        below = self.head.geometry().bottom() + 1
        if self._box.height() > below + 2:
            hairline(painter, self._box.left() + 1, below, self._box.right() - 1, below, line)
        if self.jumped or self.current:
            focus_ring(painter, self._box, metrics.RADIUS_8, inside=True)
        painter.end()

    def _paint_branch(self, painter: QPainter, at: Geometry) -> None:
        color = theme().color("border.default")
        hairline(painter, at.rail, 0, at.rail, self.height(), color)
        middle = metrics.CARD_HEAD_PAD + theme().row(metrics.CARD_LINE_1) / 2
        hairline(painter, at.rail, middle, at.left, middle, color)
        icon = QRectF(at.rail - 7, middle - 7, 14, 14)
        painter.fillRect(icon.adjusted(-2, -2, 2, 2), theme().color("bg.sunken"))
        draw_icon(painter, icon, "git-fork", theme().color("text.muted"))

    # ---- what can be done

    def toggle(self) -> bool:
        """Unfold in place, or beside."""
        if not self._unfolds():
            self.do("beside")
            return True
        self.set_open(not self.is_open())
        return True

    def act(self, key: str) -> bool:
        """S steer, X stop, R resume or run again, O beside, T task; digits answer."""
        if key.isdigit():
            return self.ask is not None and self.ask.press(int(key))
        face = self.face
        if face is None:
            return False
        every = (*face.buttons, *face.menu)
        wanted = {"S": ("steer",), "X": ("stop", "cancel"), "R": ("resume", "again"), "O": ("beside",), "T": ("task",)}
        found = next((name for name in wanted[key] if name in every), None)
        if found is not None:
            self.do(found)
        return found is not None

    def copy_text(self) -> str:
        """The task; a result is copied by an order, since it may be long."""
        view = self.view_now()
        if view is not None and state_of_task(view) is State.COMPLETED:
            self.do("copy")
            return QGuiApplication.clipboard().text()
        return super().copy_text()

    def do(self, name: str) -> None:
        """Carry an action out."""
        view, context = self.view_now(), self.context
        if context is None or view is None:
            if name == "copy_error" and isinstance(self.row, DelegationRow):
                QGuiApplication.clipboard().setText(self.row.failure)
            elif name == "task":
                self.set_open(True)
            return
        record, orders = view.record, context.orders
        match name:
            case "stop" | "cancel":
                self._stop(view)
            case "resume":
                orders.resume_task(record.task_id)
            case "start_now":
                orders.start_now(record.task_id)
            case "start_again":
                orders.cancel_task(record.task_id)
                orders.delegate(record.parent_id, record.agent_type, record.task_text, record.working_dir)
            case "again":
                orders.delegate(record.parent_id, record.agent_type, record.task_text, record.working_dir)
            case "beside":
                context.open_beside(record.child_id)
            case _:
                self._do_more(name, view)

    def _do_more(self, name: str, view: TaskView) -> None:
        context, record = self.context, view.record
        if context is None:
            return
        match name:
            case "copy":
                context.orders.result(record.task_id, QGuiApplication.clipboard().setText)
            case "copy_id":
                QGuiApplication.clipboard().setText(record.task_id)
            case "copy_error":
                QGuiApplication.clipboard().setText(record.end.message or "" if record.end is not None else "")
            case "steer":
                self._open_steer()
            case "follow_up":
                self._open_follow_up()
            case "another":
                self._choose_agent(view)
            case "log":
                if context.open_log is not None:
                    context.open_log(record.child_id)
            case "task":
                context.view.set_open(context.session_id, f"{self.row.key if self.row else ''}/task", True)
                self.set_open(True)
            case "show":
                self._show_waiting(view)
            case _:
                pass

    def _stop(self, view: TaskView) -> None:
        """At once; one line asks if the child has living children of its own."""
        context = self.context
        if context is None:
            return
        below = [each for each in context.world.descendants(view.record.child_id) if state_of_task(each) in ALIVE]
        if not below:
            context.orders.cancel_task(view.record.task_id)
            return
        name = context.world.label_of(view.record.agent_type)
        self._drop("confirm")
        text = tr("Stop {agent} and its %n children?", n=len(below), agent=name)
        self.confirm = ConfirmLine(text, tr("Stop"), self)
        self.confirm.answered.connect(lambda yes: self._confirmed(view, yes=yes))
        self.confirm.show()
        self.resized.emit()
        self.confirm.setFocus()

    def _confirmed(self, view: TaskView, *, yes: bool) -> None:
        if yes and self.context is not None:
            self.context.orders.cancel_task(view.record.task_id)
        self._drop("confirm")

    def _drop(self, name: str) -> None:
        part = getattr(self, name)
        if isinstance(part, QWidget):
            part.setParent(None)
            part.deleteLater()
            setattr(self, name, None)
            self.resized.emit()

    def _open_steer(self) -> None:
        view, context = self.view_now(), self.context
        if view is None or context is None:
            return
        if self.steer is None:
            self.steer = SteerField(view.record.child_id, context, self)
            self.steer.closed.connect(lambda: self._drop("steer"))
            self.steer.show()
            self.resized.emit()
        self.steer.take_focus()

    def _open_follow_up(self) -> None:
        view, context = self.view_now(), self.context
        if view is None or context is None:
            return
        if self.follow_up is None:
            self.follow_up = FollowUpField(view.record.task_id, context, self)
            self.follow_up.closed.connect(lambda: self._drop("follow_up"))
            self.follow_up.show()
            self.resized.emit()
        self.follow_up.take_focus()

    def _choose_agent(self, view: TaskView) -> None:
        from ui.widgets.cards.lines import agent_menu  # noqa: PLC0415  # only when asked

        context = self.context
        if context is not None:
            agent_menu(self.head.more, context, view)

    def _show_waiting(self, view: TaskView) -> None:
        """Unfold down to the grandchild that waits."""
        context = self.context
        if context is None or not view.blocks:
            return
        ask = context.world.ask(view.blocks[0].request_id)
        if ask is None:
            return
        self.set_open(True)
        if not self._unfolds():
            context.open_beside(view.record.child_id)
        elif self.inside is not None and ask.task_id is not None:
            self.inside.show_child(ask.task_id)
