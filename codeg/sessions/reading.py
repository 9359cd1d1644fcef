"""Tolerant reading of JSON that a peer sent: a value of the wrong kind reads as absent.

Owns the few coercions that all readers of agent messages share. It never raises and never changes what it is given.
"""

import json
import math
from typing import Any, cast

from codeg.sessions.types import Json


def from_json(value: str) -> Any:
    """What a text of JSON says; None when it is none, or nested too deeply."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def mapping(value: Any) -> Json:
    """The object, or an empty one."""
    return cast("Json", value) if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """The array, or an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def mappings(value: Any) -> tuple[Json, ...]:
    """The objects of an array; other items are dropped."""
    return tuple(cast("Json", item) for item in sequence(value) if isinstance(item, dict))


def text(value: Any) -> str:
    """The string, or an empty one."""
    return value if isinstance(value, str) else ""


def whole(value: Any) -> int | None:
    """The integer, or None (a boolean is no integer; 12.0 is 12)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


def number(value: Any) -> float | None:
    """The finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def clean(value: str) -> str:
    """The string with halves of a surrogate pair joined, and lone ones replaced by U+FFFD."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def shorten(value: str, limit: int) -> str:
    """At most `limit` characters, the last one an ellipsis when something was cut."""
    return value if len(value) <= limit else value[: limit - 1] + "…"
