"""The form of a session that is not begun: what should be done, where, by whom (design 7.13).

Owns the folder; the composer owns text and agent. What was typed stays until the host took it. Ends when the session
has begun, or with its tab.
"""
# ruff: noqa: N802  # Qt overrides

import os
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from codeg.api import SessionRecord
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import Image
from ui.widgets.composer import Composer
from ui.widgets.controls import Button, Label
from ui.widgets.controls.tips import set_tip
from ui.wording import age, clean_line, tr
from ui.workspace.shell import Shell

LAST_SESSIONS = 3


class NewSession(QWidget):
    """`begun`: the session's id."""

    begun = Signal(str)

    def __init__(self, draft: str, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._folder = shell.view.last_folder() or _first_folder(shell)
        self.folder = Button("", "ghost", icon="folder")
        self.composer = Composer(None, shell.world, shell.orders, shell.view, self, draft=draft)
        self.problem = Label("", "small", "failed.text", wrap=True)
        self.problem.hide()
        self._last = QVBoxLayout()
        self._last.setSpacing(4)
        self._arrange()
        self._show_folder()
        self._show_last()
        self.folder.clicked.connect(self._choose_folder)
        self.composer.begin.connect(self._begin)
        self.setFocusProxy(self.composer)
        theme().changed.connect(self.update)

    def _arrange(self) -> None:
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 0, 24, 0)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(Label(tr("What should be done?"), "title"))
        column.addWidget(self.folder, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.composer)
        column.addWidget(self.problem)
        column.addSpacing(metrics.SPACE_16)
        column.addLayout(self._last)
        column.addStretch(3)
        room = QWidget()
        room.setMaximumWidth(metrics.COLUMN)
        room.setLayout(column)
        outer.addStretch(1)
        outer.addWidget(room, 100)
        outer.addStretch(1)

    def show_agent(self, slug: str) -> None:
        """Preselect an agent."""
        self.composer.choose_agent(slug)

    def show_folder(self, folder: str) -> None:
        """Preselect a folder."""
        self._folder = folder
        self._show_folder()

    def _show_folder(self) -> None:
        self.folder.setText(clean_line(_short(self._folder)))
        set_tip(self.folder, clean_line(self._folder, 400))
        self.folder.setAccessibleName(tr("Folder {folder}", folder=self._folder))
        self.composer.set_folder(self._folder)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, tr("Choose a folder"), self._folder)
        if chosen:
            self.show_folder(chosen)

    def _begin(self, agent: str, text: str, images: Sequence[Image]) -> None:
        self.problem.hide()
        self._shell.view.remember_folder(self._folder)

        def opened(session_id: str) -> None:
            def taken(_nothing: object) -> None:
                self.composer.taken()
                self.begun.emit(session_id)

            self._shell.orders.prompt(session_id, text, images, then=taken, failed=self._failed)

        self._shell.orders.open_session(agent, self._folder, then=opened, failed=self._failed)

    def _failed(self, sentence: str) -> None:
        self.composer.not_taken()
        self.problem.setText(sentence)
        self.problem.show()

    def _show_last(self) -> None:
        found = [record for record in self._shell.world.sessions() if record.kind == "root"][:LAST_SESSIONS]
        for record in found:
            self._last.addWidget(self._last_row(record), 0, Qt.AlignmentFlag.AlignLeft)

    def _last_row(self, record: SessionRecord) -> Button:
        world = self._shell.world
        title = clean_line(world.title_of(record.session_id), 80)
        text = f"{title} · {age(world.now_ms() - record.updated_ms)}"
        button = Button(text, "ghost", icon="message-square")
        button.clicked.connect(lambda: self._shell.open_here(record.session_id))
        return button

    def sizeHint(self) -> QSize:
        """As large as there is room."""
        return QSize(800, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()


def _first_folder(shell: Shell) -> str:
    newest = next((record.folder for record in shell.world.sessions() if record.kind != "child"), "")
    return newest or os.path.expanduser("~")


def _short(folder: str) -> str:
    home = os.path.expanduser("~")
    return "~" + folder[len(home) :] if folder == home or folder.startswith(home + os.sep) else folder
