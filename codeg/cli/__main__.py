"""`codeg`: what comes before the commands are loaded, which takes half a second.

Owns the process as it was given: three open descriptors, streams that take any text, signals that wait until somebody
can act on them. Imports next to nothing; `commands` does the rest, `desktop` where there is no command. Never returns.
"""

import os
import signal
import sys


def main(words: list[str] | None = None) -> None:
    """Entry point; never returns."""
    _hold_signals()
    _open_streams()
    code = _carry_out(sys.argv[1:] if words is None else words)
    _end_at_once()
    raise SystemExit(code)


def _carry_out(words: list[str]) -> int:
    from codeg.cli.desktop import desktop, home_of  # noqa: PLC0415  # see above

    no_command, home = home_of(words)
    if no_command:
        return desktop(home)
    from codeg.cli.commands import carry_out  # noqa: PLC0415  # see above

    return carry_out(words)


def _hold_signals() -> None:
    """An import that is interrupted is a traceback. `signals.release` lets them through."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))


def _end_at_once() -> None:
    """All is done and said: what came late is dropped, and from now on a Ctrl-C ends the process without a word."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
        signal.signal(number, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))


def _open_streams() -> None:
    """A closed descriptor would be given to the next file that is opened, and what we print would go there."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
        stream = getattr(sys, name)
        if stream is None:
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace", closefd=False))  # noqa: SIM115
        else:  # the locale may know few letters, and text of agents has any
            stream.reconfigure(errors="replace" if number < 2 else "backslashreplace")


if __name__ == "__main__":
    main()
