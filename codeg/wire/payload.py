"""JSON of the socket, as strict as on the companion's other side (contract 4, "likewise at the socket").

Owns reading and writing one value; holds no state. This room may not use `codeg.jsonrpc`: a test holds the two codecs
together.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

MAX_DEPTH: Final = 512
"""Deepest nesting of arrays and objects that is read."""


class Unreadable(ValueError):
    """No JSON value that we read. Its text is one sentence and quotes nothing of the payload, which holds a token."""


def decode(payload: bytes) -> Any:
    """The value of one JSON text in UTF-8; lone surrogates in it become U+FFFD.

    Raises:
        Unreadable: bad UTF-8, bad JSON, a number that is not finite or has thousands of digits, over 512 levels.
    """
    try:
        text = str(payload, "utf-8")
        value = _read(text)
        if "\\ud" in text or "\\uD" in text:
            value = _read(_mend(_write(value)))
        deep = text.count("[") + text.count("{") > MAX_DEPTH and _too_deep(value)
    except Unreadable:
        raise
    except UnicodeDecodeError:
        raise Unreadable("It is no UTF-8.") from None
    except RecursionError:
        raise Unreadable("It is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"It is no JSON: {error.msg} at character {error.pos}.") from None
    except ValueError:
        raise Unreadable("It holds a number with too many digits.") from None
    if deep:
        raise Unreadable("It is nested too deeply.")
    return value


def encode(value: Any) -> bytes:
    """Compact UTF-8 JSON; lone surrogates become U+FFFD.

    Raises:
        ValueError: NaN or Infinity in `value`.
        TypeError: something in `value` that JSON has no form for.
    """
    text = _write(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _mend(text).encode()


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise Unreadable("It holds a number that is too large.")
    return number


def _no_constant(name: str) -> None:
    raise Unreadable(f"It holds {name}, which is no JSON.")


_read = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant).decode
_write = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":")).encode


def _mend(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _items(box: Any) -> Iterable[Any]:
    return box.values() if hasattr(box, "values") else box


def _too_deep(value: Any) -> bool:
    level: list[Any] = [[value]]
    for _ in range(MAX_DEPTH + 1):
        boxes: list[Any] = []
        for box in level:
            boxes += [item for item in _items(box) if type(item) is dict or type(item) is list]
        if not boxes:
            return False
        level = boxes
    return True
