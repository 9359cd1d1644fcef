"""The command line of the companion, read by hand: `argparse` costs more than the whole start (speed 2.1).

Owns the flags of contract 4 and what a bad one is called; never exits, never prints. Unknown flags and bad values raise
`BadUsage`.
"""

from __future__ import annotations

import os

from companion.schema import GROUPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

MAX_IDLE_MS: Final = 7 * 24 * 3_600_000
"""A week; more is a mistake."""

USAGE: Final = """\
usage: codeg-mcp [flags]

The companion of Codeg: an MCP server on standard input and output. Agent programs start it; `codeg mcp add HOST`
registers it.

  --socket-path PATH           socket of the host (default: found through broker.json)
  --token-file PATH            file with the token of one session, read at each call (else CODEG_TOKEN, else discovery)
  --parent-connection-id ID    the session that the token belongs to
  --parent-pid PID             end when this process ends
  --features CSV               groups of tools: delegation,ask,feedback (default: all; empty: none)
  --custom-agents CSV          agents to list besides the built-in ones while no host answers
  --disabled-agents CSV        agents to leave out of that list
  --idle-timeout-ms N          end after N ms without an open call or any input; 0 = never (default)
  --home DIR                   state directory of the host (default: CODEG_HOME, else ~/.codeg)
  --version                    print the version and exit
  --help                       print this and exit
"""


class BadUsage(Exception):
    """The command line cannot be followed. Its text is one sentence for the person at the shell."""


class Options:
    """What the command line said; "" and 0 = not given. `ask`: `help`, `version`. `warnings`: sentences for stderr."""

    __slots__ = (
        "ask",
        "custom_agents",
        "disabled_agents",
        "features",
        "home",
        "idle_timeout_ms",
        "parent_connection_id",
        "parent_pid",
        "socket_path",
        "token_file",
        "warnings",
    )

    def __init__(self) -> None:
        self.socket_path = ""
        self.token_file = ""
        self.parent_connection_id = ""
        self.parent_pid = 0
        self.features: tuple[str, ...] = GROUPS
        self.custom_agents: tuple[str, ...] = ()
        self.disabled_agents: tuple[str, ...] = ()
        self.idle_timeout_ms = 0
        self.home = ""
        self.ask = ""
        self.warnings: list[str] = []


def parse(argv: Sequence[str], environment: Mapping[str, str]) -> Options:
    """Reads the arguments after the program's name; `CODEG_HOME` stands in for an absent `--home`.

    Raises:
        BadUsage: an unknown flag, a flag without its value, or a value that it does not take.
    """
    options = Options()
    options.home = environment.get("CODEG_HOME", "")
    rest = list(argv)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if flag in ("--help", "-h", "--version"):
            if equals:
                raise BadUsage(f"{flag} takes no value.")
            options.ask = "version" if flag == "--version" else "help"
            return options
        if flag not in _FLAGS:
            raise BadUsage(f"Unknown flag {_shown(flag)}; see --help.")
        if not equals:
            if not rest:
                raise BadUsage(f"{flag} needs a value.")
            value = rest.pop(0)
        _FLAGS[flag](options, flag, value)
    if options.home:
        options.home = os.path.abspath(options.home)
    return options


def _path(options: Options, flag: str, value: str) -> None:
    if not value or "\0" in value:
        raise BadUsage(f"{flag} needs a path.")
    path = value if value.startswith("\\\\.\\pipe\\") else os.path.abspath(value)
    setattr(options, flag[2:].replace("-", "_"), path)


def _text(options: Options, flag: str, value: str) -> None:
    setattr(options, flag[2:].replace("-", "_"), value)


def _pid(options: Options, flag: str, value: str) -> None:
    options.parent_pid = _number(flag, value, 1, 2**31 - 1, "a process id")


def _idle(options: Options, flag: str, value: str) -> None:
    options.idle_timeout_ms = _number(flag, value, 0, MAX_IDLE_MS, "milliseconds from 0 to a week")


def _agents(options: Options, flag: str, value: str) -> None:
    names = _split(value)
    if flag == "--custom-agents":
        options.custom_agents = names
    else:
        options.disabled_agents = names


def _features(options: Options, _flag: str, value: str) -> None:
    names = _split(value)
    options.features = tuple(group for group in GROUPS if group in names)
    options.warnings += [
        f"unknown group {_shown(name)} in --features is ignored; there are: {', '.join(GROUPS)}"
        for name in names
        if name not in GROUPS
    ]


def _split(value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))


def _number(flag: str, value: str, low: int, high: int, what: str) -> int:
    text = value.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
        raise BadUsage(f"{flag} takes {what}, not {_shown(value)}.")
    return int(text)


def _shown(value: str) -> str:
    """Repr, cut: it keeps control characters and newlines out of a one-line message."""
    return repr(value if len(value) <= 60 else value[:60] + "…")


_FLAGS: Final = {
    "--socket-path": _path,
    "--token-file": _path,
    "--parent-connection-id": _text,
    "--parent-pid": _pid,
    "--features": _features,
    "--custom-agents": _agents,
    "--disabled-agents": _agents,
    "--idle-timeout-ms": _idle,
    "--home": _path,
}
