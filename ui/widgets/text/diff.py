"""Changes of a file: two columns of line numbers, the sign, the text; lines of 20.

Owns the lines; only those that are seen are painted. The first 400 stand at once, more on request in bounded steps.
"""
# ruff: noqa: N802  # Qt overrides

import difflib
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import Diff
from ui.widgets.controls import Button
from ui.widgets.text.clean import clean
from ui.wording import tr

CONTEXT = 3
CAREFUL = 600
"""Lines of the differing middle up to which single lines are matched; beyond, all old ones go and all new ones come."""
STEP = 2_000
_CUT = 1_000


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line. Numbers from 1, None = not on that side; `sign`: "+", "-", " ", "…" for left-out lines."""

    old: int | None
    new: int | None
    sign: str
    text: str


def diff_lines(diff: Diff) -> tuple[DiffLine, ...]:
    """The changes with three lines around each."""
    old = clean(diff.old or "").split("\n") if diff.old else []
    new = clean(diff.new).split("\n")
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    found: list[DiffLine] = []
    before = max(0, head - CONTEXT)
    if before:
        found.append(DiffLine(None, None, "…", ""))
    found += [DiffLine(n + 1, n + 1, " ", new[n]) for n in range(before, head)]
    found += _middle(old[head : len(old) - tail], new[head : len(new) - tail], head)
    after = min(tail, CONTEXT)
    for n in range(after):
        o, w = len(old) - tail + n, len(new) - tail + n
        found.append(DiffLine(o + 1, w + 1, " ", new[w]))
    if tail > after:
        found.append(DiffLine(None, None, "…", ""))
    return tuple(found)


def _middle(old: list[str], new: list[str], head: int) -> list[DiffLine]:
    if len(old) > CAREFUL or len(new) > CAREFUL:
        gone = [DiffLine(head + n + 1, None, "-", text) for n, text in enumerate(old)]
        return gone + [DiffLine(None, head + n + 1, "+", text) for n, text in enumerate(new)]
    found: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, o1, o2, n1, n2 in matcher.get_opcodes():
        if tag == "equal":
            found += [DiffLine(head + o1 + k + 1, head + n1 + k + 1, " ", new[n1 + k]) for k in range(n2 - n1)]
        else:
            found += [DiffLine(head + k + 1, None, "-", old[k]) for k in range(o1, o2)]
            found += [DiffLine(None, head + k + 1, "+", new[k]) for k in range(n1, n2)]
    return found


class DiffView(QWidget):
    """Lines, painted. `resized`: more lines were asked for."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[DiffLine, ...] = ()
        self._shown = metrics.DIFF_LINES
        self._diff: Diff | None = None
        self.more = Button("", "link", small=True, parent=self)
        self.more.hide()
        self.more.clicked.connect(self._show_more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme().changed.connect(self.update)

    def show_diff(self, diff: Diff) -> None:
        """Show this change."""
        if diff == self._diff:
            return
        self._diff = diff
        self._lines = diff_lines(diff)
        self._shown = metrics.DIFF_LINES
        added = sum(line.sign == "+" for line in self._lines)
        removed = sum(line.sign == "-" for line in self._lines)
        self.setAccessibleName(
            tr(
                "Changes of {path}, {added} lines added, {removed} removed",
                path=diff.path,
                added=str(added),
                removed=str(removed),
            )
        )
        self._refresh()

    def _refresh(self) -> None:
        hidden = max(0, len(self._lines) - self._shown)
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("Show %n more lines", n=hidden))
        self.setFixedHeight(self.wanted_height())
        self.more.setGeometry(8, self.height() - metrics.BUTTON_SMALL - 2, 260, metrics.BUTTON_SMALL)
        self.update()

    def _show_more(self) -> None:
        self._shown += STEP
        self._refresh()
        self.resized.emit()

    def wanted_height(self) -> int:
        """Of the lines that are shown."""
        shown = min(len(self._lines), self._shown)
        more = metrics.BUTTON_SMALL + 4 if len(self._lines) > self._shown else 0
        return shown * theme().line("code.small") + more

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(400, self.wanted_height())

    def text(self) -> str:
        """As a patch, for copying."""
        return "\n".join(f"{line.sign}{line.text}" for line in self._lines if line.sign != "…")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Only the lines that are exposed."""
        painter = QPainter(self)
        height = theme().line("code.small")
        font = theme().font("code.small")
        painter.setFont(font)
        ascent = (height + QFontMetricsF(font).ascent() - QFontMetricsF(font).descent()) / 2
        first = max(0, event.rect().top() // height)
        last = min(len(self._lines), self._shown, event.rect().bottom() // height + 1)
        for number in range(first, last):
            self._paint_line(painter, self._lines[number], number * height, height, ascent)
        painter.end()

    def _paint_line(self, painter: QPainter, line: DiffLine, top: int, height: int, ascent: float) -> None:
        kind = {"+": "diff.add", "-": "diff.del"}.get(line.sign)
        if kind is not None:
            painter.fillRect(QRectF(0, top, self.width(), height), theme().color(f"{kind}.bg"))
        painter.setPen(theme().color("text.muted"))
        numbers = metrics.DIFF_NUMBER
        for column, n in enumerate((line.old, line.new)):
            room = QRectF(column * numbers, top, numbers - 6, height)
            painter.drawText(
                room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(n) if n else ""
            )
        painter.setPen(theme().color(f"{kind}.text" if kind else "text.secondary"))
        left = 2 * numbers
        sign = "−" if line.sign == "-" else line.sign.strip()
        painter.drawText(QRectF(left, top, metrics.DIFF_SIGN, height), int(Qt.AlignmentFlag.AlignCenter), sign)
        painter.drawText(left + metrics.DIFF_SIGN + 4, round(top + ascent), line.text.replace("\t", "    ")[:_CUT])
