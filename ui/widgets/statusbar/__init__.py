"""The line at the foot of the window: host, counts, cost today, the way to all commands; undo for ten seconds."""

from ui.widgets.statusbar.bar import StatusBar

__all__ = ["StatusBar"]
