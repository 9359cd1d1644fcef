"""Where the panel of one ask stands: as wide as its column, as high as the panel asks.

Owns the panel that it holds and deletes it for the next. Ends with its parent.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme.theme import theme
from ui.widgets.asks import AskPanel


class AskPlace(QWidget):
    """Holds one panel, or none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panel: AskPanel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(0)
        theme().changed.connect(self._fit)

    def show_panel(self, panel: AskPanel | None) -> None:
        """Hold another panel."""
        before, self.panel = self.panel, panel
        if before is not None:
            before.resized.disconnect(self._fit)
            before.hide()
            before.deleteLater()
        if panel is not None:
            panel.setParent(self)
            panel.resized.connect(self._fit)
            panel.show()
        self._fit()

    def enter(self) -> None:
        """The panel takes the keyboard."""
        if self.panel is not None:
            self.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit(self) -> None:
        tall = self.panel.height_for(max(1, self.width())) if self.panel is not None else 0
        if self.panel is not None:
            self.panel.setGeometry(0, 0, self.width(), tall)
        if tall != self.height():
            self.setFixedHeight(tall)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panel is as wide as its place."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
