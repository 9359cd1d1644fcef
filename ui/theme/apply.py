"""Puts the look on the application: palette, base font, style, and the desktop's own light or dark.

Owns what is set on the QApplication and keeps it in step with the theme. Ends with the application.
"""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QToolTip

from ui.theme.fonts import load_fonts
from ui.theme.style import Style
from ui.theme.theme import theme

_ROLES = {
    QPalette.ColorRole.Window: "bg.canvas",
    QPalette.ColorRole.WindowText: "text.primary",
    QPalette.ColorRole.Base: "bg.surface",
    QPalette.ColorRole.AlternateBase: "bg.sunken",
    QPalette.ColorRole.Text: "text.primary",
    QPalette.ColorRole.PlaceholderText: "text.muted",
    QPalette.ColorRole.Button: "bg.surface",
    QPalette.ColorRole.ButtonText: "text.primary",
    QPalette.ColorRole.BrightText: "text.on-accent",
    QPalette.ColorRole.Highlight: "bg.selected",
    QPalette.ColorRole.HighlightedText: "text.primary",
    QPalette.ColorRole.Accent: "accent.fill",
    QPalette.ColorRole.Link: "accent.text",
    QPalette.ColorRole.LinkVisited: "accent.text",
    QPalette.ColorRole.ToolTipBase: "bg.surface",
    QPalette.ColorRole.ToolTipText: "text.primary",
    QPalette.ColorRole.Light: "bg.surface",
    QPalette.ColorRole.Midlight: "bg.hover",
    QPalette.ColorRole.Mid: "border.default",
    QPalette.ColorRole.Dark: "border.control",
    QPalette.ColorRole.Shadow: "border.control",
}
_OFF = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)


class Look(QObject):
    """Keeps the application in step with the theme."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._font = QFont()
        self._scheme = "system"
        theme().changed.connect(self.show_theme)
        self.show_theme()

    def show_theme(self) -> None:
        """Take over what the theme says now."""
        self._tell_desktop()
        self._app.setPalette(palette())
        QToolTip.setPalette(palette())
        font = theme().font("ui")
        if font != self._font:
            self._font = font
            self._app.setFont(font)
            QToolTip.setFont(theme().font("small"))

    def _tell_desktop(self) -> None:
        """A chosen scheme reaches window frames and native dialogs as well."""
        if theme().scheme == self._scheme:
            return
        self._scheme = theme().scheme
        hints = self._app.styleHints()
        if self._scheme == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if theme().dark else Qt.ColorScheme.Light)


def palette() -> QPalette:
    """The theme's colours as Qt's roles."""
    made = QPalette()
    for role, token in _ROLES.items():
        made.setColor(role, theme().color(token))
    for role in _OFF:
        made.setColor(QPalette.ColorGroup.Disabled, role, theme().color("text.muted"))
    return made


def apply(app: QApplication) -> None:
    """Give `app` the look of the desktop. More calls do nothing."""
    if app.findChild(Look) is not None:
        return
    load_fonts()
    app.setStyle(Style())
    Look(app)
