"""The one style of the application: what Qt itself draws (menus, scroll bars, tooltips, plain fields) looks ours too.

Owns no state. Our own controls paint themselves; this is for Qt's.
"""
# ruff: noqa: N802  # Qt overrides

from typing import cast

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QRegion
from PySide6.QtWidgets import (
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionMenuItem,
    QStyleOptionSlider,
    QWidget,
)

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, focus_ring, hairline, rounded
from ui.theme.theme import theme

_PRIMITIVES = frozenset({
    QStyle.PrimitiveElement.PE_FrameFocusRect,
    QStyle.PrimitiveElement.PE_PanelMenu,
    QStyle.PrimitiveElement.PE_FrameMenu,
    QStyle.PrimitiveElement.PE_PanelTipLabel,
})  # fmt: skip
_PIXELS = {
    QStyle.PixelMetric.PM_ScrollBarExtent: metrics.SCROLL_BAR,
    QStyle.PixelMetric.PM_ScrollBarSliderMin: metrics.SPACE_24,
    QStyle.PixelMetric.PM_MenuPanelWidth: 1,
    QStyle.PixelMetric.PM_MenuHMargin: metrics.SPACE_4,
    QStyle.PixelMetric.PM_MenuVMargin: metrics.SPACE_4,
    QStyle.PixelMetric.PM_SubMenuOverlap: 0,
    QStyle.PixelMetric.PM_ToolTipLabelFrameWidth: metrics.INNER_6,
    QStyle.PixelMetric.PM_SmallIconSize: metrics.ICON,
    QStyle.PixelMetric.PM_DefaultFrameWidth: 1,
    QStyle.PixelMetric.PM_SplitterWidth: 1,
}
_HINTS = {
    QStyle.StyleHint.SH_ScrollBar_Transient: 0,
    QStyle.StyleHint.SH_ScrollBar_LeftClickAbsolutePosition: 0,
    QStyle.StyleHint.SH_ComboBox_Popup: 0,
    QStyle.StyleHint.SH_EtchDisabledText: 0,
    QStyle.StyleHint.SH_DitherDisabledText: 0,
    QStyle.StyleHint.SH_ToolTipLabel_Opacity: 255,
    QStyle.StyleHint.SH_Widget_Animation_Duration: 0,
    QStyle.StyleHint.SH_UnderlineShortcut: 1,
}
_MASKS = frozenset({QStyle.StyleHint.SH_Menu_Mask, QStyle.StyleHint.SH_ToolTip_Mask})
_COLUMN = 24  # of check marks and icons in a menu
_SHORTCUT_GAP = 24


class Style(QProxyStyle):
    """Fusion, with our menus, scroll bars, tooltips and focus rectangles."""

    def __init__(self) -> None:
        super().__init__("fusion")

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Slim scroll bars, tight menus."""
        known = _PIXELS.get(metric)
        return super().pixelMetric(metric, option, widget) if known is None else known

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803  # Qt's name
    ) -> int:
        """Nothing animates; popups are round."""
        known = _HINTS.get(hint)
        if hint in _MASKS and widget is not None and option is not None:
            # Asked on each resize. Python cannot fill in the answer, so the mask is set here and "none" answered.
            widget.setMask(round_region(option.rect))
            return 0
        return super().styleHint(hint, option, widget, returnData) if known is None else known

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Focus rectangles, grounds of menus and tooltips."""
        if element not in _PRIMITIVES:
            super().drawPrimitive(element, option, painter, widget)
        elif element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            focus_ring(painter, QRectF(option.rect), metrics.RADIUS_4, inside=True)
        elif element == QStyle.PrimitiveElement.PE_FrameMenu:
            outline = theme().color("border.control")
            rounded(painter, QRectF(option.rect), metrics.RADIUS_6, None, outline)
        elif element == QStyle.PrimitiveElement.PE_PanelMenu:
            painter.fillRect(option.rect, theme().color("bg.surface"))
        else:
            painter.fillRect(option.rect, theme().color("bg.surface"))
            rounded(painter, QRectF(option.rect), metrics.RADIUS_6, None, theme().color("border.control"))

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """The rows of a menu."""
        if element == QStyle.ControlElement.CE_MenuItem and isinstance(option, QStyleOptionMenuItem):
            _draw_menu_item(painter, option)
        elif element == QStyle.ControlElement.CE_Splitter:
            painter.fillRect(option.rect, theme().color("border.subtle"))
        elif element == QStyle.ControlElement.CE_ShapedFrame and widget is not None and _is_list_frame(widget):
            painter.fillRect(widget.rect(), theme().color("bg.surface"))  # a QFrame leaves its margins out
            rounded(painter, QRectF(widget.rect()), metrics.RADIUS_6, None, theme().color("border.control"))
        elif element == QStyle.ControlElement.CE_MenuEmptyArea:
            painter.fillRect(option.rect, theme().color("bg.surface"))
        else:
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Scroll bars."""
        if control == QStyle.ComplexControl.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            slider = self.subControlRect(control, option, QStyle.SubControl.SC_ScrollBarSlider, widget)
            _draw_scroll_bar(painter, option, slider)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        sub: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        """A scroll bar has no buttons."""
        if control == QStyle.ComplexControl.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return _scroll_part(self, option, sub, widget)
        return super().subControlRect(control, option, sub, cast("QWidget", widget))  # Qt takes none as well

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        """Rows of a menu are as high as their text asks."""
        if kind == QStyle.ContentsType.CT_MenuItem and isinstance(option, QStyleOptionMenuItem):
            return _menu_item_size(option)
        return super().sizeFromContents(kind, option, size, cast("QWidget", widget))


def _is_list_frame(widget: QWidget) -> bool:
    """The frame around the list of a QComboBox."""
    return widget.inherits("QComboBoxPrivateContainer")


def round_region(rect: QRect) -> QRegion:
    """A window's shape with round corners."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(rect), metrics.RADIUS_6, metrics.RADIUS_6)
    return QRegion(path.toFillPolygon().toPolygon())


def _menu_item_size(option: QStyleOptionMenuItem) -> QSize:
    if option.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator:
        return QSize(1, 2 * metrics.SPACE_4 + 1)
    text, _, key = option.text.partition("\t")
    width = _COLUMN + QFontMetricsF(theme().font("ui")).horizontalAdvance(text.replace("&&", "&")) + _COLUMN
    if key:
        width += _SHORTCUT_GAP + QFontMetricsF(theme().font("small")).horizontalAdvance(key)
    return QSize(round(width) + 2 * metrics.SPACE_8, theme().row(metrics.MENU_ROW))


def _draw_menu_item(painter: QPainter, option: QStyleOptionMenuItem) -> None:
    rect = QRectF(option.rect)
    if option.menuItemType == QStyleOptionMenuItem.MenuItemType.Separator:
        y = rect.center().y()
        hairline(painter, rect.left() + metrics.SPACE_8, y, rect.right() - 8, y, theme().color("border.subtle"))
        return
    enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
    if option.state & QStyle.StateFlag.State_Selected and enabled:
        rounded(painter, rect, metrics.RADIUS_4, theme().color("bg.hover"))
    elif option.state & QStyle.StateFlag.State_Selected:
        rounded(painter, rect, metrics.RADIUS_4, None, theme().color("border.default"))
    ink = theme().color("text.primary" if enabled else "text.muted")
    quiet = theme().color("text.secondary" if enabled else "text.muted")
    painter.setLayoutDirection(option.direction)
    rtl = option.direction == Qt.LayoutDirection.RightToLeft
    _draw_menu_sign(painter, _at(rect, metrics.SPACE_8, metrics.ICON, rtl), option, quiet)
    body = rect.adjusted(metrics.SPACE_8 + _COLUMN, 0, -_COLUMN, 0)
    if rtl:
        body = rect.adjusted(_COLUMN, 0, -metrics.SPACE_8 - _COLUMN, 0)
    text, _, key = option.text.partition("\t")
    draw_text(painter, body, _plain(text), theme().font("ui"), ink)
    draw_text(painter, body, key, theme().font("small"), quiet, align=Qt.AlignmentFlag.AlignTrailing)
    if option.menuItemType == QStyleOptionMenuItem.MenuItemType.SubMenu:
        place = _at(rect, rect.width() - metrics.SPACE_4 - metrics.ICON, metrics.ICON, rtl)
        draw_icon(painter, place, "chevron-right", quiet)


def _draw_menu_sign(painter: QPainter, place: QRectF, option: QStyleOptionMenuItem, color: QColor) -> None:
    if option.checked:
        draw_icon(painter, place, "check", color)
    elif not option.icon.isNull():
        option.icon.paint(painter, place.toRect())


def _at(rect: QRectF, start: float, width: float, rtl: bool) -> QRectF:
    left = rect.right() - start - width if rtl else rect.left() + start
    return QRectF(left, rect.center().y() - width / 2, width, width)


def _plain(text: str) -> str:
    """A menu text without its mnemonic."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _scroll_part(style: QStyle, option: QStyleOptionSlider, sub: QStyle.SubControl, widget: QWidget | None) -> QRect:
    """A scroll bar is all groove: no buttons at its ends."""
    upright = option.orientation == Qt.Orientation.Vertical
    length = option.rect.height() if upright else option.rect.width()
    span = option.maximum - option.minimum
    slider = length
    if span > 0:
        slider = max(metrics.SPACE_24, round(length * option.pageStep / (span + option.pageStep)))
        slider = min(slider, length)
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - slider, option.upsideDown
    )
    del style, widget
    match sub:
        case QStyle.SubControl.SC_ScrollBarGroove:
            at, size = 0, length
        case QStyle.SubControl.SC_ScrollBarSlider:
            at, size = start, slider
        case QStyle.SubControl.SC_ScrollBarSubPage:
            at, size = 0, start
        case QStyle.SubControl.SC_ScrollBarAddPage:
            at, size = start + slider, length - start - slider
        case _:
            return QRect()
    if upright:
        return QRect(option.rect.left(), option.rect.top() + at, option.rect.width(), size)
    return QRect(option.rect.left() + at, option.rect.top(), size, option.rect.height())


def _draw_scroll_bar(painter: QPainter, option: QStyleOptionSlider, slider: QRect) -> None:
    """A slim bar without a groove; thicker under the pointer."""
    if option.maximum <= option.minimum:
        return
    held = bool(option.state & QStyle.StateFlag.State_MouseOver or option.state & QStyle.StateFlag.State_Sunken)
    thick = 8 if held else 6
    rest = (metrics.SCROLL_BAR - thick) / 2
    bar = QRectF(slider)
    bar = (
        bar.adjusted(rest, 2, -rest, -2)
        if option.orientation == Qt.Orientation.Vertical
        else bar.adjusted(2, rest, -2, -rest)
    )
    rounded(painter, bar, thick / 2, theme().color("border.control" if held else "border.default"))
