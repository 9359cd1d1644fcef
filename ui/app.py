"""`codeg` without a command: the desktop's process, from what must be there to its exit code (contract 1 and 2).

Owns the order of the start: is there a display, does a host run already, are Qt's libraries there, and only then Qt.
What cannot be is one sentence on stderr. Imports next to nothing itself.
"""

import os
import sys

from ui.starting import CannotStart, has_display, no_display, require_x11, why_not_imported


def main(home: str | None = None, *, look_first: bool = True) -> int:
    """Open the desktop; the exit code. `look_first`: a host may run already: it is asked before Qt is loaded."""
    try:
        return _main(home, look_first=look_first)
    except CannotStart as error:
        sys.stderr.write(f"codeg: {error}\n")
        return error.code


def _main(home: str | None, *, look_first: bool) -> int:
    shown = has_display(os.environ)
    if (look_first or not shown) and _runs_elsewhere(home, shown=shown):
        return 0
    if not shown:
        raise no_display()
    require_x11(os.environ)
    try:
        from ui.desktop import run  # noqa: PLC0415  # Qt comes last
    except ImportError as error:
        raise why_not_imported(error) or error from None
    return run(home)


def _runs_elsewhere(home: str | None, *, shown: bool) -> bool:
    """A desktop that runs already shows its window.

    Raises:
        CannotStart: a host runs and nothing can be shown here.
    """
    from codeg.api import HostUnavailable, OperatorClient, UserError  # noqa: PLC0415  # takes a quarter of a second

    client = OperatorClient(home)
    try:
        if not shown:
            pid = client.find().pid
            client.request("asks", limit=1)  # the record alone may be an old one
            raise CannotStart(f"A host is already running (pid {pid}), and there is no display for a window.", 3)
        return bool(client.request("raise")["raised"])
    except (HostUnavailable, UserError):
        return False
