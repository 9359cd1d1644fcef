"""Text of agents, made safe and shown: prose, code, diffs, terminal output. Nothing it says is loaded or opened."""

from ui.widgets.text.clean import clean
from ui.widgets.text.code import CodeBlock
from ui.widgets.text.diff import DiffView
from ui.widgets.text.message import MessageBody
from ui.widgets.text.prose import Prose
from ui.widgets.text.terminal import TerminalView

__all__ = ["CodeBlock", "DiffView", "MessageBody", "Prose", "TerminalView", "clean"]
