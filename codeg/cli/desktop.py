"""`codeg` without a command: the desktop, where it is installed.

Owns the short way there, since a window should stand before the host's library is loaded: which words mean no command,
and whether a host may run already. The desktop does the rest; no traceback reaches a user.
"""

import os
import sys
from collections.abc import Sequence

from codeg.wire.places import places


def home_of(words: Sequence[str]) -> "tuple[bool, str | None]":
    """Whether the words are no command, and their `--home`. What is odd about them is the grammar's to say."""
    match list(words):
        case []:
            return True, None
        case ["--home", home] if not home.startswith("-"):
            return True, home
        case [word] if word.startswith("--home="):
            return True, word.removeprefix("--home=")
        case _:
            return False, None


def desktop(home: str | None) -> int:
    """Open it; the exit code."""
    try:
        from ui.app import main  # noqa: PLC0415  # only this command needs it

        return main(home, look_first=_may_run(home))
    except KeyboardInterrupt:
        return 1
    except Exception as error:  # no traceback reaches a user (contract 2)
        if os.environ.get("CODEG_LOG") == "debug":
            raise
        sys.stderr.write(f"codeg: a fault of Codeg: {type(error).__name__}: {error} (CODEG_LOG=debug shows where)\n")
        return 1


def _may_run(home: str | None) -> bool:
    """Some host left its record, so it is worth a quarter of a second to ask whether it lives."""
    if sys.platform == "win32":
        return True
    import pwd  # noqa: PLC0415  # Windows has none

    given = home or os.environ.get("CODEG_HOME")
    base = os.path.abspath(os.path.expanduser(given)) if given else None
    try:
        wanted = places(base, pwd.getpwuid(os.geteuid()).pw_dir, os.geteuid())
    except (KeyError, ValueError):
        return True
    return any(os.path.lexists(place.discovery) for place in wanted.candidates())
