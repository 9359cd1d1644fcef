"""The sub-agents of a conversation: a panel with a list and a timeline, or one line where there is no room."""

from ui.widgets.overlay.line import SubAgentsLine
from ui.widgets.overlay.panel import SubAgentsPanel

__all__ = ["SubAgentsLine", "SubAgentsPanel"]
