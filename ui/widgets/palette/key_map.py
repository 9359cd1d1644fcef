"""The keyboard map (F1): every key by where it acts, with a field to find one (design 9).

Owns the page only; keys that actions have are given, those of rows and of the composer stand here. Closes on Esc, on a
press outside, and is deleted then.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels import fuzzy
from ui.viewmodels.commands import Command
from ui.widgets.controls import Divider, IconButton, KeyCap, Label, Popup, ScrollColumn, SearchField
from ui.wording import clean_line, key_text, tr

WIDTH = metrics.SETTINGS_PAGE
_EDGE = metrics.SPACE_32
_ROW = metrics.LINE_ROW
Keys = tuple[tuple[str, str], ...]
"""(keys, what they do); several keys stand with a space between."""


def fixed_keys() -> tuple[tuple[str, Keys], ...]:
    """Keys that are no actions of the window: they act where the focus is."""
    asks = (
        ("1–9", tr("Choose an option of the focused ask")),
        ("Enter", tr("Next question, or send answers")),
        ("Esc", tr("Leave the ask; never answers it")),
    )
    return (
        (tr("Composer"), _composer_keys()),
        (tr("Rows of a conversation"), _row_keys()),
        (tr("Asks"), asks),
        (tr("Sidebar"), (("F2", tr("Rename")), ("Del", tr("Delete")))),
    )


def _composer_keys() -> Keys:
    return (
        ("Enter", tr("Send, or steer while a turn runs")),
        ("Shift+Enter", tr("New line")),
        ("Ctrl+Enter", tr("Send after this turn")),
        ("Ctrl+Shift+Enter", tr("Delegate now")),
        ("Ctrl+.", tr("Stop this turn")),
        ("@", tr("Name an agent, a file or a session")),
        ("Up", tr("In an empty composer: edit the last queued or sent message")),
    )


def _row_keys() -> Keys:
    return (
        ("J Down", tr("Next entry")),
        ("K Up", tr("Previous entry")),
        ("Right", tr("Unfold, go in")),
        ("Left", tr("Fold, go out")),
        ("Enter", tr("Open or fold")),
        ("O", tr("Open beside")),
        ("S", tr("Steer")),
        ("X", tr("Stop")),
        ("R", tr("Resume or run again")),
        ("C", tr("Copy result, code or message")),
        ("T", tr("Show the task")),
        ("End", tr("Newest, follow again")),
        ("Menu Shift+F10", tr("More actions")),
    )


class KeyMap(Popup):
    """`commands`: as the palette has them; those without a key are left out."""

    def __init__(self, commands: Sequence[Command], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = parent
        self._before: QWidget | None = None
        self._rows: list[tuple[QWidget, str]] = []
        self._heads: list[tuple[Label, list[QWidget]]] = []
        self.field = SearchField(tr("Find a key"))
        self.column = ScrollColumn(ground="bg.surface")
        self.column.column.setContentsMargins(metrics.SPACE_16, metrics.SPACE_8, metrics.SPACE_16, metrics.SPACE_16)
        self.column.column.setSpacing(0)
        self.nothing = Label(tr("No such key"), "ui", "text.muted")
        self.setAccessibleName(tr("Keyboard map"))
        self._arrange()
        self._fill(commands)
        self.field.textChanged.connect(self._search)
        self.closed.connect(self._end)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(metrics.SPACE_16, metrics.SPACE_12, metrics.SPACE_12, metrics.SPACE_12)
        head.setSpacing(metrics.SPACE_12)
        head.addWidget(Label(tr("Keyboard map"), "title"))
        head.addStretch(1)
        self.field.setFixedWidth(theme().px(metrics.FIND_FIELD))
        head.addWidget(self.field)
        close = IconButton("x", tr("Close"), "Esc")
        close.clicked.connect(self.hide)
        head.addWidget(close)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        outer.addLayout(head)
        outer.addWidget(Divider())
        outer.addWidget(self.column, 1)
        outer.addSpacing(metrics.SPACE_8)  # the corners are round

    def _fill(self, commands: Sequence[Command]) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for command in commands:
            if command.key:
                sections.setdefault(command.section, []).append((command.key, command.text))
        for name, keys in (*sections.items(), *fixed_keys()):
            head = Label(name, "heading")
            head.setContentsMargins(0, metrics.SPACE_12, 0, metrics.SPACE_4)
            self.column.column.addWidget(head)
            rows = [_row(keys_of, text) for keys_of, text in keys]
            for row, (keys_of, text) in zip(rows, keys, strict=True):
                self.column.column.addWidget(row)
                self._rows.append((row, f"{text} {name} {keys_of} {key_text(keys_of)}"))
            self._heads.append((head, rows))
        self.nothing.hide()
        self.column.column.addWidget(self.nothing)
        self.column.column.addStretch(1)

    def open(self) -> None:
        """Show it over the window."""
        if self._host is None:
            return
        self._before = QApplication.focusWidget()
        self.open_at(self._host)
        width = min(WIDTH, self._host.width() - 2 * metrics.SPACE_16)
        height = max(metrics.BOARD_COLUMN, self._host.height() - 2 * _EDGE)
        self.setGeometry((self._host.width() - width) // 2, (self._host.height() - height) // 2, width, height)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _search(self, query: str) -> None:
        wanted = clean_line(query)
        shown = {row for row, text in self._rows if not wanted or _found(wanted, text)}
        for row, _text in self._rows:
            row.setVisible(row in shown)
        for head, rows in self._heads:
            head.setVisible(any(row in shown for row in rows))
        self.nothing.setVisible(not shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows scroll."""
        bar = self.column.verticalScrollBar()
        step = {Qt.Key.Key_Down: _ROW, Qt.Key.Key_Up: -_ROW}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_PageDown:
            step = bar.pageStep()
        elif event.key() == Qt.Key.Key_PageUp:
            step = -bar.pageStep()
        if step is None:
            super().keyPressEvent(event)
            return
        bar.setValue(bar.value() + step)

    def _end(self) -> None:
        """It is made anew each time; the focus goes back to where it was."""
        before = self._before
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.deleteLater()


def _found(wanted: str, text: str) -> bool:
    hit = fuzzy.find(wanted, text)
    return hit is not None and hit.score >= fuzzy.WORDS - 100


def _row(keys: str, text: str) -> QWidget:
    row = QWidget()
    row.setMinimumHeight(theme().row(_ROW))
    row.setAccessibleName(f"{text}, {key_text(keys)}")
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(metrics.SPACE_8)
    line.addWidget(Label(text, elide=True), 1)
    for key in keys.split(" "):
        line.addWidget(KeyCap(key))
    return row
