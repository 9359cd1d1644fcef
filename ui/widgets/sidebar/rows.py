"""How a row of the tree looks: chevron, rails, badge, title, age, mark (design 7.1).

Owns painting, heights, and the field that renames in place. Ends with the tree.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.sidebar import Node, SidebarModel
from ui.viewmodels.states import State
from ui.widgets.controls import Field
from ui.wording import tr

Index = QModelIndex | QPersistentModelIndex
DEEPEST = 6
"""From here on the indent stops and a number tells the level."""
CHEVRON = 16
_PAD = metrics.SPACE_8
_GAP = metrics.ROW_GAP
_TURNS = frozenset({State.RUNNING, State.STARTING})


def depth_of(node: Node) -> int:
    """0 for a session, 1 for its child; folders have none."""
    return node.level - 1


def indent_of(node: Node) -> int:
    """From the row's leading edge to its chevron."""
    if node.is_folder:
        return 0
    depth = depth_of(node)
    if depth == 0:
        return metrics.SIDEBAR_INDENT
    return metrics.SIDEBAR_CHILD_INDENT + metrics.SIDEBAR_LEVEL * (min(depth, DEEPEST) - 1)


def title_at(node: Node) -> int:
    """From the row's leading edge to its title, but for marks before the badge."""
    sign = metrics.ICON if node.is_folder else metrics.BADGE_CHILD if depth_of(node) else metrics.BADGE_ROW
    return indent_of(node) + CHEVRON + _GAP + sign + _GAP


@dataclass(frozen=True, slots=True)
class Look:
    """How the view shows a row right now."""

    is_open: bool
    current: bool
    hovered: bool
    ring: bool


class Lane:
    """A row that is filled from both its ends, mirrored with the layout."""

    def __init__(self, rect: QRectF, *, rtl: bool) -> None:
        self.rect, self._rtl = rect, rtl
        self.lead = 0.0
        self.trail = float(_PAD)

    def at(self, start: float, width: float, height: float | None = None) -> QRectF:
        """A part at `start` from the leading edge."""
        tall = width if height is None else height
        left = self.rect.right() - start - width if self._rtl else self.rect.left() + start
        return QRectF(left, self.rect.center().y() - tall / 2, width, tall)

    def take(self, width: float, height: float | None = None) -> QRectF:
        """The next part from the leading edge."""
        place = self.at(self.lead, width, height)
        self.lead += width + _GAP
        return place

    def take_end(self, width: float, height: float | None = None) -> QRectF:
        """The next part from the far edge."""
        place = self.at(self.rect.width() - self.trail - width, width, height)
        self.trail += width + _GAP
        return place

    def rest(self) -> QRectF:
        """What is left between both."""
        return self.at(self.lead, max(0.0, self.rect.width() - self.lead - self.trail), self.rect.height())


class RowPainter:
    """Paints rows of the model."""

    def __init__(self, model: SidebarModel) -> None:
        self._model = model

    def paint(self, painter: QPainter, node: Node, lane: Lane, look: Look) -> bool:
        """One row; whether its mark turns."""
        ground = theme().color("bg.sidebar")
        if look.current or look.hovered:
            ground = theme().color("bg.selected" if look.current else "bg.hover")
            rounded(painter, lane.rect, metrics.RADIUS_6, ground)
        self._rails(painter, node, lane)
        lane.lead = indent_of(node)
        chevron = lane.take(CHEVRON)
        if node.rows:
            if not node.is_folder and depth_of(node):
                painter.fillRect(chevron.adjusted(2, 0, -2, 0), ground)
            name = "chevron-down" if look.is_open else "chevron-right"
            draw_icon(painter, chevron, name, theme().color("text.secondary"))
        if node.is_folder:
            state = self._folder(painter, node, lane, ground, is_open=look.is_open)
        else:
            state = self._session(painter, node, lane, ground)
        if look.ring:
            focus_ring(painter, lane.rect, metrics.RADIUS_6, inside=True)
        return state in _TURNS

    def _rails(self, painter: QPainter, node: Node, lane: Lane) -> None:
        line, rect = theme().color("border.default"), lane.rect
        for level in range(0 if node.is_folder else min(depth_of(node), DEEPEST)):
            x = lane.at(metrics.SIDEBAR_RAIL + metrics.SIDEBAR_LEVEL * level, 0).left()
            hairline(painter, x, rect.top(), x, rect.bottom(), line)

    def _folder(self, painter: QPainter, node: Node, lane: Lane, ground: QColor, *, is_open: bool) -> State:
        draw_icon(painter, lane.take(metrics.ICON), "folder", theme().color("text.secondary"))
        state = State.IDLE if is_open else self._model.state(node)
        self._mark(painter, lane, state, ground)
        self._title(painter, node, lane, 600)
        return state

    def _session(self, painter: QPainter, node: Node, lane: Lane, ground: QColor) -> State:
        model, child, state = self._model, depth_of(node) > 0, self._model.state(node)
        if depth_of(node) > DEEPEST:
            self._small(painter, lane, str(depth_of(node)), lane.take)
        badge = lane.take(metrics.BADGE_CHILD if child else metrics.BADGE_ROW)
        draw_agent_badge(painter, badge, letters_of(*model.agent(node)))
        self._mark(painter, lane, state, ground)
        if not child:
            self._small(painter, lane, model.age(node), lane.take_end)
            for name in self._signs(node):
                draw_icon(painter, lane.take_end(metrics.ICON_RAIL), name, theme().color("text.secondary"))
        self._title(painter, node, lane, 600 if model.unread(node) else 400)
        return state

    def _signs(self, node: Node) -> list[str]:
        record = self._model.record(node)
        if record is None:
            return []
        signs = (("terminal", record.kind == "outside"), ("pin", record.pinned), ("archive", record.archived))
        return [name for name, holds in signs if holds]

    @staticmethod
    def _mark(painter: QPainter, lane: Lane, state: State, ground: QColor) -> None:
        """The column of marks stays free where there is none, so that ages stand in one line."""
        place = lane.take_end(metrics.MARK)
        draw_mark(painter, place, state, ground, clock().phase)

    @staticmethod
    def _small(painter: QPainter, lane: Lane, text: str, take: Callable[[float, float], QRectF]) -> None:
        if text:
            font = theme().numbers("small")
            room = take(text_width(text, font) + 1, lane.rect.height())
            draw_text(painter, room, text, font, theme().color("text.muted"), None)

    def _title(self, painter: QPainter, node: Node, lane: Lane, weight: int) -> None:
        font = theme().font("ui", weight)
        draw_text(painter, lane.rest(), self._model.title(node), font, theme().color("text.primary"))


class RowDelegate(QStyledItemDelegate):
    """Heights, and renaming in place; the view paints the rows."""

    renamed = Signal(str, str)

    def __init__(self, model: SidebarModel, place_of: Callable[[Index], QRect], parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._place_of = model, place_of
        self.measure()

    def measure(self) -> None:
        """The font changed."""
        self._row = QSize(metrics.SIDEBAR_LEAST, theme().row(metrics.SIDEBAR_ROW))
        self._child = QSize(metrics.SIDEBAR_LEAST, theme().row(metrics.SIDEBAR_CHILD))

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """By the kind of row."""
        node = self._model.node_of(index)
        child = node is not None and not node.is_folder and not self._model.is_root(node)
        return self._child if child else self._row

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A field where the title stands. Empty gives the session its own title back."""
        field = Field(tr("Title"), parent=parent)
        field.setMaxLength(200)
        field.setAccessibleName(tr("New title of {title}", title=str(index.data())))
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """The title as it is, chosen whole."""
        if isinstance(editor, Field):
            editor.setText(str(index.data()))
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, _option: QStyleOptionViewItem, index: Index) -> None:
        """Over the title; its ring stays clear of the badge."""
        node, row = self._model.node_of(index), self._place_of(index)
        if node is None:
            return
        lead = title_at(node) - _GAP + metrics.FOCUS_MARGIN
        if editor.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            editor.setGeometry(row.adjusted(metrics.SPACE_4, 2, -lead, -2))
        else:
            editor.setGeometry(row.adjusted(lead, 2, -metrics.SPACE_4, -2))

    def setModelData(self, editor: QWidget, _model: QAbstractItemModel, index: Index) -> None:
        """A title that differs is told."""
        node = self._model.node_of(index)
        if isinstance(editor, Field) and node is not None:
            title = " ".join(editor.text().split())
            if title != str(index.data()):
                self.renamed.emit(node.key, title)
