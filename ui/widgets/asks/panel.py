"""One ask in full: on a child's card, above the composer, in the inbox (design 7.5).

Owns the form of its kind. An answer is an order; it is locked while it is under way, a failure unlocks it with its
sentence. The panel goes when the world no longer has the ask, wherever it was answered. Nothing is answered by a timer.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask, AskDetail
from ui.viewmodels.world import World
from ui.widgets.asks.form import AskForm
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.asks.plan import PlanForm
from ui.widgets.asks.questions import QuestionsForm


class AskPanel(QWidget):
    """`framed`: with an outline and a head of its own; else inside a card, which has them."""

    resized = Signal()
    answered = Signal()

    def __init__(
        self, ask: Ask, world: World, orders: Orders, framed: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.ask, self._world, self._orders, self._framed = ask, world, orders, framed
        self.form: AskForm = self._made()
        self.form.resized.connect(self.resized)
        self.form.option_chosen.connect(self._choose)
        self.form.picked.connect(self._send)
        self.form.declined.connect(self._decline)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{world.agent_name(ask.session_id)}: {ask.title}")
        theme().changed.connect(self.update)
        if ask.kind != "question":
            orders.ask_detail(ask.request_id, self._detail)

    def _made(self) -> AskForm:
        match self.ask.kind:
            case "question":
                return QuestionsForm(self.ask, self._framed, self)
            case "plan_approval":
                return PlanForm(self.ask, self._framed, self)
            case _:
                return PermissionForm(self.ask, self._framed, self)

    def _detail(self, detail: AskDetail) -> None:
        if detail.request_id == self.ask.request_id:
            self.form.show_detail(detail)
            self.resized.emit()

    # ---- answers

    def _choose(self, option_id: str, note: str) -> None:
        self.form.lock(True)
        self._orders.answer_option(self.ask.request_id, option_id, note, failed=self._failed)
        self.answered.emit()

    def _send(self, picked: object) -> None:
        self.form.lock(True)
        self._orders.answer_questions(self.ask.request_id, picked, failed=self._failed)  # pyright: ignore[reportArgumentType]  # a signal's object
        self.answered.emit()

    def _decline(self) -> None:
        self.form.lock(True)
        self._orders.decline(self.ask.request_id, failed=self._failed)
        self.answered.emit()

    def _failed(self, sentence: str) -> None:
        if self._world.ask(self.ask.request_id) is not None:
            self.form.lock(False)
            self.form.show_problem(sentence)
            self.resized.emit()

    def press(self, digit: int) -> bool:
        """Choose by number, from 1; whether there is such an option."""
        return self.form.press(digit)

    # ---- Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits choose, Enter goes on; never out of a text field. Esc leaves and never answers."""
        focus = self.focusWidget()
        typing = isinstance(focus, QLineEdit | QTextEdit | QPlainTextEdit) and focus.hasFocus()
        text = event.text()
        if event.key() == Qt.Key.Key_Escape:
            parent = self.parentWidget()
            if parent is not None:
                parent.setFocus(Qt.FocusReason.OtherFocusReason)
        elif typing or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif text.isdigit() and text != "0" and self.press(int(text)):
            event.accept()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.form.go_on()
        else:
            super().keyPressEvent(event)

    def height_for(self, width: int) -> int:
        """Of the form at this width."""
        return self.form.height_for(width)

    def sizeHint(self) -> QSize:
        """By its width."""
        return QSize(400, self.height_for(max(200, self.width())))

    def hasHeightForWidth(self) -> bool:
        """Layouts ask for the height."""
        return True

    def heightForWidth(self, width: int) -> int:
        """For layouts."""
        return self.height_for(width)

    def resizeEvent(self, _event: object) -> None:
        """The form fills it."""
        self.form.setGeometry(self.rect())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The tint; with a frame its outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = theme().color("waiting.tint" if not self.form.on_surface else "bg.surface")
        if self._framed:
            rounded(painter, QRectF(self.rect()), metrics.RADIUS_8, tint, theme().color("waiting.border"))
        else:
            painter.setClipRect(self.rect())
            rounded(painter, QRectF(self.rect()).adjusted(0, -10, 0, 0), metrics.RADIUS_8 - 1, tint)
        painter.end()
