"""Text of agents as widgets: prose, code, diffs, terminal output, pictures. Safe to show, whatever it says.

Nothing here loads, opens or runs anything. Rich text comes only from Markdown without HTML.
"""

from ui.widgets.text.clean import broken, clean, clean_terminal, has_marks
from ui.widgets.text.code import CodeBlock, highlight, language_of_path
from ui.widgets.text.diff import DiffView
from ui.widgets.text.images import Pictures
from ui.widgets.text.links import safe_link
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.widgets.text.message import MessageBody
from ui.widgets.text.plain_text import PlainText
from ui.widgets.text.terminal import TerminalView

__all__ = [
    "CodeBlock",
    "DiffView",
    "Look",
    "MarkdownBody",
    "MessageBody",
    "Pictures",
    "PlainText",
    "TerminalView",
    "broken",
    "clean",
    "clean_terminal",
    "has_marks",
    "highlight",
    "language_of_path",
    "safe_link",
]
