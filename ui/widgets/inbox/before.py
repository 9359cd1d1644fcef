"""What an agent did before it asked: its last entries in a box, so that one can decide without leaving (design 7.7).

Owns its parts; reads the transcript and follows it while it is shown. Never loads anything itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.inbox import before_ask
from ui.viewmodels.rows import DelegationRow, Diff, MessageRow, NoteRow, Row, ThoughtRow, ToolRow, UserRow
from ui.viewmodels.transcript import Transcript
from ui.viewmodels.transcript.finding import text_of
from ui.viewmodels.world import World
from ui.widgets.controls import Box, Label
from ui.widgets.feed.lines import after_sign, paint_sign
from ui.widgets.feed.views.tool import (
    icon_of,
    kind_word,
    paint_call,
    paint_counts,
    paint_end,
    paint_mark,
    state_of_tool,
)
from ui.widgets.text import DiffView, MarkdownBody, clean
from ui.wording import clean_line, number, state_word, tr

PAD_V, PAD_H = metrics.INNER_10, metrics.SPACE_12 + 2
_LONG = 4_000
"""Letters of a message that are shown here; all of it stands in the conversation."""


class _Prose(QWidget):
    """What the agent or the person said."""

    resized = Signal()

    def __init__(self, text: str, who: str) -> None:
        super().__init__()
        self.who = Label(who, "small", "text.muted", weight=600, parent=self)
        self.who.setVisible(bool(who))
        self.body = MarkdownBody(parent=self)
        self.body.show_text(text[:_LONG])
        self.body.resized.connect(self.resized)
        self.setAccessibleName(clean_line(f"{who} {text}" if who else text, 400))
        self._fit()

    def _fit(self) -> None:
        inner, top = max(1, self.width() - 2 * PAD_H), PAD_V
        if not self.who.isHidden():
            self.who.setGeometry(PAD_H, top, inner, theme().line("small"))
            top += theme().line("small") + 2
        tall, rise = self.body.height_for(inner), self.body.rise()
        self.body.setGeometry(PAD_H, top - rise, inner, tall + rise)
        self.setFixedHeight(top + tall + PAD_V)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """As high as its text asks."""
        self._fit()


class _Line(QWidget):
    """Any other entry: one line."""

    def __init__(self, row: Row, world: World) -> None:
        super().__init__()
        self._row, self._world = row, world
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._spoken())
        theme().changed.connect(self._retheme)

    def _retheme(self) -> None:
        self.updateGeometry()
        self.update()

    def _spoken(self) -> str:
        row = self._row
        if isinstance(row, ToolRow):
            state = state_word(state_of_tool(row)).lower()
            return f"{kind_word(row.kind)} {clean_line(row.target or row.title)}, {state}"
        return clean_line(self._words())

    def _words(self) -> str:
        match self._row:
            case ThoughtRow(seconds=seconds):
                return tr("Thought for {seconds} s", seconds=str(seconds)) if seconds else tr("Thought")
            case DelegationRow(agent_type=slug, task=task):
                return tr("{agent}: {task}", agent=self._world.label_of(slug), task=clean_line(task))
            case _:
                return text_of(self._row)

    def sizeHint(self) -> QSize:
        """32 high."""
        return QSize(metrics.COLUMN, theme().row(metrics.ROW))

    def minimumSizeHint(self) -> QSize:
        """It may be cut."""
        return QSize(PAD_H, theme().row(metrics.ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, kind, target; numbers and mark."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(self.layoutDirection())  # a painter knows only the application's
        line, row = QRectF(self.rect()).adjusted(PAD_H, 0, -PAD_H, 0), self._row
        if isinstance(row, ToolRow):
            paint_sign(painter, line, icon_of(row.kind), "text.secondary")
            line = paint_mark(painter, after_sign(painter, line), state_of_tool(row), theme().color("bg.surface"))
            paint_call(painter, self._numbers(painter, line, row), row)
        else:
            icon = (
                "brain" if isinstance(row, ThoughtRow) else "git-branch" if isinstance(row, DelegationRow) else "info"
            )
            paint_sign(painter, line, icon, "text.secondary")
            words = clean_line(self._words())
            draw_text(painter, after_sign(painter, line), words, theme().font("ui"), theme().color("text.secondary"))
        painter.end()

    @staticmethod
    def _numbers(painter: QPainter, line: QRectF, row: ToolRow) -> QRectF:
        if row.exit_code:
            return paint_end(painter, line, tr("Exit {code}", code=number(row.exit_code)), "failed.text")
        if row.added or row.removed:
            return paint_counts(painter, line, row.added, row.removed)
        if row.kind == "read" and row.output:
            return paint_end(painter, line, tr("%n lines", n=row.output.count("\n") + 1), "text.muted")
        return line


class _Change(QWidget):
    """A diff on the sunken ground, from edge to edge; round at the box's lower corners when it is the last."""

    resized = Signal()

    def __init__(self, diff: Diff, *, is_last: bool) -> None:
        super().__init__()
        self._is_last = is_last
        self.view = DiffView(diff)
        self.view.resized.connect(self.resized)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, metrics.SPACE_4, 0, metrics.SPACE_4)
        column.addWidget(self.view)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        box = QRectF(self.rect())
        painter.setClipRect(box)
        radius = metrics.RADIUS_8 - 1 if self._is_last else 0
        rounded(painter, box.adjusted(0, -2 * metrics.RADIUS_8, 0, 0), radius, theme().color("bg.sunken"))
        painter.end()


class BeforeAsk(QWidget):
    """The heading and the box; hidden while there is nothing to show."""

    filled = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._since = 0
        self._transcript: Transcript | None = None
        self._shown: tuple[Row, ...] = ()
        self.title = Label(tr("Before it asked"), "heading")
        self.count = Label("", "small", "text.muted")
        self.box = Box()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fill)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.SPACE_8)
        column.addLayout(head)
        column.addWidget(self.box)
        self.setVisible(False)

    def show_ask(self, ask: Ask | None, transcript: Transcript | None) -> None:
        """Show what stood before this ask."""
        if self._transcript is not None:
            self._follow(self._transcript, follow=False)
        self._transcript, self._since = transcript, ask.since_ms if ask is not None else 0
        if transcript is not None:
            self._follow(transcript, follow=True)
        self._fill()

    def _follow(self, transcript: Transcript, *, follow: bool) -> None:
        for signal in (transcript.loaded, transcript.rowsInserted, transcript.rowsRemoved, transcript.dataChanged):
            if follow:
                signal.connect(self._later)
            else:
                signal.disconnect(self._later)

    def _later(self) -> None:
        self._soon.start()

    def _fill(self) -> None:
        self._soon.stop()
        rows = before_ask(self._transcript, self._since) if self._transcript is not None else ()
        if rows == self._shown:
            return
        self._shown = rows
        self.box.clear()
        for place, row in enumerate(rows):
            self._add(row, is_last=place == len(rows) - 1)
        self.count.setText(tr("last %n entries", n=len(rows)))
        self.setVisible(bool(rows))
        self.filled.emit()

    def _add(self, row: Row, *, is_last: bool) -> None:
        if isinstance(row, UserRow | NoteRow | MessageRow):
            who = "" if isinstance(row, MessageRow) else tr("You")
            prose = _Prose(row.text, who)
            prose.resized.connect(self.filled)
            self.box.add_row(prose)
            return
        self.box.add_row(_Line(row, self._world))
        diffs = row.diffs if isinstance(row, ToolRow) else ()
        for place, diff in enumerate(diffs):
            if len(diffs) > 1:
                self.box.add_row(_PathLine(diff.path))
            change = _Change(diff, is_last=is_last and place == len(diffs) - 1)
            change.resized.connect(self.filled)
            self.box.add_row(change)


class _PathLine(Label):
    """The file of one of several diffs."""

    def __init__(self, path: str) -> None:
        super().__init__(clean_line(clean(path), 400), "code.small", "text.secondary", elide=True)
        self.setContentsMargins(PAD_H, metrics.SPACE_4, PAD_H, metrics.SPACE_4)
