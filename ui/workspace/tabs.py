"""The strip of tabs above a pane (design 6).

Owns painting and dragging of tabs; it never decides what a tab shows or closes: it says what the person did. A tab is
named by what it shows. Ends with its pane.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabBar, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, hairline, text_width
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.controls import IconButton
from ui.widgets.controls.tips import plain_tip
from ui.wording import clean_line, state_word, tr

MIME = "application/x-codeg-tab"


@dataclass(frozen=True, slots=True)
class TabFace:
    """What a tab says."""

    tab: str
    title: str
    state: State


class TabBar(QTabBar):
    """The tabs themselves: arrows walk them, Del and the middle button close one."""

    close_asked = Signal(str)
    dragged_out = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._faces: tuple[TabFace, ...] = ()
        self._pressed: QPoint | None = None
        self._strong = True
        self.setMovable(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setAccessibleName(tr("Tabs"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)
        clock().watch_frames(self, self._turn)

    def show_faces(self, faces: Sequence[TabFace], active: int, *, strong: bool) -> None:
        """Show these tabs. `strong`: this is the pane with the focus."""
        self._strong = strong
        wanted = tuple(faces)
        blocked = self.blockSignals(True)
        while self.count() > len(wanted):
            self.removeTab(self.count() - 1)
        while self.count() < len(wanted):
            self._add()
        self._faces = wanted
        for number, face in enumerate(wanted):
            self.setTabText(number, clean_line(face.title))
            self.setTabData(number, face.tab)
            self.setTabToolTip(number, plain_tip(clean_line(face.title, 400)))
            self.setAccessibleTabName(number, f"{clean_line(face.title)}, {state_word(face.state)}")
        if wanted:
            self.setCurrentIndex(active)
        self.blockSignals(blocked)
        self.updateGeometry()
        self.update()

    def _add(self) -> None:
        number = self.addTab("")
        close = IconButton("x", tr("Close tab"), small=True)
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(lambda: self._close_of(close))
        self.setTabButton(number, QTabBar.ButtonPosition.RightSide, close)

    def _close_of(self, button: QWidget) -> None:
        for number in range(self.count()):
            if self.tabButton(number, QTabBar.ButtonPosition.RightSide) is button:
                self.close_asked.emit(str(self.tabData(number)))
                return

    def tabSizeHint(self, index: int) -> QSize:
        """Width by the title, at most 264."""
        text = theme().font("ui", 500)
        width = 10 + 14 + 8 + text_width(self.tabText(index), text) + 6 + 24 + 8
        return QSize(min(metrics.TAB_MOST, round(width) + 1), metrics.TAB_HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Tabs get narrower before the strip scrolls."""
        return QSize(min(140, self.tabSizeHint(index).width()), metrics.TAB_HEIGHT)

    def _face(self, index: int) -> TabFace | None:
        name = self.tabData(index)
        return next((face for face in self._faces if face.tab == name), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks, titles, and the active tab in the colour of what it shows."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(self.count()):
            face = self._face(index)
            if face is not None and self.tabRect(index).intersects(event.rect()):
                self._paint_tab(painter, index, face)
        painter.end()

    def _paint_tab(self, painter: QPainter, index: int, face: TabFace) -> None:
        rect, active = self.tabRect(index), index == self.currentIndex()
        ground = theme().color("bg.canvas" if active else "bg.sidebar")
        if active:
            _draw_active(painter, rect)
        left, middle = rect.left() + 10.0, rect.center().y() + 0.5
        if face.state is not State.IDLE:
            mark = QRectF(left, middle - 7, 14, 14)
            draw_mark(painter, mark, face.state, ground, clock().phase)
            left += 14 + 8
        font = theme().font("ui", 500 if active and self._strong else 400)
        color = theme().color("text.primary" if active and self._strong else "text.secondary")
        room = QRectF(left, rect.top(), rect.right() - 8 - 24 - 2 - left, rect.height())
        draw_text(painter, room, clean_line(face.title), font, color, elide="right")
        if index == self.currentIndex() and self.hasFocus():
            painter.setPen(theme().focus_pen())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(rect).adjusted(3, 4, -3, -2), 4, 4)

    def _turn(self) -> None:
        if any(face.state in {State.RUNNING, State.STARTING} for face in self._faces):
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag began; the middle button closes."""
        if event.button() is Qt.MouseButton.MiddleButton:
            at = self.tabAt(event.position().toPoint())
            if at >= 0:
                self.close_asked.emit(str(self.tabData(at)))
            return
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Beyond the strip the tab is carried to another pane."""
        away = event.position().y() < -24 or event.position().y() > self.height() + 24
        if self._pressed is None or not away or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        at, self._pressed = self.currentIndex(), None
        tab = str(self.tabData(at))
        release = QMouseEvent(
            QMouseEvent.Type.MouseButtonRelease,
            event.position(),
            event.globalPosition(),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        super().mouseReleaseEvent(release)
        self.dragged_out.emit(tab)


def _draw_active(painter: QPainter, rect: QRect) -> None:
    """The colour of the canvas, round above, without a lower line."""
    painter.setPen(theme().color("border.subtle"))
    painter.setBrush(theme().color("bg.canvas"))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, 12), metrics.RADIUS_8, metrics.RADIUS_8)


class TabStrip(QWidget):
    """The row of 36 above a pane: its tabs and a button for a new session."""

    chosen = Signal(str)
    closed = Signal(str)
    new_asked = Signal()
    moved = Signal(str, int)
    """A tab was dragged to this place within the strip."""
    dropped = Signal(str, str, int)
    """A tab of another pane (tab, pane) was dropped at this place."""

    def __init__(self, pane: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pane = pane
        self.setFixedHeight(metrics.TAB_STRIP)
        self.setAcceptDrops(True)
        self.bar = TabBar()
        self.plus = IconButton("plus", tr("New session"), "Ctrl+N")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, metrics.TAB_STRIP - metrics.TAB_HEIGHT, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.plus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.plus.clicked.connect(self.new_asked)
        self.bar.currentChanged.connect(self._chosen)
        self.bar.close_asked.connect(self.closed)
        self.bar.tabMoved.connect(self._moved)
        self.bar.dragged_out.connect(self._drag)
        theme().changed.connect(self.update)

    def show_faces(self, faces: Sequence[TabFace], active: int, *, strong: bool) -> None:
        """Show these tabs."""
        self.bar.show_faces(faces, active, strong=strong)

    def _chosen(self, index: int) -> None:
        if index >= 0:
            self.chosen.emit(str(self.bar.tabData(index)))

    def _moved(self, _source: int, target: int) -> None:
        self.moved.emit(str(self.bar.tabData(target)), target)

    def _drag(self, tab: str) -> None:
        drag, data = QDrag(self), QMimeData()
        data.setData(MIME, f"{self._pane}\n{tab}".encode())
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.MoveAction)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Tabs only."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Tabs only."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A tab of some pane comes here."""
        read_drop(event, lambda pane, tab: self.dropped.emit(tab, pane, self._place(event.position().toPoint())))

    def _place(self, at: QPoint) -> int:
        """Number of tabs whose middle lies before the point."""
        local = self.bar.mapFrom(self, at)
        return sum(self.bar.tabRect(index).center().x() < local.x() for index in range(self.bar.count()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and its lower line, which the active tab covers."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        hairline(painter, 0, self.height(), self.width(), self.height(), theme().color("border.subtle"))
        painter.end()


def read_drop(event: QDropEvent, take: Callable[[str, str], None]) -> None:
    """Hand the pane and the tab of a drop on."""
    if not event.mimeData().hasFormat(MIME):
        return
    pane, _, tab = bytes(event.mimeData().data(MIME).data()).decode("utf-8", "replace").partition("\n")
    event.acceptProposedAction()
    take(pane, tab)
