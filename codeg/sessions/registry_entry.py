"""An entry of the public registry of ACP agents (`agent.json`), read into a command that starts the agent.

Pure. Takes `id`, `name`, `version` and `distribution`: a program for this system (`binary`, by os and architecture), or
a package that `npx` or `uvx` runs, pinned to the entry's version. Nothing is ever downloaded here; of a program that is
not there, the archive is named.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codeg.sessions.agents import is_agent_id
from codeg.sessions.reading import clean, mapping, sequence, shorten, text
from codeg.sessions.types import Json

_LONGEST = 200
_ARCHITECTURES = {"amd64": "x86_64", "x86_64": "x86_64", "x64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PINNED = re.compile(r".+(?:@|[=~<>]=)[^/]+$")


class EntryFault(Exception):
    """The entry cannot be used; `message` is one sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class RegistryAgent:
    """What an entry comes to. `missing`: the program of its command was not found."""

    agent_id: str
    label: str
    version: str
    command: tuple[str, ...]
    env: "tuple[tuple[str, str], ...]"
    missing: bool = False


def registry_platform(system: str, machine: str) -> str:
    """How the registry names a system, such as `linux-x86_64`, from `sys.platform` and `platform.machine()`."""
    name = {"win32": "windows", "darwin": "darwin"}.get(system, "linux")
    return f"{name}-{_ARCHITECTURES.get(machine.lower(), machine.lower())}"


def read_entry(document: Any, system: str, find: Callable[[str], str | None]) -> RegistryAgent:
    """The agent that the entry describes.

    Args:
        document: the parsed file.
        system: of this machine, by `registry_platform`.
        find: a program's path, None when it is not there.

    Raises:
        EntryFault: a field is missing or wrong, or nothing of it can run here.
    """
    entry = mapping(document)
    agent_id = text(entry.get("id"))
    if not is_agent_id(agent_id):
        raise EntryFault("This is no registry entry: its id must be 1 to 40 of a-z, 0-9, - and _.")
    label = clean(shorten(" ".join(text(entry.get("name")).split()), _LONGEST)) or agent_id
    version = text(entry.get("version"))
    ways = mapping(entry.get("distribution"))
    programs = mapping(ways.get("binary"))
    given = _binary(programs, system, find) or _package(ways, version, find)
    if given is None:
        raise EntryFault(_nothing_runs(label, programs, system))
    command, told = given
    arguments = _arguments(told)
    found = find(command[0]) is not None
    return RegistryAgent(agent_id, label, version, (*command, *arguments), _env(told), missing=not found)


def _binary(programs: Json, system: str, find: Callable[[str], str | None]) -> "tuple[tuple[str, ...], Json] | None":
    """The entry's own program, where it is on PATH already."""
    told = mapping(programs.get(system))
    name = _program_name(told)
    return ((name,), told) if name and find(name) is not None else None


def _program_name(told: Json) -> str:
    return re.split(r"[/\\]", text(told.get("cmd")))[-1]


def _package(ways: Json, version: str, find: Callable[[str], str | None]) -> "tuple[tuple[str, ...], Json] | None":
    """By npx or uvx; the one whose runner is there comes first."""
    offered: list[tuple[tuple[str, ...], Json]] = []
    for runner, flags in (("npx", ("-y",)), ("uvx", ())):
        told = mapping(ways.get(runner))
        package = text(told.get("package"))
        if package and not package.startswith("-"):
            offered.append(((runner, *flags, _pinned(package, version)), told))
    return min(offered, key=lambda way: find(way[0][0]) is None, default=None)


def _pinned(package: str, version: str) -> str:
    return package if not version or _PINNED.match(package) else f"{package}@{version}"


def _arguments(told: Json) -> tuple[str, ...]:
    arguments = sequence(told.get("args"))
    if not all(isinstance(each, str) and "\0" not in each for each in arguments):
        raise EntryFault("This registry entry cannot be used: its args must be strings.")
    return tuple(arguments)


def _env(told: Json) -> "tuple[tuple[str, str], ...]":
    pairs = mapping(told.get("env"))
    for name, value in pairs.items():
        if not _VARIABLE.fullmatch(name) or not isinstance(value, str) or "\0" in value:
            raise EntryFault("This registry entry cannot be used: its env must be variables with strings.")
    return tuple(pairs.items())


def _nothing_runs(label: str, programs: Json, system: str) -> str:
    told = mapping(programs.get(system))
    name, archive = _program_name(told), text(told.get("archive"))
    if name and archive:
        return (
            f"{label} is a program of its own: download {shorten(archive, _LONGEST)}, put its "
            f"{name} on PATH, then import the entry again; nothing was written."
        )
    if programs:
        return f"{label} has no program for {system}, only for {', '.join(sorted(programs))}; nothing was written."
    return f"{label} names no way to run it (binary, npx or uvx); nothing was written."
