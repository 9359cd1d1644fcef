"""Panels that stand over the window: the host stopped, quit while children run, open this link (design 3, 7.13).

Owns their look and what the person chose, told by signals; a modal page lies on a flat scrim. None is ever answered by
a timer. Ends when it is closed.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.controls import Button, Label, MarkLabel
from ui.wording import clean_line, tr

WORDS = 12
"""Lines of an agent's log that are shown."""


@dataclass(frozen=True, slots=True)
class Way:
    """One button: `name` is what `chosen` says."""

    name: str
    text: str
    kind: str = "outlined"
    icon: str | None = None


@dataclass(frozen=True, slots=True)
class Matter:
    """What a panel says: a title, sentences, and the ways out; the last one is what Esc means, if `escapes`."""

    title: str
    text: str
    ways: tuple[Way, ...]
    mark: State | None = None
    escapes: bool = True


class Panel(QWidget):
    """A box of 520 with a title, sentences and buttons."""

    chosen = Signal(str)

    def __init__(self, matter: Matter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matter = matter
        self.setFixedWidth(metrics.CRASH_PANEL)
        self.setAccessibleName(matter.title)
        self.setAccessibleDescription(matter.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(8)
        column.addLayout(self._head(matter))
        text = Label(matter.text, "ui", "text.secondary", wrap=True)
        column.addWidget(text)
        column.addSpacing(8)
        self.buttons = [self._button(way) for way in matter.ways]
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        theme().changed.connect(self.update)

    def _head(self, matter: Matter) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        if matter.mark is not None:
            row.addWidget(MarkLabel(matter.mark, 16), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(Label(matter.title, "heading"), 1)
        return row

    def _button(self, way: Way) -> Button:
        button = Button(way.text, way.kind, icon=way.icon)
        button.clicked.connect(lambda: self.chosen.emit(way.name))
        return button

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc is the last way."""
        if event.key() == Qt.Key.Key_Escape and self._matter.escapes:
            self.chosen.emit(self._matter.ways[-1].name)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A surface with a control's outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        rounded(painter, box, metrics.RADIUS_8, theme().color("bg.surface"), theme().color("border.control"))
        painter.end()


class Scrim(QWidget):
    """A modal page: a panel on a flat scrim over the whole window. `chosen` tells the way; it closes itself."""

    chosen = Signal(str)

    def __init__(self, matter: Matter, window: QWidget) -> None:
        super().__init__(window)
        self._before = window.focusWidget()
        self._had_focus = bool(self._before)
        self.panel = Panel(matter, self)
        self.panel.chosen.connect(self._choose)
        window.installEventFilter(self)
        self.setGeometry(window.rect())
        self.show()
        self.raise_()
        self.panel.buttons[0].setFocus(Qt.FocusReason.PopupFocusReason)
        self._place()

    def _choose(self, way: str) -> None:
        self.hide()
        if self._had_focus:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.chosen.emit(way)
        self.deleteLater()

    def _place(self) -> None:
        width = metrics.CRASH_PANEL
        self.panel.resize(width, max(self.panel.heightForWidth(width), self.panel.minimumSizeHint().height()))
        left = (self.width() - self.panel.width()) // 2
        self.panel.move(left, max(24, (self.height() - self.panel.height()) // 3))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window whatever its size."""
        if watched is self.parent() and event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
            self._place()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's name
        """Tab stays inside."""
        return self.walk(1 if next else -1)

    def walk(self, step: int) -> bool:
        """Give the focus to the next or previous button."""
        buttons = self.panel.buttons
        at = next((number for number, button in enumerate(buttons) if button.hasFocus()), 0)
        buttons[(at + step) % len(buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nothing below hears a key."""
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Flat: the design allows one scrim."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("scrim"))
        painter.end()


def quit_matter(running: int) -> Matter:
    """Quit while children run: one question, one page (issue 3, quitting)."""
    return Matter(
        title=tr("%n tasks are running", n=running),
        text=tr("Keep them running without a window, or stop them now. What they have done so far is kept either way."),
        ways=(
            Way("keep", tr("Keep running"), "filled"),
            Way("stop", tr("Stop them and quit")),
            Way("stay", tr("Cancel"), "ghost"),
        ),
        mark=State.RUNNING,
    )


def link_matter(link: str) -> Matter:
    """A link of an agent's text: it is opened only when the person says so."""
    return Matter(
        title=tr("Open this link?"),
        text=link,
        ways=(Way("open", tr("Open"), "filled"), Way("copy", tr("Copy link")), Way("no", tr("Cancel"), "ghost")),
    )


def takeover_matter(pid: int, tasks: int) -> Matter:
    """A host without a window runs already (contract 1)."""
    text = tr("A host without a window runs as process {pid}.", pid=str(pid))
    if tasks:
        text += "\n" + tr("Stopping it interrupts %n running tasks; each can be resumed here.", n=tasks)
    else:
        text += "\n" + tr("Nothing runs in it.")
    ways = (Way("take", tr("Stop it and take over"), "filled"), Way("quit", tr("Quit"), "ghost"))
    return Matter(title=tr("Codeg runs already"), text=text, ways=ways)


def crash_matter(reason: str, stored_until: str) -> Matter:
    """The host's thread ended by a fault (design 7.13)."""
    kept = tr("Your sessions are stored up to {time}.", time=stored_until)
    ways = (Way("restart", tr("Restart"), "filled"), Way("log", tr("Open log"), "outlined", "text-align-start"))
    return Matter(title=tr("The host stopped"), text=f"{reason}\n{kept}", ways=ways, mark=State.FAILED, escapes=False)


def words_matter(name: str, lines: Sequence[str]) -> Matter:
    """The last words of an agent, as it wrote them."""
    text = "\n".join(clean_line(line, 160) for line in lines[-WORDS:]) or tr("It wrote nothing to its log.")
    ways = (Way("copy", tr("Copy")), Way("close", tr("Close"), "ghost"))
    return Matter(title=tr("Last words of {agent}", agent=name), text=text, ways=ways)
