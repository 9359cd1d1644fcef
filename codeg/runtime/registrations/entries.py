"""What stands in an entry: the companion's command line, and the fields that each host program takes (contract 2, 4).

Owns writing and reading one entry as a value. Looks at files only to tell a real interpreter from a shim.
"""

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codeg.runtime.registrations.programs import LIMIT_S, Program
from codeg.sessions.environment import is_program
from codeg.sessions.reading import mapping, number, sequence, text

Json = dict[str, Any]
Command = tuple[str, ...]
_MODULE = ("-m", "companion")
_SCRIPT = "codeg-mcp"
_SHIMS = frozenset({"shims"})
# Switches that would keep the tools from being there; an entry of ours that is added again is switched on.
_OFF = ("enabled", "disabled")


def companion_command(home: str | None, python: str | None = None) -> Command:
    """The one form that goes into registrations (contract 4).

    `home`: absolute, where it is not the default. `python`: None = the interpreter that runs us.
    """
    command = (python or interpreter(), "-I", *_MODULE)
    return command if home is None else (*command, "--home", home)


def interpreter(candidates: "Iterator[str] | None" = None, real: "Callable[[str], bool] | None" = None) -> str:
    """The absolute path of this interpreter; not a shim, which would choose another one elsewhere.

    Links are not followed: a virtual environment is one.
    """
    judge = real or _is_real
    listed = [os.path.abspath(path) for path in candidates or _candidates() if path]
    return next((path for path in listed if judge(path)), listed[0])


def _candidates() -> Iterator[str]:
    yield sys.executable
    folder = os.path.join(sys.prefix, "Scripts" if sys.platform == "win32" else "bin")
    for name in (f"python{sys.version_info.major}.{sys.version_info.minor}", "python3", "python", "python.exe"):
        yield os.path.join(folder, name)


def _is_real(path: str) -> bool:
    if not is_program(path) or _SHIMS & set(os.path.dirname(path).split(os.sep)):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(2) != b"#!"
    except OSError:
        # It can be run but not read: then it is no script.
        return True


def entry(program: Program, command: Command, *, approve: bool) -> Json:
    """Our entry. `approve`: the program's tools run without asking, where that is a field of the entry."""
    where: Json = {"command": list(command)} if program.one_list else {"command": command[0], "args": list(command[1:])}
    limit = {} if program.by_command else {program.limit_field: LIMIT_S * program.limit_unit}
    kind = {name: value for name, value in program.start.items() if name == "type"}
    return kind | where | program.start | limit | (program.approval if approve else {})


def merged(program: Program, there: Mapping[str, Any] | None, ours: Json) -> Json:
    """Our entry over the one that is there: what a person added to it stays, so do approval and a longer time limit."""
    if there is None:
        return ours
    kept = {name: value for name, value in there.items() if name not in _OFF}
    made = {name: ours.get(name, value) for name, value in kept.items()}
    made |= {name: value for name, value in ours.items() if name not in made}
    limit = number(there.get(program.limit_field))
    if program.limit_field in ours and limit is not None and limit > ours[program.limit_field]:
        made[program.limit_field] = there[program.limit_field]
    return made


@dataclass(frozen=True, slots=True)
class Registered:
    """An entry as it was read. `limit_s`: None = none is written. `ours`: it starts the companion."""

    command: Command
    env: Mapping[str, str]
    limit_s: float | None
    on: bool
    ours: bool


def read(program: Program, there: Any) -> Registered:
    """Understand an entry, whoever wrote it; what is of the wrong kind counts as absent."""
    fields = mapping(there)
    parts = (
        sequence(fields.get("command")) if program.one_list else [fields.get("command"), *sequence(fields.get("args"))]
    )
    command = tuple(part for part in parts if isinstance(part, str))
    limit = number(fields.get(program.limit_field))
    limit = None if limit is None or limit < program.least_limit else limit
    env = mapping(fields.get("environment" if program.one_list else "env"))
    return Registered(
        command,
        {name: text(value) for name, value in env.items()},
        None if limit is None else limit / program.limit_unit,
        fields.get("enabled") is not False and fields.get("disabled") is not True,
        _is_ours(command),
    )


def _is_ours(command: Command) -> bool:
    if not command:
        return False
    return _MODULE in itertools.pairwise(command) or os.path.basename(command[0]).startswith(_SCRIPT)
