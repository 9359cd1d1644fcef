"""Changes `config/agents.toml` for the person: adds, imports, changes or takes out one agent, and keeps the rest.

Owns the change; what the file means is the catalogue's. A broken file is refused with its line, nothing is written
that the catalogue would refuse, and a file that somebody changed meanwhile is left. Values of `env` are secrets: they
stand in no sentence.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codeg.runtime.asking import invalid
from codeg.runtime.registrations.files import Held, hold, replace
from codeg.runtime.services import UserError
from codeg.sessions.agents import CUSTOM, Catalogue, load_catalogue
from codeg.sessions.builtin_agents import builtin_agents
from codeg.sessions.registry_entry import EntryFault, RegistryAgent, read_entry
from codeg.sessions.types import AgentDefinition
from codeg.store.setting_rules import is_table

MAX_ENTRY = 1024 * 1024
"""Bytes of a registry entry."""
_BUILT_IN = frozenset(agent.slug for agent in builtin_agents())


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """What the person wrote of an agent; empty fields are not in the file."""

    slug: str
    label: str
    command: tuple[str, ...]
    env: "tuple[tuple[str, str], ...]"

    @classmethod
    def of(cls, slug: str, label: str, command: Sequence[str], env: Mapping[str, str]) -> "AgentEntry":
        """Trimmed where a blank would mean nothing."""
        return cls(slug.strip(), label.strip(), tuple(command), tuple(env.items()))

    def fields(self) -> dict[str, Any]:
        """As the table has them."""
        told: dict[str, Any] = {"label": self.label, "command": list(self.command), "env": dict(self.env)}
        return {name: value for name, value in told.items() if value}


def save_agent(path: str, entry: AgentEntry) -> None:
    """Add the agent, or change label, command and env of the one that is there.

    Raises:
        UserError: see above.
    """

    def change(document: Any) -> None:
        name, wanted = entry.slug.removeprefix(CUSTOM), entry.fields()
        if name not in document.setdefault("agents", _table()):
            document["agents"][name] = _table()
        table = document["agents"][name]
        for key in ("label", "command", "env"):
            if key in wanted:
                _put(table, key, wanted[key])
            else:
                table.pop(key, None)

    if not _is_slug(entry.slug):
        raise invalid(f"There is no agent {entry.slug}; one of your own is named {CUSTOM}ID.")
    held, before, after = _changed(path, entry.slug, change)
    _check(before, after)
    _write(held)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import wrote. `slug`: by which the agent is delegated to; `note`: what is still to do, or empty."""

    slug: str
    label: str
    command: tuple[str, ...]
    note: str


def import_entry(path: str, entry_file: str, system: str, find: Callable[[str], str | None]) -> Imported:
    """Take over the agent of a registry entry (`agent.json`); variables that its table sets already stay.

    Args:
        path: of agents.toml.
        entry_file: of the entry.
        system: as the registry names this one.
        find: a program's path, None when it is not there.

    Raises:
        UserError: the entry cannot be used, or the file not be changed; nothing was written.
    """
    found = _read_entry(entry_file, system, find)
    slug = found.agent_id if found.agent_id in _BUILT_IN else CUSTOM + found.agent_id
    known = _judged(hold(path).text, path).get(slug)
    own = dict(known.definition.env) if known is not None and slug not in _BUILT_IN else {}
    save_agent(path, AgentEntry.of(slug, found.label, found.command, dict(found.env) | own))
    runner = found.command[0]
    note = f"{runner} was not found; install it, or put it on PATH." if found.missing else ""
    return Imported(slug, found.label, found.command, note)


def _read_entry(entry_file: str, system: str, find: Callable[[str], str | None]) -> RegistryAgent:
    held = hold(entry_file)
    if held.content is None:
        raise invalid(f"There is no file {entry_file}.")
    if len(held.content) > MAX_ENTRY:
        raise invalid(f"{entry_file} has more than {MAX_ENTRY} bytes; a registry entry has a few thousand.")
    try:
        return read_entry(json.loads(held.text), system, find)
    except (ValueError, RecursionError) as error:
        raise invalid(f"{entry_file} is no JSON.") from error
    except EntryFault as fault:
        raise invalid(f"{entry_file}: {fault.message}") from fault


def remove_agent(path: str, slug: str) -> None:
    """Take the agent's table out.

    Raises:
        UserError: see above; nothing of it is there.
    """

    def change(document: Any) -> None:
        agents, name = document.get("agents", {}), slug.removeprefix(CUSTOM)
        if name not in agents or not _is_slug(slug):
            raise invalid(f"{path} says nothing of {slug}.")
        del agents[name]

    held, _, _ = _changed(path, slug, change)
    _write(held)


def _is_slug(slug: str) -> bool:
    if slug in _BUILT_IN:
        return True
    return slug.startswith(CUSTOM) and slug.removeprefix(CUSTOM) not in _BUILT_IN


@dataclass(frozen=True, slots=True)
class _Rewritten:
    file: Held
    text: str


def _changed(path: str, slug: str, change: Callable[[Any], None]) -> tuple[_Rewritten, Catalogue, Catalogue]:
    """The file's new text, and what the file meant and means; nothing else in it means anything new."""
    # Costs 60 ms, and only a change needs it.
    import tomlkit  # noqa: PLC0415  # see above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415  # see above

    held = hold(path)
    before = _judged(held.text, path)
    try:
        document: Any = tomlkit.parse(held.text)
        change(document)
        text = tomlkit.dumps(document)
    except (TOMLKitError, KeyError, TypeError, ValueError) as error:
        raise _by_hand(path) from error
    after = _judged(text, path)
    if _others(before, slug) != _others(after, slug):
        raise _by_hand(path)
    return _Rewritten(held, text), before, after


def _others(catalogue: Catalogue, slug: str) -> list[AgentDefinition]:
    return [known.definition for known in catalogue.agents if known.definition.slug != slug]


def _by_hand(path: str) -> UserError:
    return invalid(f"{path} has a form that cannot be changed here; edit the file by hand.")


def _table(*, inline: bool = False) -> Any:
    import tomlkit  # noqa: PLC0415  # see above

    return tomlkit.inline_table() if inline else tomlkit.table()


def _write(held: _Rewritten) -> None:
    if held.text != held.file.text:
        replace(held.file, held.text, private=True)


def _put(table: Any, key: str, value: Any) -> None:
    """Set a field; inside a table only what differs is touched, so that comments stay."""
    held = table.get(key)
    if is_table(value) and not is_table(held):
        table[key] = held = _table(inline=True)
    elif not is_table(value):
        if held != value:
            table[key] = value
        return
    for name in held.keys() - value.keys():
        del held[name]
    for name, text in value.items():
        if held.get(name) != text:
            held[name] = text


def _judged(text: str, path: str) -> Catalogue:
    """What the file means.

    Raises:
        UserError: it is no TOML, or its tables are none: nothing can be changed in it.
    """
    catalogue = load_catalogue(text, lambda _name: None, path)
    broken = next((problem for problem in catalogue.problems if problem.broken), None)
    if broken is not None:
        raise invalid(f"{broken} Mend that line first; nothing was written.")
    return catalogue


def _check(before: Catalogue, after: Catalogue) -> None:
    """The changed text has no fault that the file did not have.

    Raises:
        UserError: an id, a command or a variable that the file cannot have.
    """
    known_reasons = {problem.reason for problem in before.problems}
    problem = next((each for each in after.problems if each.reason not in known_reasons), None)
    if problem is not None:
        raise invalid(problem.reason)
