"""What an unfolded tool call shows: its command, diffs, output, pictures, in a box of at most 320 px.

Owns the parts, made when they are first needed. At its ends the wheel scrolls the feed.
"""
# ruff: noqa: N802  # Qt overrides

import json
from typing import Any, cast

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import ToolRow
from ui.widgets.text.clean import clean
from ui.widgets.text.code import by_line, highlight
from ui.widgets.text.diff import DiffView
from ui.widgets.text.images import Pictures
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.widgets.text.sheet import LineSheet, cut_lines
from ui.widgets.text.terminal import TerminalView
from ui.wording import clean_line, tr

_PAD = metrics.SPACE_4
_COMMAND_LINES, _INPUT_MOST = 100, 8_000
_PRINTED = frozenset({"execute", "read", "search", "edit", "delete", "move"})
_DIFFS_MOST = 60
_PATH_LINE = metrics.LINE_ROW
_FRAME = 2 * _PAD + 2
_SHEETS = LineSheet | DiffView | TerminalView


class _Scroll(QScrollArea):
    """Scrolls both ways; at its ends the wheel goes on to the feed."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar, step = self.verticalScrollBar(), event.angleDelta().y() or event.pixelDelta().y()
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if not sideways and bar.value() == (bar.minimum() if step > 0 else bar.maximum()):
            event.ignore()
            return
        super().wheelEvent(event)


class _PathLine(QWidget):
    """The file of one of several diffs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        theme().changed.connect(self.update)

    def show_path(self, path: str) -> None:
        self.setAccessibleName(clean_line(path, 400))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = QRectF(self.rect()).adjusted(metrics.MESSAGE_PAD_H, 0, -metrics.MESSAGE_PAD_H, 0)
        draw_text(
            painter, line, self.accessibleName(), theme().font("code.small"), theme().color("text.secondary"), "middle"
        )
        painter.end()


class ToolBody(QWidget):
    """The box. `resized`: it wants another height."""

    resized = Signal()
    link_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ground = "bg.sunken"
        self._row: ToolRow | None = None
        self._scroll = _Scroll(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        for bar in (self._scroll.verticalScrollBar(), self._scroll.horizontalScrollBar()):
            bar.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)  # the box shows
        self._column = QWidget()
        self._column.setAutoFillBackground(False)
        self._scroll.setWidget(self._column)
        self._column.setAutoFillBackground(False)
        self._command = LineSheet("code", (metrics.MESSAGE_PAD_V, metrics.MESSAGE_PAD_H), self._column)
        self._command.setAccessibleName(tr("Input"))
        self._paths: list[_PathLine] = []
        self._diffs: list[DiffView] = []
        self._output: TerminalView | None = None
        self._prose: MarkdownBody | None = None
        self._pictures: Pictures | None = None
        self._parts: list[QWidget] = []
        theme().changed.connect(self.update)

    @staticmethod
    def has_content(row: ToolRow) -> bool:
        """Whether there is anything to unfold."""
        return bool(row.diffs or row.output.strip() or row.images or _input_of(row))

    def show_call(self, row: ToolRow, depth: int) -> None:
        """Show what this call did."""
        self._ground = "bg.surface" if depth else "bg.sunken"
        if row is self._row:
            return
        self._row = row
        self._parts = []
        self._show_command(row)
        self._show_diffs(row)
        self._show_text(row)
        self._show_pictures(row)
        for part in (self._command, *self._paths, *self._diffs, self._output, self._prose, self._pictures):
            if part is not None:
                part.setVisible(part in self._parts)
        self._place()

    def rest(self) -> None:
        """Hold on to nothing."""
        self._row = None

    def text(self) -> str:
        """What C copies."""
        row = self._row
        if row is None:
            return ""
        if row.output.strip():
            return clean(row.output)
        return "\n".join(view.text() for view in self._diffs if view in self._parts)

    def height_for(self, width: int) -> int:
        """Its content, at most 320."""
        room, wide, content = self._measure(width)
        bar = metrics.SCROLL_BAR if wide > room else 0
        return min(metrics.TOOL_BODY_MOST, content + bar + _FRAME)

    # ---- parts

    def _show_command(self, row: ToolRow) -> None:
        text = _input_of(row)
        if not text:
            return
        lines = cut_lines(clean(text[: _COMMAND_LINES * 2_000]).split("\n"), _COMMAND_LINES)
        language = "bash" if row.kind == "execute" else "json"
        joined = "\n".join(lines)
        self._command.show_lines(lines, by_line(joined, highlight(joined, language)))
        self._parts.append(self._command)

    def _show_diffs(self, row: ToolRow) -> None:
        several = len(row.diffs) > 1
        for number, diff in enumerate(row.diffs[:_DIFFS_MOST]):
            if number == len(self._diffs):
                self._diffs.append(DiffView(parent=self._column))
                self._diffs[-1].resized.connect(self._changed)
                self._paths.append(_PathLine(self._column))
            if several:
                self._paths[number].show_path(diff.path)
                self._parts.append(self._paths[number])
            self._diffs[number].show_diff(diff)
            self._parts.append(self._diffs[number])

    def _show_text(self, row: ToolRow) -> None:
        if not row.output.strip():
            return
        if row.kind in _PRINTED:
            if self._output is None:
                self._output = TerminalView(self._column)
                self._output.resized.connect(self._changed)
            self._output.show_text(row.output)
            self._parts.append(self._output)
            return
        if self._prose is None:
            self._prose = MarkdownBody(Look("ui", "text.primary", code_ground="bg.hover"), parent=self._column)
            self._prose.link_asked.connect(self.link_asked)
        self._prose.show_text(row.output[: 4 * 64_000])
        self._parts.append(self._prose)

    def _show_pictures(self, row: ToolRow) -> None:
        if row.images:
            if self._pictures is None:
                self._pictures = Pictures(self._column)
            self._pictures.show_images(row.images)
            self._parts.append(self._pictures)

    # ---- places

    def _measure(self, width: int) -> tuple[int, int, int]:
        """Width that is seen, width and height of the content. What scrolls down leaves room for its bar."""
        room = max(1, width - 2)
        height = sum(self._height_of(part, room) for part in self._parts)
        if height + _FRAME > metrics.TOOL_BODY_MOST:
            room = max(1, room - metrics.SCROLL_BAR)
            height = sum(self._height_of(part, room) for part in self._parts)
        sheets = (part.sizeHint().width() for part in self._parts if isinstance(part, _SHEETS))
        return room, max(room, *sheets, 0), height

    def _height_of(self, part: QWidget, width: int) -> int:
        if isinstance(part, LineSheet):
            return part.sizeHint().height()
        if isinstance(part, MarkdownBody):
            return part.height_for(max(1, width - 2 * metrics.MESSAGE_PAD_H)) + 2 * metrics.MESSAGE_PAD_V
        if isinstance(part, Pictures):
            return part.height_for(max(1, width - 2 * metrics.MESSAGE_PAD_H)) + 2 * metrics.MESSAGE_PAD_V
        if isinstance(part, DiffView | TerminalView):
            return part.height_for(width)
        return theme().row(_PATH_LINE)

    def _changed(self) -> None:
        self._place()
        self.resized.emit()

    def _place(self) -> None:
        """The parts below each other, as wide as the widest needs."""
        self._scroll.setGeometry(1, 1 + _PAD, max(1, self.width() - 2), max(1, self.height() - _FRAME))
        room, wide, _ = self._measure(self.width())
        top = 0
        for part in self._parts:
            height = self._height_of(part, room)
            if isinstance(part, MarkdownBody | Pictures):
                pad_h, pad_v = metrics.MESSAGE_PAD_H, metrics.MESSAGE_PAD_V
                part.setGeometry(pad_h, top + pad_v, max(1, room - 2 * pad_h), max(1, height - 2 * pad_v))
            else:
                part.setGeometry(0, top, wide, height)
            top += height
        self._column.resize(wide, max(1, top))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The parts fill it."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The box."""
        painter = QPainter(self)
        rounded(
            painter,
            QRectF(self.rect()),
            metrics.RADIUS_8,
            theme().color(self._ground),
            theme().color("border.subtle"),
        )
        painter.end()


def _input_of(row: ToolRow) -> str:
    """What the call was given, where the line cannot say it: a command, or the input of a tool of no known kind."""
    if row.kind == "execute":
        return row.target
    given: Any = row.raw_input
    if row.kind in _PRINTED or not isinstance(given, dict) or not given:
        return ""
    try:
        return json.dumps(cast("dict[str, Any]", given), indent=2, ensure_ascii=False)[:_INPUT_MOST]
    except (TypeError, ValueError, RecursionError):
        return ""
