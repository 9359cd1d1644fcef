"""Buttons: with a word, with an icon, with a menu.

Owns their look by kind and state (design 3). What they do is told by `clicked` and `menu_asked`.
"""
# ruff: noqa: N802, PLR0917  # Qt overrides; the names of parameters are the public promise

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, hairline, mirrored, rounded, text_width
from ui.theme.theme import theme
from ui.widgets.controls.keys import cap_width, draw_cap, key_label
from ui.widgets.controls.pressable import Pressable
from ui.widgets.controls.tips import set_tip

Kind = Literal["outlined", "filled", "ghost"]
_CHEVRON = 14
_SPLIT = 30
_NARROWEST = 64
_LETTERS = metrics.BADGE_ROW


_BARE = frozenset({"ghost", "link"})
"""Kinds without an outline."""


class Button(Pressable):
    """A button with a word: outlined, filled, ghost, or link.

    `key` is shown as a cap behind it; nothing is bound to it here.
    """

    def __init__(
        self,
        text: str,
        kind: str = "outlined",
        icon: str | None = None,
        key: str | None = None,
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._kind, self._icon, self._key, self._small = kind, icon, key, small
        self._icon_token: str | None = None
        super().__init__(text, parent)
        self.setAccessibleName(text)

    def set_kind(self, kind: str) -> None:
        """Outlined, filled (one in a view at most) or ghost."""
        self._kind = kind
        self.update()

    def set_icon(self, name: str | None, token: str | None = None) -> None:
        """The icon before the word; by default in the colour of the word."""
        self._icon, self._icon_token = name, token
        self._retheme()

    def set_key(self, key: str | None) -> None:
        """The key to show."""
        self._key = key
        self._retheme()

    def setText(self, text: str) -> None:
        """The word, which is the accessible name as well."""
        if self.accessibleName() == self.text():
            self.setAccessibleName(text)
        super().setText(text)

    def sizeHint(self) -> QSize:
        """As wide as its text asks, in any language."""
        return QSize(round(self._lead() + self._word() + self._tail()), self._height())

    def minimumSizeHint(self) -> QSize:
        """Narrower than its text only in need: then the text is cut."""
        return QSize(min(self.sizeHint().width(), theme().px(_NARROWEST) + round(self._lead())), self._height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, icon, word, key."""
        painter = QPainter(self)
        self._paint_ground(painter)
        ink = self._ink()
        at = float(self._pad())
        if self._icon:
            side = self._icon_side()
            color = theme().color(self._icon_token) if self._icon_token and self.isEnabled() else ink
            draw_icon(painter, self._place(at, side, side), self._icon, color)
        at = self._lead()
        room = self.width() - at - self._tail()
        draw_text(painter, self._place(at, room, self.height()), self.text(), self._font(), ink)
        self._paint_tail(painter, at + min(room, self._word()), ink)
        painter.end()

    # For the kinds below

    def _height(self) -> int:
        return theme().row(metrics.BUTTON_SMALL if self._small else metrics.BUTTON)

    def _pad(self) -> int:
        return metrics.BUTTON_SMALL_PAD if self._small else metrics.BUTTON_PAD

    def _font(self) -> QFont:
        return theme().font("ui" if not self._small else "small", 500)

    def _icon_side(self) -> int:
        return metrics.ICON_SMALL if self._small else metrics.ICON

    def _word(self) -> float:
        return text_width(self.text(), self._font()) + 1 if self.text() else 0.0

    def _lead(self) -> float:
        return self._pad() + (self._icon_side() + metrics.ICON_GAP if self._icon else 0.0)

    def _tail(self) -> float:
        return self._plain_tail()

    def _plain_tail(self) -> float:
        cap = cap_width(key_label(self._key)) + metrics.SPACE_8 if self._key else 0.0
        return cap + self._pad()

    def _ink(self) -> QColor:
        if not self.isEnabled():
            return theme().color("text.muted")
        if self._kind == "filled":
            return theme().color("text.on-accent")
        if self._kind == "link":
            return theme().color("accent.text")
        return theme().color("text.secondary" if self._kind == "ghost" else "text.primary")

    def _place(self, at: float, width: float, height: float) -> QRectF:
        """A part at `at` from the leading edge, mirrored with the layout."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - at - width if rtl else at
        return QRectF(left, (self.height() - height) / 2, width, height)

    def _paint_ground(self, painter: QPainter) -> None:
        box = QRectF(self.rect())
        if not self.isEnabled():
            outline = None if self._kind in _BARE else theme().color("border.default")
            rounded(painter, box, metrics.RADIUS_6, None, outline)
        elif self._kind == "filled":
            held = self.isDown() or self.under_pointer
            rounded(painter, box, metrics.RADIUS_6, theme().color("accent.hover" if held else "accent.fill"))
        else:
            token = self.ground_token()
            if self._kind in _BARE:
                if token or self.isChecked():
                    rounded(painter, box, metrics.RADIUS_6, theme().color(token or "bg.hover"))
                return
            fill = theme().color(token or ("accent.tint" if self.isChecked() else "bg.surface"))
            outline = theme().color("accent.fill" if self.isChecked() else "border.control")
            rounded(painter, box, metrics.RADIUS_6, fill, outline)

    def _paint_tail(self, painter: QPainter, at: float, ink: QColor) -> None:
        self._paint_key(painter, at, ink)

    def _paint_key(self, painter: QPainter, at: float, ink: QColor) -> None:
        if not self._key:
            return
        label = key_label(self._key)
        place = self._place(at + metrics.SPACE_8, cap_width(label), self.height())
        bare = self._kind == "filled" or not self.isEnabled()
        draw_cap(painter, place.left(), self.height() / 2, label, ink if bare else None)


class MenuButton(Button):
    """A button that opens a menu: a chevron says so. `set_menu` gives what to open; else `menu_asked` is told."""

    menu_asked = Signal()

    def __init__(
        self,
        text: str,
        kind: str = "ghost",
        icon: str | None = None,
        small: bool = False,
        letters: str = "",
        parent: QWidget | None = None,
    ) -> None:
        self._letters = letters
        self._factory: Callable[[], QMenu | None] | None = None
        super().__init__(text, kind, icon, None, small, parent)
        self.clicked.connect(self.open_menu)

    def set_letters(self, letters: str) -> None:
        """The agent's badge before the word."""
        self._letters = letters
        self._retheme()

    def set_menu(self, factory: Callable[[], QMenu | None]) -> None:
        """What makes the menu each time it is opened. It is deleted when it closes."""
        self._factory = factory

    def open_menu(self) -> None:
        """Open it under the button, where the text starts."""
        self.menu_asked.emit()
        menu = self._factory() if self._factory is not None else None
        if menu is not None:
            open_menu_below(menu, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down opens."""
        if event.key() == Qt.Key.Key_Down:
            self.open_menu()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The badge comes before the rest."""
        super().paintEvent(event)
        if self._letters:
            painter = QPainter(self)
            draw_agent_badge(painter, self._place(self._pad(), _LETTERS, _LETTERS), self._letters)
            painter.end()

    def _font(self) -> QFont:
        return theme().font("small" if self._kind == "ghost" else "ui", 500)

    def _lead(self) -> float:
        return super()._lead() + (_LETTERS + metrics.ICON_GAP if self._letters else 0)

    def _tail(self) -> float:
        return metrics.SPACE_4 + _CHEVRON + metrics.SPACE_8 - 2

    def _paint_tail(self, painter: QPainter, at: float, ink: QColor) -> None:
        draw_icon(painter, self._place(at + metrics.SPACE_4, _CHEVRON, _CHEVRON), "chevron-down", ink)


class SplitButton(MenuButton):
    """A button with a menu of other ways beside it: the word acts, the chevron opens."""

    def __init__(
        self,
        text: str,
        kind: str = "filled",
        icon: str | None = None,
        key: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, kind, icon, parent=parent)
        self.clicked.disconnect(self.open_menu)
        self.set_key(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The chevron opens on press, as menus do."""
        if event.button() == Qt.MouseButton.LeftButton and self._chevron().contains(event.position()):
            self.open_menu()
            return
        super().mousePressEvent(event)

    def _font(self) -> QFont:
        return theme().font("ui", 500)

    def _chevron(self) -> QRectF:
        return self._place(self.width() - _SPLIT, _SPLIT, self.height())

    def _tail(self) -> float:
        return self._plain_tail() + _SPLIT

    def _paint_tail(self, painter: QPainter, at: float, ink: QColor) -> None:
        self._paint_key(painter, at, ink)
        place = self._chevron()
        edge = place.right() if mirrored(painter) else place.left()
        hairline(painter, edge, 0, edge, self.height(), ink)
        side = metrics.ICON - 2
        middle = place.center()
        draw_icon(painter, QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side), "chevron-down", ink)


class IconButton(Pressable):
    """A button that is an icon: its name and key are in the tooltip, its name is the accessible name."""

    def __init__(
        self,
        icon: str,
        name: str,
        key: str = "",
        small: bool = False,
        checkable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._icon, self._small, self._key, self._token = icon, small, key, "text.secondary"
        self._outlined = False
        super().__init__("", parent)
        self.setCheckable(checkable)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """What it does, in words."""
        self.setAccessibleName(name)
        set_tip(self, f"{name}  {key_label(self._key)}" if self._key else name)

    def set_key(self, key: str) -> None:
        """The key to tell in the tooltip."""
        self._key = key
        self.set_name(self.accessibleName())

    def set_icon(self, icon: str, token: str = "text.secondary") -> None:  # noqa: S107  # a colour, no secret
        """Another drawing."""
        self._icon, self._token = icon, token
        self.update()

    def set_outlined(self, outlined: bool) -> None:
        """With the outline of a button, as *stop* in the composer."""
        self._outlined = outlined
        self.update()

    def sizeHint(self) -> QSize:
        """A square of 28, or 24 in cards."""
        side = metrics.ICON_BUTTON_SMALL if self._small else metrics.ICON_BUTTON
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """It never gets smaller."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and icon."""
        painter = QPainter(self)
        token = self.ground_token() or ("bg.hover" if self.isChecked() else None)
        outline = theme().color("border.control" if self.isEnabled() else "border.default") if self._outlined else None
        fill = theme().color(token) if token else theme().color("bg.surface") if self._outlined else None
        if fill is not None or outline is not None:
            rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, fill, outline)
        side = metrics.ICON_SMALL if self._small else metrics.ICON
        ink = "text.muted" if not self.isEnabled() else "text.primary" if self.isChecked() else self._token
        place = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        draw_icon(painter, place, self._icon, theme().color(ink))
        painter.end()


def open_menu_below(menu: QMenu, widget: QWidget) -> None:
    """Open `menu` under `widget`, at its leading edge, and delete it when it closes."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setLayoutDirection(widget.layoutDirection())
    rtl = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    corner = QPoint(widget.width() - menu.sizeHint().width() if rtl else 0, widget.height() + metrics.SPACE_4)
    menu.popup(widget.mapToGlobal(corner))
