"""Frozen dataclasses as JSON text and back, exactly.

Owns the form of the `doc` columns: an object by field name, fields at their default left out, enums by value. A field
added later with a default therefore needs no migration, and a name that is not known any more is skipped. Never
touches the database.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

_Decoder = Callable[[Any], Any]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_encode_ascii = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), check_circular=False).encode
_INT64 = 2**63 - 1


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a class is written: `defaults` by name (MISSING = always written), `decoders` of the fields that need one."""

    defaults: tuple[tuple[str, Any], ...]
    names: frozenset[str]
    decoders: tuple[tuple[str, _Decoder], ...]


def pack(record: "DataclassInstance", leave_out: frozenset[str] = frozenset()) -> str:
    """JSON text of a record; lone surrogates are escaped, so that they come back as they were."""
    return _text(_plain(record, leave_out))


def unpack(kind: type[T], text: str, **given: Any) -> T:
    """The record again. `given`: fields that are stored elsewhere.

    Raises:
        ValueError: not the text of such a record (also as TypeError or KeyError).
    """
    return _built(kind, json.loads(text) | given)


def pack_list(values: "tuple[str, ...]") -> str:
    """JSON text of a list of strings."""
    return _text(list(values))


def sane(text: str) -> str:
    """The text in a form that an indexed column can hold: each lone surrogate becomes U+FFFD."""
    return text if _encodable(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def bounded(number: int) -> int:
    """The number in the range that an indexed column can hold."""
    return max(-_INT64, min(_INT64, number))


def _text(value: Any) -> str:
    text = _encode(value)
    return text if _encodable(text) else _encode_ascii(value)


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any, leave_out: frozenset[str] = frozenset()) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[Any, ...]", value)]
    if not is_dataclass(value):
        return value
    found: dict[str, Any] = {}
    for name, default in _plan(type(value)).defaults:
        field = getattr(value, name)
        if (default is MISSING or (field is not default and field != default)) and name not in leave_out:
            found[name] = _plain(field)
    return found


def _built(kind: type[T], value: dict[str, Any]) -> T:
    plan = _plan(kind)
    if not value.keys() <= plan.names:
        value = {name: field for name, field in value.items() if name in plan.names}
    for name, decode in plan.decoders:
        field = value.get(name)
        if field is not None:
            value[name] = decode(field)
    return kind(**value)


@cache
def _plan(kind: "type[DataclassInstance]") -> _Plan:
    hints = get_type_hints(kind)
    defaults = tuple(
        (field.name, field.default_factory() if field.default_factory is not MISSING else field.default)
        for field in fields(kind)
    )
    decoders = [(name, decoder) for name, _ in defaults if (decoder := _decoder(hints[name])) is not None]
    return _Plan(defaults, frozenset(name for name, _ in defaults), tuple(decoders))


def _decoder(hint: Any) -> _Decoder | None:
    """What makes a field's value of its JSON, or None where the JSON is the value."""
    if get_origin(hint) in (Union, UnionType):
        found = [decoder for part in get_args(hint) if (decoder := _decoder(part)) is not None]
        return found[0] if found else None
    if get_origin(hint) is tuple:
        inner = _decoder(get_args(hint)[0])
        return tuple if inner is None else lambda items: tuple(map(inner, items))
    if isinstance(hint, type) and issubclass(hint, Enum):
        # Half the cost of calling the class.
        return {member.value: member for member in hint}.__getitem__
    if isinstance(hint, type) and is_dataclass(hint):
        return partial(_built, hint)
    return None
