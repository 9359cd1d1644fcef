"""One ask in full: on a child's card, above the composer, in the inbox (design 7.5).

Owns the form of its kind and the keys that answer it. Answers are the desk's orders; the panel goes when the world no
longer has the ask, wherever it was answered. Nothing is answered by a timer, and Esc never answers.
"""
# ruff: noqa: N802  # Qt overrides

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.painting import focus_ring, mix, rounded
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import desk_of
from ui.viewmodels.asking import summary_of, wish_of
from ui.viewmodels.asks import Ask
from ui.viewmodels.world import World
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.asks.plan import PlanForm
from ui.widgets.asks.questions import QuestionsForm

if TYPE_CHECKING:
    from ui.widgets.asks.form import AskForm

_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_NEW_MS = 2_000


class AskPanel(QWidget):
    """`framed`: with an outline and a head of its own; else inside a card, which has them.

    `resized`: it needs another height; `answered`: an answer was sent; `left`: the person pressed Esc.
    """

    resized = Signal()
    answered = Signal()
    left = Signal()

    def __init__(
        self, ask: Ask, world: World, orders: Orders, framed: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.ask, self._framed = ask, framed
        self._world = world
        self._desk = desk_of(world, orders)
        self._desk.changed.connect(self._changed)
        self._sending = False
        who = world.agent_name(ask.session_id)
        self.form = self._made(who)
        self.form.resized.connect(self._resized)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{who} {wish_of(ask)}: {summary_of(ask)}")
        self._strength = 1.0
        self._blend = QVariantAnimation(self)
        self._blend.setDuration(metrics.TINT_BLEND_MS)
        self._blend.valueChanged.connect(self._blended)
        self._begin_blend()
        theme().changed.connect(self._resized)

    def _made(self, who: str) -> "AskForm":
        match self.ask.kind:
            case "question":
                return QuestionsForm(self.ask, self._desk, who, self._framed, self)
            case "plan_approval":
                return PlanForm(self.ask, self._desk, who, self._framed, self)
            case _:
                return PermissionForm(self.ask, self._desk, who, self._framed, self)

    # ---- what it shows

    def _changed(self, request_id: str) -> None:
        if request_id != self.ask.request_id or self._world.ask(request_id) is None:
            return
        sending, before = self._desk.is_sending(request_id), self._sending
        self._sending = sending
        if sending and not before:
            if self.form.isAncestorOf(self.focusWidget() or self):
                self.setFocus(Qt.FocusReason.OtherFocusReason)  # a locked control cannot keep it
            self.answered.emit()
        self.form.refresh()
        self._resized()

    def _resized(self) -> None:
        self.updateGeometry()
        self._place()
        self.resized.emit()

    def _begin_blend(self) -> None:
        """A new ask's tint comes in once; one that waits already is simply there."""
        if theme().reduce_motion or self._world.now_ms() - self.ask.since_ms > _NEW_MS:
            return
        self._strength = 0.0
        self._blend.setStartValue(0.0)
        self._blend.setEndValue(1.0)
        self._blend.start()

    def _blended(self, strength: float) -> None:
        self._strength = strength
        self.update()

    # ---- answers

    def press(self, digit: int) -> bool:
        """Choose by number, from 1; whether there is such an option."""
        return self.form.press(digit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits choose, Enter goes on; never out of a text field. Esc leaves and never answers."""
        focus = self.focusWidget()
        typing = isinstance(focus, QLineEdit | QTextEdit | QPlainTextEdit) and focus.hasFocus()
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            event.accept()
            return
        if typing or event.modifiers() & _CHORDS or event.isAutoRepeat() or not self._take(event):
            event.ignore()
            return
        event.accept()

    def _take(self, event: QKeyEvent) -> bool:
        text = event.text()
        if len(text) == 1 and text in "123456789":
            return self.press(int(text))
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return self.form.go_on()
        return False

    def leave(self) -> None:
        """Give the focus to what is around it."""
        self.left.emit()
        around = self.parentWidget()
        while around is not None and around.focusPolicy() == Qt.FocusPolicy.NoFocus:
            around = around.parentWidget()
        if self.hasFocus() or self.isAncestorOf(self.focusWidget() or self):
            if around is not None:
                around.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.clearFocus()

    # ---- Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the options takes the focus, so that digits act."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """The focus came or went: the ring. The layout turned round: the parts do, too."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.update()
        elif event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()
        return super().event(event)

    def height_for(self, width: int) -> int:
        """Height at a width; its parts are placed."""
        if self.form.width() != width:
            self.form.resize(width, self.form.height())
        return self.form.height_for(width)

    def _asked(self, width: int) -> int:
        """Only a question: the parts stay where they are."""
        tall = self.height_for(width)
        if width != self.width():
            self._place()
        return tall

    def sizeHint(self) -> QSize:
        """By its width."""
        wide = self.width() if self.width() > metrics.SPACE_32 else metrics.COLUMN
        return QSize(wide, self._asked(wide))

    def minimumSizeHint(self) -> QSize:
        """Never lower than it needs."""
        return QSize(metrics.BOARD_COLUMN, self._asked(max(metrics.BOARD_COLUMN, self.width())))

    def hasHeightForWidth(self) -> bool:
        """Layouts ask for the height."""
        return True

    def heightForWidth(self, width: int) -> int:
        """For layouts."""
        return self._asked(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The form fills it."""
        super().resizeEvent(event)
        self._place()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _place(self) -> None:
        self.form.setGeometry(self.rect())
        self.form.height_for(self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The tint; with a frame its outline."""
        painter = QPainter(self)
        ground = theme().color("bg.surface")
        if self.ask.kind != "question":
            ground = mix(theme().color("waiting.tint"), ground, self._strength)
        box, reach = QRectF(self.rect()), metrics.RADIUS_8
        if self._framed:
            rounded(painter, box, metrics.RADIUS_8, ground, theme().color("waiting.border"))
        else:
            painter.setClipRect(self.rect())
            rounded(painter, box.adjusted(0, -reach, 0, 0), metrics.RADIUS_8 - 1, ground)
        if self.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_6, inside=True)
        painter.end()
