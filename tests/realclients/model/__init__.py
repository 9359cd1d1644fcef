"""A scripted model on loopback, in the four dialects that the real programs speak. Imports nothing of Codeg.

`Model` is the server and what it has seen; a test hands it scripts (`script.py`) and names one in a prompt by `marked`.
"""

from tests.realclients.model.script import Call, Script, Seen, Turn, call, in_turns, marked, say
from tests.realclients.model.server import Asked, Model

__all__ = ["Asked", "Call", "Model", "Script", "Seen", "Turn", "call", "in_turns", "marked", "say"]
