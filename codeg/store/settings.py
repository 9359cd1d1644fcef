"""The user's settings: `config/settings.toml`, typed (contract 3 and 6, Limits).

Owns reading, checking and changing the file. Unknown keys and comments are kept when it is rewritten; a broken file is
named with line and reason and never overwritten. A change is one atomic replacement of a file read just before.
"""

import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from codeg.broker.tasks import Limits
from codeg.store.faults import reason_of
from codeg.store.homes import HomePaths, home_paths, make_private_folder
from codeg.store.setting_rules import AGENT_RULES, RULES, TABLES, Rule, is_table

__all__ = [
    "AgentSettings",
    "DelegationSettings",
    "DesktopSettings",
    "HomePaths",
    "Settings",
    "SettingsError",
    "StoreSettings",
    "change_settings",
    "home_paths",
    "load_settings",
]

_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class SettingsError(Exception):
    """The settings cannot be used or changed. The message is one sentence that names file, line and reason."""


@dataclass(frozen=True, slots=True)
class DelegationSettings:
    """`[delegation]`. Times in seconds, `result_cache_mb` in MiB a parent (contract 6, Limits)."""

    enabled: bool = True
    depth_limit: int = 2
    live_per_parent: int = 8
    live_per_root: int = 16
    queue_limit: int = 64
    run_timeout_s: float = 0
    start_timeout_s: float = 60
    result_cache_mb: int = 512
    outside_folder: Literal["ask", "allow", "refuse"] = "ask"
    unattended: Literal["keep"] | float = "keep"
    """`keep`, or minutes after which the tasks of an outside session without a lease are cancelled."""

    def limits(self) -> Limits:
        """What the ledger enforces."""
        return Limits(
            enabled=self.enabled,
            depth_limit=self.depth_limit,
            live_per_parent=self.live_per_parent,
            live_per_root=self.live_per_root,
            queue_limit=self.queue_limit,
            run_timeout_s=self.run_timeout_s,
            unattended_cancel_s=0 if self.unattended == "keep" else self.unattended * 60,
        )


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """`[store]`. `keep_days`: transcripts and texts of ended tasks are kept this long; 0 = for ever (contract 6)."""

    keep_days: int = 90


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """`[desktop]`. `font_size` in pixels; `keys`: (action, key) where they differ from the built-in ones."""

    theme: Literal["system", "light", "dark"] = "system"
    font_size: int = 13
    language: Literal["system", "en", "zh_CN"] = "system"
    notifications: bool = True
    reduce_motion: bool = False
    keys: "tuple[tuple[str, str], ...]" = ()


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`[agents.SLUG]`: how a child of this agent starts. None = as the catalogue says (contract 7).

    `mode`: session mode; `options`: config option ids and values; `enabled`: may be used; `delegate`: may delegate.
    """

    mode: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    enabled: bool | None = None
    delegate: bool | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one home. `unknown`: dotted names in the file that mean nothing to this version."""

    delegation: DelegationSettings = field(default_factory=DelegationSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    agents: tuple[tuple[str, AgentSettings], ...] = ()
    unknown: tuple[str, ...] = ()
    desktop: DesktopSettings = field(default_factory=DesktopSettings)

    def agent(self, slug: str) -> AgentSettings:
        """The settings of one agent; the defaults where there are none."""
        return next((settings for name, settings in self.agents if name == slug), AgentSettings())


def load_settings(path: str) -> Settings:
    """Read the settings; an absent file means the defaults.

    Raises:
        SettingsError: the file is broken, holds a value of the wrong kind, or cannot be read.
    """
    return _understood(_read(path), path)


def change_settings(path: str, changes: Mapping[str, Any]) -> Settings:
    """Change some settings and keep everything else in the file: comments, order, what is unknown.

    Args:
        path: the file; made (0600, folder 0700) if absent. A link to it stays a link.
        changes: by dotted name, such as `delegation.depth_limit`, `agents.custom:mine.mode` or `desktop.keys.ACTION`;
            None = the default.

    Returns:
        The settings as they are read again from the changed file.

    Raises:
        SettingsError: the file is broken as it stands, a name is unknown, a value is wrong; nothing was written.
    """
    text = _read(path)
    before = _understood_data(text, path)
    wanted = _changed(before, changes, path)
    rewritten = _rewritten(text, before, wanted, path)
    settings = _understood(rewritten, path)
    if not _same(_parsed(rewritten, path), wanted):
        raise SettingsError(f"The settings in {path} have a form that cannot be changed here; edit the file by hand.")
    if rewritten != text:
        _replace(path, rewritten)
        settings = load_settings(path)
    return settings


# ---- reading


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingsError(f"The settings file {path} could not be read: {reason_of(error)}.") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"The settings file {path} is broken in line {line}: it is not UTF-8.") from error


def _parsed(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        found = _AT.search(reason)
        line = int(found[1]) if found and found[1] else text.rstrip("\n").count("\n") + 1
        reason = _AT.sub("", reason)
        raise SettingsError(
            f"The settings file {path} is broken in line {line}: {reason[:1].lower()}{reason[1:]}."
        ) from error
    except RecursionError as error:
        raise SettingsError(f"The settings file {path} is broken: it is nested too deeply.") from error


def _understood(text: str, path: str) -> Settings:
    return _settings(_understood_data(text, path))


def _understood_data(text: str, path: str) -> dict[str, Any]:
    data = _parsed(text, path)
    for where, complaint in _complaints(data):
        raise SettingsError(f"{path}, line {_line_of(text, where)}: {_dotted(where)} {complaint}.")
    return data


def _complaints(data: dict[str, Any]) -> "list[tuple[tuple[str, ...], str]]":
    """What is wrong: where, and what belongs there."""
    found: list[tuple[tuple[str, ...], str]] = []
    for section, rules in RULES.items():
        found += _wrong((section,), data.get(section, {}), rules)
    agents = data.get("agents", {})
    if not is_table(agents):
        return [*found, (("agents",), "must be a table")]
    for slug, table in agents.items():
        found += _wrong(("agents", slug), table, AGENT_RULES)
    return found


def _wrong(where: tuple[str, ...], table: Any, rules: Mapping[str, Rule]) -> "list[tuple[tuple[str, ...], str]]":
    if not is_table(table):
        return [(where, "must be a table")]
    return [
        ((*where, name), f"must be {rule.takes}, not {_shown(table[name])}")
        for name, rule in rules.items()
        if name in table and not rule.allows(table[name])
    ]


def _settings(data: dict[str, Any]) -> Settings:
    unknown = [_dotted((name,)) for name in data if name not in RULES and name != "agents"]
    taken: dict[str, dict[str, Any]] = {}
    for section, rules in RULES.items():
        values: dict[str, Any] = data.get(section, {})
        taken[section] = {name: value for name, value in values.items() if name in rules}
        unknown += [_dotted((section, name)) for name in values if name not in rules]
    agents: list[tuple[str, AgentSettings]] = []
    tables: dict[str, dict[str, Any]] = data.get("agents", {})
    for slug, table in tables.items():
        unknown += [_dotted(("agents", slug, name)) for name in table if name not in AGENT_RULES]
        chosen = {name: value for name, value in table.items() if name in AGENT_RULES}
        chosen["options"] = tuple(chosen.get("options", {}).items())
        agents.append((slug, AgentSettings(**chosen)))
    delegation, store = DelegationSettings(**taken["delegation"]), StoreSettings(**taken["store"])
    taken["desktop"]["keys"] = tuple(taken["desktop"].get("keys", {}).items())
    return Settings(delegation, store, tuple(agents), tuple(unknown), DesktopSettings(**taken["desktop"]))


def _line_of(text: str, where: tuple[str, ...]) -> int:
    """The line on which a value ends: the first beginning of the file that is whole and has it."""
    lines = text.split("\n")
    # No beginning has the value before a line that names it; reading each costs the square of the file.
    named = next((number for number, line in enumerate(lines) if where[-1] in line), 0)
    for count in range(named + 1, len(lines) + 1):
        try:
            at: Any = tomllib.loads("\n".join(lines[:count]))
            for name in where:
                at = at[name]
        except (tomllib.TOMLDecodeError, KeyError, TypeError):
            continue
        return count
    return 1


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _dotted(where: tuple[str, ...]) -> str:
    return ".".join(where)


# ---- changing


def _place(name: str, path: str) -> tuple[str, ...]:
    section, _, rest = name.partition(".")
    above: tuple[str, ...] = (section,)
    known: Mapping[str, Rule] = RULES.get(section, {})
    if section == "agents":
        slug, _, rest = rest.partition(".")
        above, known = ("agents", slug), AGENT_RULES if slug else {}
    setting, dot, entry = rest.partition(".")
    if setting in known and not dot:
        return (*above, setting)
    if setting in known and setting in TABLES and entry:
        return (*above, setting, entry)
    raise SettingsError(f"There is no setting {name} in {path}.")


def _changed(data: dict[str, Any], changes: Mapping[str, Any], path: str) -> dict[str, Any]:
    """What the file is to say. A table that a change needs is made, none is taken away."""
    wanted = _copied(data)
    for name, value in changes.items():
        *above, last = _place(name, path)
        table = wanted
        for part in above:
            if value is None and part not in table:
                break
            table = table.setdefault(part, {})
        else:
            if value is None:
                table.pop(last, None)
            else:
                table[last] = _copied(value)
    for where, complaint in _complaints(wanted):
        raise SettingsError(f"{_dotted(where)} {complaint}.")
    return wanted


def _copied(value: Any) -> Any:
    return {name: _copied(inner) for name, inner in value.items()} if is_table(value) else value


def _same(one: Any, other: Any) -> bool:
    if is_table(one) and is_table(other):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


def _rewritten(text: str, before: dict[str, Any], wanted: dict[str, Any], path: str) -> str:
    # Costs 60 ms, and only a change needs it.
    import tomlkit  # noqa: PLC0415  # see above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415  # see above

    try:
        document: Any = tomlkit.parse(text)
        _carry_over(document, before, wanted, tomlkit.table)
        return tomlkit.dumps(document)
    except (TOMLKitError, KeyError, TypeError, ValueError) as error:
        raise SettingsError(f"The settings in {path} could not be changed: {reason_of(error)}.") from error


def _carry_over(document: Any, before: dict[str, Any], wanted: dict[str, Any], new_table: Any) -> None:
    for name in before.keys() - wanted.keys():
        del document[name]
    for name, value in wanted.items():
        old = before.get(name)
        if is_table(value) and is_table(old):
            _carry_over(document[name], old, value, new_table)
        elif name in before and _same(old, value):
            continue
        elif is_table(value):
            table = new_table()
            _carry_over(table, {}, value, new_table)
            document[name] = table
        else:
            document[name] = value


def _replace(path: str, text: str) -> None:
    """Write beside and rename, so that the file is whole at each instant."""
    target = os.path.realpath(path)
    try:
        make_private_folder(os.path.dirname(target))
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o600
        descriptor, beside = tempfile.mkstemp(prefix=".settings-", dir=os.path.dirname(target))
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, mode)
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise SettingsError(f"The settings file {path} could not be written: {reason_of(error)}.") from error
