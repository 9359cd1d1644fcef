"""The head of a card: two painted lines and one strip of buttons (design 7.3).

Owns the buttons; what they do is told by `acted`. Never reads the world: it is given a face. A folded card is always
62 px high.
"""
# ruff: noqa: N802  # Qt overrides

from typing import cast

from PySide6.QtCore import QPoint, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QAction, QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, draw_state_badge, letters_of, state_badge_width
from ui.theme.icons import draw_icon
from ui.theme.marks import state_color
from ui.theme.painting import draw_text, mix, text_width
from ui.theme.theme import theme
from ui.viewmodels.cards import ActionName, Face, action_word
from ui.viewmodels.states import State
from ui.widgets.controls import Button, IconButton
from ui.wording import tr

_ICONS: dict[ActionName, tuple[str, str]] = {
    "steer": ("message-square", "S"),
    "stop": ("stop", "X"),
    "cancel": ("x", "X"),
    "copy": ("copy", "C"),
    "beside": ("columns-2", "O"),
    "start_again": ("rotate-ccw", "R"),
}
_WORDS = frozenset({"resume", "show"})


class CardHead(QWidget):
    """Folds and unfolds at a click beside the buttons."""

    acted = Signal(str)
    toggled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.face: Face | None = None
        self.is_open = False
        self._shown: tuple[str, ...] = ()
        self._buttons: dict[str, QWidget] = {}
        self._left_of_buttons = 0.0
        self._fill: QColor | None = None
        self._blend = QVariantAnimation(self)
        self._blend.setDuration(metrics.BADGE_BLEND_MS)
        self._blend.valueChanged.connect(self._blended)
        self._blend.finished.connect(self._blend_over)
        self.more = IconButton("ellipsis", tr("More"), small=True, parent=self)
        self.more.clicked.connect(self.open_menu)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme().changed.connect(self.update)

    # ---- what it says

    def show_face(self, face: Face, *, is_open: bool) -> None:
        """Say this."""
        before = self.face
        self.face, self.is_open = face, is_open
        if before is not None and before.state is not face.state and before.name == face.name:
            self._begin_blend(before.state, face.state)
        self._show_buttons()
        self.update()

    def _begin_blend(self, old: State, new: State) -> None:
        if theme().reduce_motion or not self.isVisible() or State.WAITING in {old, new}:
            return
        self._from, self._to = state_color(old, "tint"), state_color(new, "tint")
        self._blend.stop()
        self._blend.setStartValue(0.0)
        self._blend.setEndValue(1.0)
        self._blend.start()

    def _blended(self, share: float) -> None:
        self._fill = mix(self._to, self._from, share)
        self.update()

    def _blend_over(self) -> None:
        self._fill = None
        self.update()

    def height_for(self, _width: int) -> int:
        """Two lines and their padding."""
        return theme().row(metrics.CARD_COLLAPSED - 2, "ui", 1)

    # ---- buttons

    def _wanted(self) -> tuple[str, ...]:
        face = self.face
        if face is None:
            return ()
        wanted: list[str] = ["show"] if face.show else []
        wanted += face.buttons
        if self.width() < metrics.PANE_ACTIONS - 60:
            keep = {"stop", "cancel", "resume", "show", "start_again"}
            wanted = [name for name in wanted if name in keep]
        return tuple(wanted)

    def _show_buttons(self) -> None:
        wanted = self._wanted()
        if wanted != self._shown:
            self._shown = wanted
            for name, button in self._buttons.items():
                button.setVisible(name in wanted)
            for name in wanted:
                if name not in self._buttons:
                    self._buttons[name] = self._made(name)
                self._buttons[name].show()
        self._place_buttons()

    def _made(self, name: str) -> QWidget:
        action = cast("ActionName", name)
        if name in _WORDS:
            button: Button | IconButton = Button(action_word(action), small=True, parent=self)
        else:
            icon, key = _ICONS[action]
            button = IconButton(icon, action_word(action), key, small=True, parent=self)
        button.clicked.connect(lambda: self.acted.emit(name))
        return button

    def _place_buttons(self) -> None:
        right, top = self.width() - 2.0, 7
        size = metrics.ICON_BUTTON_SMALL
        self.more.setGeometry(round(right - size - 4), top, size, size)
        right -= size + 4
        for name in reversed(self._shown):
            button = self._buttons[name]
            width = button.sizeHint().width() if name in _WORDS else size
            right -= width + (8 if name in _WORDS else 2)
            button.setGeometry(round(right), top, width, size)
        self._left_of_buttons = right

    def button(self, name: str) -> QWidget | None:
        """The button of an action, where it shows."""
        return self._buttons[name] if name in self._shown else None

    def open_menu(self) -> None:
        """⋯."""
        face = self.face
        if face is None:
            return
        menu = QMenu(self)
        hidden = [name for name in face.buttons if name not in self._shown]
        for name in dict.fromkeys([*hidden, *face.menu]):
            action = QAction(action_word(cast("ActionName", name)), menu)
            action.triggered.connect(lambda _checked=False, chosen=name: self.acted.emit(chosen))
            menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    # ---- Qt

    def resizeEvent(self, _event: object) -> None:
        """Narrow cards have fewer buttons."""
        self._show_buttons()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the head folds and unfolds."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.toggled.emit()
        else:
            super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Chevron, badge, name and task, state; latest line and numbers."""
        face = self.face
        if face is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, second = theme().row(metrics.CARD_LINE_1), theme().line("ui")
        top = metrics.CARD_HEAD_PAD - 1
        icon = QRectF(9, top + (first - 16) / 2, 16, 16)
        draw_icon(painter, icon, "chevron-down" if self.is_open else "chevron-right", theme().color("text.secondary"))
        size = metrics.BADGE_CARD
        draw_agent_badge(
            painter, QRectF(32, top + (first - size) / 2 + 1, size, size), letters_of(face.slug, face.name)
        )
        narrow = self.width() < metrics.PANE_BADGE - 60
        left = float(metrics.CARD_TEXT - 1)
        right = self._left_of_buttons - 8
        middle = top + first / 2
        if not narrow:
            right = draw_state_badge(painter, right, middle, face.state, face.word, face.number, self._fill).left() - 12
        self._paint_title(painter, face, QRectF(left, top, right - left, first))
        self._paint_second(painter, face, QRectF(left, top + first, self.width() - left - 15, second), narrow=narrow)
        painter.end()

    def _paint_title(self, painter: QPainter, face: Face, room: QRectF) -> None:
        strong = theme().font("ui", 600)
        name_room = QRectF(room.left(), room.top(), min(room.width(), max(60.0, room.width() * 0.6)), room.height())
        width = draw_text(painter, name_room, face.name, strong, theme().color("text.primary"))
        rest = room.adjusted(width + 8, 0, 0, 0)
        draw_text(painter, rest, face.title, theme().font("ui"), theme().color("text.primary"))

    def _paint_second(self, painter: QPainter, face: Face, room: QRectF, *, narrow: bool) -> None:
        if narrow:
            width = state_badge_width(face.state, face.word, face.number)
            middle = room.center().y()
            draw_state_badge(painter, room.left() + width, middle, face.state, face.word, face.number, self._fill)
            room.setLeft(room.left() + width + 10)
        else:
            numbers = face.numbers
            if self.width() < metrics.PANE_NUMBERS - 60:
                numbers = " · ".join(numbers.split(" · ")[:2])
            font = theme().numbers("small")
            taken = text_width(numbers, font)
            place = QRectF(room.right() - taken - 1, room.top(), taken + 2, room.height())
            draw_text(painter, place, numbers, font, theme().color("text.muted"), None)
            room.setRight(place.left() - 12)
        token = "failed.text" if face.reason else "text.secondary"
        font = theme().font("code.small") if face.mono else theme().font("ui")
        draw_text(painter, room, face.line, font, theme().color(token))
