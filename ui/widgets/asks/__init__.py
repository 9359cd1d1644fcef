"""What waits for the person: permission, questions, plan; in full, or named in a strip (design 7.5)."""

from ui.widgets.asks.panel import AskPanel
from ui.widgets.asks.strip import AskStrip

__all__ = ["AskPanel", "AskStrip"]
