"""What each setting takes (contract 6, Limits; contract 7).

Owns the names of the known settings and the judgement on one value; never reads a file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

_MANY: Final = 1_000_000
_LONG: Final = 1e9


@dataclass(frozen=True, slots=True)
class Rule:
    """One setting. `takes`: what belongs there, as the end of "must be …"."""

    takes: str
    allows: Callable[[Any], bool]


def _flag() -> Rule:
    return Rule("true or false", lambda value: type(value) is bool)


def _whole(least: int, most: int = _MANY) -> Rule:
    ending = f"from {least} to {most}" if most != _MANY else "of at least " + str(least)
    return Rule(f"a whole number {ending}", lambda value: type(value) is int and least <= value <= most)


def _seconds(least: float) -> Rule:
    return Rule(
        f"a number of seconds of at least {least:g}", lambda value: _is_number(value) and least <= value <= _LONG
    )


def _one_of(*choices: str) -> Rule:
    named = ", ".join(f'"{choice}"' for choice in choices[:-1]) + f' or "{choices[-1]}"'
    return Rule(named, lambda value: type(value) is str and value in choices)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def is_table(value: Any) -> TypeGuard[dict[str, Any]]:
    """A TOML table: its keys are always texts."""
    return isinstance(value, dict)


def _is_texts(value: Any) -> bool:
    return is_table(value) and all(isinstance(inner, str) for inner in value.values())


def _is_patience(value: Any) -> bool:
    return value == "keep" if isinstance(value, str) else _is_number(value) and 0 < value <= _LONG


RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "delegation": {
        "enabled": _flag(),
        "depth_limit": _whole(1, 8),
        "live_per_parent": _whole(1),
        "live_per_root": _whole(1),
        "queue_limit": _whole(0),
        "run_timeout_s": _seconds(0),
        "start_timeout_s": _seconds(1),
        "result_cache_mb": _whole(1),
        "outside_folder": _one_of("ask", "allow", "refuse"),
        "unattended": Rule('"keep" or a number of minutes above 0', _is_patience),
    },
    "store": {"keep_days": _whole(0)},
    "desktop": {
        "theme": _one_of("system", "light", "dark"),
        "font_size": _whole(12, 18),
        "language": _one_of("system", "en", "zh_CN"),
        "notifications": _flag(),
        "reduce_motion": _flag(),
        "keys": Rule("a table of texts", _is_texts),
    },
}
"""Sections with their settings."""

AGENT_RULES: Final[Mapping[str, Rule]] = {
    "mode": Rule("a text", lambda value: type(value) is str),
    "options": Rule("a table of texts", _is_texts),
    "enabled": _flag(),
    "delegate": _flag(),
}
"""What `[agents.SLUG]` holds."""

TABLES: Final = frozenset({"keys", "options"})
"""Settings that are tables themselves: one entry of them can be changed by its own name."""
