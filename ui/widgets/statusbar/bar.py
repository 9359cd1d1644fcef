"""The status bar: 28 high (design 6).

Owns its parts and the undo that it offers; a delete that was not undone in time becomes final. Ends with the window,
making what is open final.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.viewmodels.status import Part, parts_of, today
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Button, KeyCap, Label
from ui.widgets.controls.pressable import Pressable
from ui.wording import tr

TOLD_MS = 8_000


class _Group(Pressable):
    """Mark and text."""

    def __init__(self, parent: QWidget) -> None:
        self.part = Part("")
        super().__init__("", parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        clock().watch_frames(self, self._turn)

    def _turn(self) -> None:
        if self.part.state in {State.RUNNING, State.STARTING}:
            self.update()

    def show_part(self, part: Part) -> None:
        """Say this."""
        if part != self.part:
            self.part = part
            self.setAccessibleName(part.text)
            self.setEnabled(bool(part.page))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Mark 14, gap 6, text."""
        mark = 20 if self.part.state or self.part.icon else 0
        width = text_width(self.part.text, theme().font("small", 600 if self.part.strong else None))
        return QSize(round(width) + mark + 8, 24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One group."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, middle, left = theme().color("bg.sidebar"), self.height() / 2, 4.0
        if self.underMouse() and self.isEnabled():
            ground = theme().color("bg.hover")
            rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, ground)
        mark = QRectF(left, middle - 7, 14, 14)
        if self.part.state is not None:
            draw_mark(painter, mark, self.part.state, ground, clock().phase)
            left += 20
        elif self.part.icon:
            token = "completed.mark" if self.part.icon == "check" else "failed.mark"
            draw_icon(painter, mark, self.part.icon, theme().color(token))
            left += 20
        token = "waiting.text" if self.part.strong else "text.secondary"
        font = theme().font("small", 600 if self.part.strong else None)
        room = QRectF(left, 0, self.width() - left, self.height())
        draw_text(painter, room, self.part.text, font, theme().color(token), None)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), metrics.RADIUS_6, inside=True)
        painter.end()


class StatusBar(QWidget):
    """`open_page(name)`, `commands_asked`."""

    open_page = Signal(str)
    commands_asked = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._host = world, ""
        self._groups: list[_Group] = []
        self._final: Callable[[], None] | None = None
        self._undo: Callable[[], None] | None = None
        self.said = Label("", "small", "text.secondary", elide=True)
        self.undo_button = Button(tr("Undo"), "link", small=True)
        self.today = Label("", "small", "text.secondary")
        self.commands = Button(tr("Commands"), "ghost", small=True)
        self._ends = QTimer(self)
        self._ends.setSingleShot(True)
        self._ends.timeout.connect(self.settle)
        self._left = QHBoxLayout()
        self._left.setSpacing(metrics.SPACE_8)
        self._arrange()
        self.undo_button.clicked.connect(self._undone)
        self.commands.clicked.connect(self.commands_asked)
        world.changed.connect(self._changed)
        theme().changed.connect(self._refresh)
        self._refresh()

    def _arrange(self) -> None:
        self.setFixedHeight(theme().row(metrics.STATUS_BAR, "small"))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 8, 0)
        row.setSpacing(metrics.SPACE_8)
        row.addLayout(self._left)
        row.addSpacing(8)
        row.addWidget(self.said, 1)
        row.addWidget(self.undo_button)
        row.addStretch(0)
        row.addWidget(self.today)
        row.addWidget(self.commands)
        for key in ("Ctrl", "K"):
            row.addWidget(KeyCap(key))
        self.undo_button.hide()
        self.setAccessibleName(tr("Status"))
        self.setFocusProxy(self.commands)

    # ---- what it says

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.day or batch.sessions:
            self._refresh()

    def show_host(self, text: str) -> None:
        """What to say of the host when it does not run; "" = it runs."""
        self._host = text
        self._refresh()

    def _refresh(self) -> None:
        parts = parts_of(self._world, host=self._host)
        while len(self._groups) < len(parts):
            group = _Group(self)
            group.clicked.connect(lambda _checked=False, one=group: self.open_page.emit(one.part.page))
            self._left.addWidget(group)
            self._groups.append(group)
        for number, group in enumerate(self._groups):
            group.setVisible(number < len(parts))
            if number < len(parts):
                group.show_part(parts[number])
        self.today.setText(today(self._world))
        self.update()

    def tell(self, text: str) -> None:
        """A sentence for some seconds."""
        if self._undo is None:
            self.said.setText(text)
            self._ends.start(TOLD_MS)

    # ---- undo

    def offer_undo(self, text: str, undo: Callable[[], None], final: Callable[[], None] | None = None) -> None:
        """`Deleted "…"` with a way back for 10 s; then `final`."""
        self.settle()
        self.said.setText(text)
        self._undo, self._final = undo, final
        self.undo_button.show()
        self._ends.start(metrics.UNDO_MS)

    def offers_undo(self) -> bool:
        """The last deed can still be taken back."""
        return self._undo is not None

    def _undone(self) -> None:
        undo = self._undo
        self.clear_undo()
        if undo is not None:
            undo()

    def clear_undo(self) -> None:
        """It was taken back."""
        self._undo = self._final = None
        self.settle()

    def settle(self) -> None:
        """The time is over, or the window closes: what was done is final."""
        final, self._final, self._undo = self._final, None, None
        self._ends.stop()
        self.said.setText("")
        self.undo_button.hide()
        if final is not None:
            final()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        hairline(painter, 0, 0, self.width(), 0, theme().color("border.subtle"))
        painter.end()
