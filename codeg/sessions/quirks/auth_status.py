"""The bridges of Claude Code and Codex push which account they use, by a notification of their own. Reads only.

A program that cannot tell pushes nothing; one that knows that nobody is signed in says so.
"""

from codeg.sessions.reading import mapping, text
from codeg.sessions.types import Json

METHOD = "_auth/status_update"


def signed_in(params: Json) -> bool | None:
    """Whether somebody is signed in; None where that is not told."""
    kind = text(mapping(params.get("authStatus")).get("kind"))
    return kind != "none" if kind else None
