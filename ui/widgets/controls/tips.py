"""Tooltips as plain text.

Owns nothing. Qt guesses that a tooltip with tags is rich text; what agents write must never be.
"""

import html

from PySide6.QtWidgets import QWidget


def set_tip(widget: QWidget, text: str) -> None:
    """Give `widget` a tooltip that shows exactly `text`."""
    widget.setToolTip(plain_tip(text))


def plain_tip(text: str) -> str:
    """`text` so that a tooltip shows exactly it, tags included."""
    if "<" not in text:
        return text
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>"
