"""What waits for the person: permissions, questions, plans; in full, as a strip, and answered as one line."""

from ui.widgets.asks.answered import AnsweredLine
from ui.widgets.asks.panel import AskPanel
from ui.widgets.asks.strip import AskStrip

__all__ = ["AnsweredLine", "AskPanel", "AskStrip"]
