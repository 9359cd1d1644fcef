"""Pi's ACP bridge: greets with a chunk of its own right after a session is opened, before or after the first prompt.

The same text stands in the answer that opened the session. Reads only.
"""

from codeg.sessions.reading import mapping, text
from codeg.sessions.types import Json


def greeting(opened: Json) -> str:
    """The text of the greeting, from the answer to session/new; empty where there is none."""
    return text(mapping(mapping(opened.get("_meta")).get("piAcp")).get("startupInfo"))
