"""The token file, read once: colours of both themes and the type roles.

Owns the reading of `tokens.toml`; pure, no Qt. A broken file is a broken installation and raises at once.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TOKEN_FILE = Path(__file__).with_name("tokens.toml")


@dataclass(frozen=True, slots=True)
class TypeRole:
    """One line of the type table; px at the default interface size."""

    size: float
    line: int
    weight: int
    tracking: float = 0.0
    mono: bool = False
    tabular: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Tokens:
    """Everything the token file says. A colour is (light, dark) in hex."""

    colors: dict[str, tuple[str, str]]
    roles: dict[str, TypeRole]


@cache
def tokens() -> Tokens:
    """The tokens of this installation."""
    raw: dict[str, Any] = tomllib.loads(TOKEN_FILE.read_text(encoding="utf-8"))
    colors = {name: (str(pair[0]), str(pair[1])) for name, pair in raw["colors"].items()}
    return Tokens(colors=colors, roles={name: TypeRole(**role) for name, role in raw["type"].items()})
