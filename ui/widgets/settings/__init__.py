"""The page Settings: what can be set up, applied at once, with undo (design 7.10)."""

from ui.widgets.settings.page import SettingsPage

__all__ = ["SettingsPage"]
