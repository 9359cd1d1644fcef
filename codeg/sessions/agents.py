"""The catalogue of agents: the built-in ones, and what the user's `config/agents.toml` adds to them (contract 7).

Pure, given the text of the file and a function that finds a program. A broken file or table costs what it says,
nothing else: each problem is one sentence with file and line. Values of `env` are secrets and appear in no sentence.
"""

import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from codeg.sessions.builtin_agents import builtin_agents
from codeg.sessions.reading import mapping
from codeg.sessions.types import AgentDefinition, Json

CUSTOM = "custom:"

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class AgentProblem:
    """What is wrong in `agents.toml`. `line` counts from 1; `reason` is one sentence; `broken`: nothing counts."""

    file: str
    line: int
    reason: str
    broken: bool = False

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """One agent of the catalogue. `program`: where its program was found; None = not installed."""

    definition: AgentDefinition
    program: str | None

    @property
    def installed(self) -> bool:
        """Its program was found."""
        return self.program is not None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every known agent, the built-in ones first, and what is wrong with the user's file."""

    agents: tuple[KnownAgent, ...]
    problems: tuple[AgentProblem, ...] = ()

    def get(self, slug: str) -> KnownAgent | None:
        """The agent of this slug."""
        return next((agent for agent in self.agents if agent.definition.slug == slug), None)


def load_catalogue(
    source: str | None, find: Callable[[str], str | None], file: str = "config/agents.toml"
) -> Catalogue:
    """The catalogue.

    `source`: the text of the file, None when there is none. `find`: a program's path, None when it is not there.
    """
    problems: list[AgentProblem] = []
    tables = _tables(source, file, problems) if source is not None else {}
    agents = {agent.slug: agent for agent in builtin_agents()}
    for name, table in tables.items():
        told = _Told(name, table, source or "", file)
        made = told.over(agents[name]) if name in agents else told.custom()
        problems += told.problems
        if made is not None:
            agents[made.slug] = made
    known = tuple(KnownAgent(agent, _program(agent, find)) for agent in agents.values())
    return Catalogue(known, tuple(problems))


def is_agent_id(name: str) -> bool:
    """It can name an agent of the user's own: `[agents.<id>]`, known as `custom:<id>`."""
    return _ID.fullmatch(name) is not None


def _program(agent: AgentDefinition, find: Callable[[str], str | None]) -> str | None:
    if not agent.command:
        return None
    # The demo runs on the interpreter that runs us, which is there whatever the finder says.
    return find(agent.command[0]) or (sys.executable if agent.command[0] == sys.executable else None)


def _tables(source: str, file: str, problems: list[AgentProblem]) -> Json:
    try:
        document = tomllib.loads(source.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else source.count("\n") + 1
        reason = _TOML_PLACE.sub("", str(error))
        problems.append(AgentProblem(file, line, f"This is no TOML: {reason[:1].lower()}{reason[1:]}.", broken=True))
        return {}
    except RecursionError:
        problems.append(AgentProblem(file, 1, "This is nested too deeply.", broken=True))
        return {}
    for key in document:
        if key != "agents":
            reason = f"{key} is not known here; agents stand in tables named [agents.<id>]."
            problems.append(AgentProblem(file, _line_of(source, key), reason))
    tables = document.get("agents", {})
    if not isinstance(tables, dict):
        reason = "agents must be tables named [agents.<id>]."
        problems.append(AgentProblem(file, _line_of(source, "agents"), reason, broken=True))
        return {}
    return mapping(tables)


class _Told:
    """What one table tells, field by field. A wrong one is a problem and stays as it was, a wrong switch is off."""

    def __init__(self, name: str, table: Any, source: str, file: str) -> None:
        self.problems: list[AgentProblem] = []
        self._name = name
        self._source = source
        self._file = file
        self._fields: Json = {}
        self._has_command = "command" in mapping(table)
        if isinstance(table, dict):
            self._read(mapping(table))
        else:
            self._problem(None, f"agents.{name} must be a table, not {_kind(table)}.")

    def over(self, agent: AgentDefinition) -> AgentDefinition:
        """The built-in agent with the fields told here; `env` adds to its own."""
        fields = dict(self._fields)
        if "env" in fields:
            fields["env"] = tuple({**dict(agent.env), **dict(fields["env"])}.items())
        return replace(agent, **fields)

    def custom(self) -> AgentDefinition | None:
        """An agent of the user's own; None, with a problem, when its id or command is missing or wrong."""
        if not is_agent_id(self._name):
            reason = (
                f"{self._name!r} cannot be an agent's id: take 1 to 40 of a-z, 0-9, - and _, a letter or digit first."
            )
            self._problem(None, reason)
            return None
        if "command" not in self._fields:
            if not self._has_command and not self.problems:
                self._problem(None, f"agents.{self._name} needs a command: a list of strings, the program first.")
            return None
        plain = AgentDefinition(CUSTOM + self._name, self._name, ())
        return replace(plain, **self._fields)

    def _read(self, table: Json) -> None:
        readers: dict[str, Callable[[str, Any], Any]] = {
            "label": self._text,
            "command": self._command,
            "env": self._env,
            "enabled": self._flag,
            "delegate": self._flag,
            "mode": self._mode,
            "options": self._options,
            "install": self._text,
            "drop_env": self._names,
        }
        for key, value in table.items():
            reader = readers.get(key)
            if reader is None:
                known = ", ".join(readers)
                self._problem(key, f"agents.{self._name}.{key} is not known and was passed over; known are {known}.")
                continue
            read = reader(key, value)
            if read is not None:
                self._fields[key] = read

    def _wrong(self, key: str, takes: str, value: Any) -> None:
        self._problem(key, f"agents.{self._name}.{key} must be {takes}, not {_kind(value)}.")

    def _problem(self, key: str | None, reason: str) -> None:
        self.problems.append(AgentProblem(self._file, _line_of(self._source, self._name, key), reason))

    def _text(self, key: str, value: Any) -> str | None:
        if isinstance(value, str) and value.strip():
            return value
        self._wrong(key, "a string that is not empty", value)
        return None

    def _mode(self, key: str, value: Any) -> str | None:
        if isinstance(value, str):
            return value
        self._wrong(key, 'the id of a mode, or "" for the agent\'s own', value)
        return None

    def _flag(self, key: str, value: Any) -> bool | None:
        if isinstance(value, bool):
            return value
        self._wrong(key, "true or false", value)
        return False

    def _command(self, key: str, value: Any) -> tuple[str, ...] | None:
        parts = _strings(value)
        if parts and parts[0].strip() and not any("\0" in part for part in parts):
            return parts
        self._wrong(key, "a list of strings, the program first", value)
        return None

    def _names(self, key: str, value: Any) -> tuple[str, ...] | None:
        names = _strings(value)
        if names is not None and all(_VARIABLE.fullmatch(name) for name in names):
            return names
        self._wrong(key, "a list of names of environment variables", value)
        return None

    def _env(self, key: str, value: Any) -> "tuple[tuple[str, str], ...] | None":
        if not isinstance(value, dict):
            self._wrong(key, "a table of strings", value)
            return None
        pairs: list[tuple[str, str]] = []
        for name, held in mapping(value).items():
            if not _VARIABLE.fullmatch(name):
                self._problem(key, f"agents.{self._name}.env: {name!r} is no name of an environment variable.")
            elif not isinstance(held, str) or "\0" in held:
                self._problem(key, f"agents.{self._name}.env.{name} must be a string, not {_kind(held)}.")
            else:
                pairs.append((name, held))
        return tuple(pairs)

    def _options(self, key: str, value: Any) -> "tuple[tuple[str, str], ...] | None":
        if not isinstance(value, dict):
            self._wrong(key, "a table of strings, true or false", value)
            return None
        pairs: list[tuple[str, str]] = []
        for name, chosen in mapping(value).items():
            if isinstance(chosen, bool):
                pairs.append((name, str(chosen).lower()))
            elif isinstance(chosen, str):
                pairs.append((name, chosen))
            else:
                reason = f"agents.{self._name}.options.{name} must be a string, true or false, not {_kind(chosen)}."
                self._problem(key, reason)
        return tuple(pairs)


def _strings(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    parts = [part for part in value if isinstance(part, str)]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    return tuple(parts) if len(parts) == len(value) else None  # pyright: ignore[reportUnknownArgumentType]  # any JSON


def _kind(value: Any) -> str:
    """What kind of value it is; never the value."""
    kinds: dict[type, str] = {
        bool: "true or false",
        str: "a string",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "a table",
    }
    if value == "":
        return "an empty string"
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "a date or time")


def _line_of(source: str, name: str, key: str | None = None) -> int:
    """The line of a table's header or of a key in it, as well as a plain search finds it; 1 when it does not."""
    quoted = rf"['\"]?{re.escape(name)}['\"]?"
    header = re.compile(
        rf"^\s*(?:\[\s*agents\s*\.\s*{quoted}\s*[.\]]|agents\s*\.\s*{quoted}\s*[.=]|\[?\s*{quoted}\s*[\].=])"
    )
    inside = False
    found = 0
    for number, line in enumerate(source.split("\n"), 1):
        if header.match(line):
            inside = True
            found = found or number
        elif line.lstrip().startswith("["):
            inside = False
        if key is not None and inside and re.search(rf"(?:^|[\s.{{,\['\"]){re.escape(key)}['\"]?\s*[\].=]", line):
            return number
    return found or 1
