"""The board: all delegated tasks in five columns, or as a table (design 7.9)."""

from ui.widgets.board.page import BoardPage

__all__ = ["BoardPage"]
