"""The page "Needs you": all that waits for the person, one list and one detail (design 7.7)."""

from ui.widgets.inbox.page import InboxPage

__all__ = ["InboxPage"]
