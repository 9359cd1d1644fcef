"""The composer of a conversation: text with mentions, pickers, queue, notes, and the buttons that send."""

from ui.widgets.composer.composer import Composer

__all__ = ["Composer"]
