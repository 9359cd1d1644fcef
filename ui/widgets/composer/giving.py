"""What the person gives to the composer beside text: pictures, files, by pasting, dropping or choosing.

Owns the decision what becomes an image and what a mention of a file, and the dialog to choose. Ends with the composer.
"""

from PySide6.QtCore import QDir, QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.viewmodels.composing import Mention
from ui.widgets.composer.attachments import Attachments
from ui.widgets.composer.editor import Editor
from ui.wording import tr


class Giving(QObject):
    """`refused`: one sentence why something was not taken."""

    refused = Signal(str)

    def __init__(self, editor: Editor, attachments: Attachments, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor, self._attachments, self._widget = editor, attachments, parent
        self._folder, self._name, self._images = "", "", True

    def set_place(self, folder: str, name: str, *, images: bool) -> None:
        """Where paths are relative to, and whether the agent takes images."""
        self._folder, self._name, self._images = folder, name, images

    def take_picture(self, picture: QImage) -> None:
        """A picture from the clipboard."""
        if self._images:
            self._attachments.add_picture(picture)
        else:
            self.refused.emit(tr("{name} takes no images here.", name=self._name))

    def take_files(self, paths: list[str]) -> None:
        """Files: images go along, all others are named in the text."""
        for path in paths:
            if self._images and self._attachments.add_file(path):
                continue
            shown = self._relative(path)
            self._editor.insert_mention(Mention("file", shown, shown))

    def ask(self) -> None:
        """Let the person choose files."""
        dialog = QFileDialog(self._widget, tr("Attach files or images"), self._folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.take_files)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _relative(self, path: str) -> str:
        shown = QDir(self._folder).relativeFilePath(path) if self._folder else path
        return path if shown.startswith("..") else shown
