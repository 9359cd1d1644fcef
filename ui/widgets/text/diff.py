"""A change of one file, line by line: numbers, signs, grounds; the first 400 lines, then more in steps.

Owns the sheet and the button below it. Selection copies text without numbers and signs.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text
from ui.theme.theme import theme
from ui.viewmodels.rows import Diff
from ui.widgets.controls import Button
from ui.widgets.text.changes import Changes, Line, changes
from ui.widgets.text.clean import clean
from ui.widgets.text.code import HIGHLIGHT_MOST, by_line, highlight, language_of_path
from ui.widgets.text.sheet import PLAIN, Ink, LineSheet, Tint, cut_lines
from ui.wording import number, tr

STEP = 2_000
"""Lines that *Show more* adds."""
_TINTS = {
    "+": Tint("diff.add.bg", "diff.add.text"),
    "-": Tint("diff.del.bg", "diff.del.text"),
    "…": Tint(None, "text.muted"),
}
_MINUS = "−"
_SPOKEN = {"+": "+", "-": _MINUS, " ": "", "…": "⋯"}


class DiffSheet(LineSheet):
    """The lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("code.small", (metrics.SPACE_4, 0), parent)
        self._rows: list[Line] = []
        self._continued: set[int] = set()
        self.setAccessibleName(tr("Changes"))

    def show_rows(self, rows: list[Line], inks: dict[int, list[Ink]]) -> None:
        """Other lines. `inks`: colours of the new text's lines, by number."""
        self._rows, self._continued = [], set()
        lines: list[str] = []
        colors: list[list[Ink]] = []
        for row in rows:
            pieces = cut_lines([clean(row.text)], 50) if row.sign != "…" else ["⋯"]
            for part, piece in enumerate(pieces):
                if part:
                    self._continued.add(len(lines))
                self._rows.append(row)
                lines.append(piece)
                plain = row.sign == " " and part == 0 and "\t" not in row.text
                colors.append(inks.get(row.new, []) if plain else [])
        self.show_lines(lines, colors)

    def _number_width(self) -> int:
        return theme().px(metrics.DIFF_NUMBER)

    def _start(self) -> float:
        return 2.0 * self._number_width() + metrics.DIFF_SIGN

    def _tint(self, number: int) -> Tint:
        return _TINTS.get(self._rows[number].sign, PLAIN)

    def _paint_before(self, painter: QPainter, number: int, line: QRectF) -> None:
        if number in self._continued:
            return
        row, wide, font = self._rows[number], self._number_width(), theme().font("code.small")
        muted = theme().color("text.muted")
        for column, value in enumerate((row.old, row.new)):
            if value:
                place = QRectF(line.left() + column * wide, line.top(), wide - metrics.SPACE_8, line.height())
                draw_text(painter, place, str(value), font, muted, None, Qt.AlignmentFlag.AlignTrailing)
        sign = _SPOKEN[row.sign]
        if sign and row.sign != "…":
            place = QRectF(line.left() + 2 * wide, line.top(), metrics.DIFF_SIGN, line.height())
            draw_text(painter, place, sign, font, theme().color(self._tint(number).ink), None)


class DiffView(QWidget):
    """The sheet and *Show n more lines*. `resized`: it is higher now."""

    resized = Signal()

    def __init__(self, diff: Diff | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._diff: Diff | None = None
        self._shown = metrics.DIFF_LINES
        self.sheet = DiffSheet(self)
        self.more = Button("", "ghost", icon="chevron-down", small=True, parent=self)
        self.more.clicked.connect(self.show_more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        if diff is not None:
            self.show_diff(diff)

    def show_diff(self, diff: Diff) -> None:
        """Show this change."""
        if diff == self._diff:
            return
        self._diff, self._shown = diff, metrics.DIFF_LINES
        self._fill()

    def show_more(self) -> None:
        """The next lines, at most 2,000."""
        self._shown += STEP
        self._fill()
        self.resized.emit()

    @property
    def left_out(self) -> int:
        """Lines that are not shown yet."""
        return max(0, self._changes().total - self._shown)

    def height_for(self, width: int) -> int:  # noqa: ARG002  # lines do not wrap
        """Lines and the button."""
        below = self.more.sizeHint().height() + metrics.SPACE_4 if self.left_out else 0
        return self.sheet.sizeHint().height() + below

    def wanted_height(self) -> int:
        """Lines and the button, at any width."""
        return self.height_for(0)

    def sizeHint(self) -> QSize:
        """All lines shown."""
        return QSize(self.sheet.sizeHint().width(), self.height_for(0))

    def text(self) -> str:
        """The change as text, for the clipboard."""
        rows = self._changes().lines(self._shown)
        return "\n".join(f"{row.sign}{clean(row.text)}" for row in rows if row.sign != "…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The sheet fills it, the button lies below."""
        super().resizeEvent(event)
        self._place()

    def _changes(self) -> Changes:
        return changes(self._diff.old, self._diff.new) if self._diff is not None else changes("", "")

    def _fill(self) -> None:
        assert self._diff is not None, "there is something to show"
        found, inks = self._changes(), {}
        new = self._diff.new
        if len(new) <= HIGHLIGHT_MOST and clean(new) == new:
            tokens = highlight(new, language_of_path(self._diff.path))
            inks = dict(enumerate(by_line(new, tokens), start=1)) if tokens else {}
        self.sheet.show_rows(found.lines(self._shown), inks)
        self.setAccessibleName(tr("Changes in {path}", path=clean(self._diff.path)[:200]))
        left = min(STEP, self.left_out)
        self.more.setVisible(self.left_out > 0)
        if left < self.left_out:
            self.more.setText(tr("Show %n more lines of {all}", n=left, all=number(self.left_out)))
        else:
            self.more.setText(tr("Show %n more lines", n=left))
        self.updateGeometry()
        self._place()

    def _place(self) -> None:
        height = self.sheet.sizeHint().height()
        self.sheet.setGeometry(0, 0, self.width(), height)
        size = self.more.sizeHint()
        self.more.setGeometry(metrics.SPACE_4, height + 2, min(size.width(), self.width()), size.height())
