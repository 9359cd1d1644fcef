"""JSON text to values and back, strict where peers differ.

Owns what counts as readable (contract 4): UTF-8, finite numbers, bounded nesting; lone surrogates become U+FFFD; ids of
any size come back unchanged. Lets no other exception than `Undecodable` out of `decode`; holds no state.

The C scanner and encoder below `json` are used directly where the interpreter has them, since `json` itself imports
`re`: measured, 7.5 of the 19 ms of processor time that a companion needs until it can read. Without them `json` does
the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    Scan = Callable[[str, int], tuple[Any, int]]
    Write = Callable[[Any], str]

MAX_DEPTH: Final = 512
"""Deepest nesting that is read: half the interpreter's limit, so that what was decoded can be encoded anywhere."""
_SPACE: Final = " \t\n\r"
_SHORT: Final = 8 * 1024
"""Characters up to which a search of the source is cheaper than a look at the value."""
_FEW: Final = 64
"""Things in a value that is cheaper to look at than its source."""


class Undecodable(ValueError):
    """This payload is no JSON value that we read. Its text is one sentence that quotes nothing of the payload."""


def decode(payload: bytes) -> Any:
    """The value of one JSON text in UTF-8.

    Raises:
        Undecodable: bad UTF-8, bad JSON, NaN, Infinity or a number beyond a double, more than 512 levels, an integer of
            thousands of digits.
    """
    try:
        text = str(payload, "utf-8").strip(_SPACE)
        value = _whole(text)
        deep = len(text) > 2 * MAX_DEPTH and _too_deep(value)
        if not deep and _may_hold_surrogate(value, text):
            value = _whole(_mend(_write(value)))
    except Undecodable:
        raise
    except UnicodeDecodeError as error:
        raise Undecodable(f"The message is no UTF-8 from byte {error.start} on.") from None
    except RecursionError:
        raise Undecodable(_DEEP) from None
    except StopIteration:
        raise Undecodable("The message is no JSON: a value is missing.") from None
    except ValueError as error:
        # The scanner's own error has `msg`; without it, it is the interpreter's limit on the digits of an integer.
        reason = getattr(error, "msg", None)
        why = f"is no JSON: {reason}" if reason else "holds a number with too many digits"
        raise Undecodable(f"The message {why}.") from None
    if deep:
        raise Undecodable(_DEEP)
    return value


def encode(value: Any) -> bytes:
    """Compact UTF-8 JSON on one line: no byte 0x0A or 0x0D, and no U+2028 or U+2029, at which some peers cut lines.

    Raises:
        ValueError: NaN or Infinity in `value`.
        TypeError: something in `value` that JSON has no form for.
    """
    text = _write(value)
    if "\u2028" in text or "\u2029" in text:
        text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _mend(text).encode()


_DEEP: Final = "The message is nested too deeply."


def _whole(text: str) -> Any:
    try:
        value, end = _scan(text, 0)
    except SystemError:
        # The C scanner takes its error class from json.decoder, and fails like this while nobody has loaded that.
        import json.decoder  # noqa: PLC0415  # costs more than the rest of the start; bad input alone needs it

        assert json.decoder
        value, end = _scan(text, 0)
    if end != len(text):
        raise Undecodable("The message is no JSON: more follows behind its value.")
    return value


def _mend(text: str) -> str:
    """Lone surrogates become U+FFFD, one each; all else stays."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _may_hold_surrogate(value: Any, text: str) -> bool:
    """Whether an escape in `text` may have put a lone surrogate into `value`. Measured on requests of 256 KiB.

    A search of the source costs 1 ns a character where it is full of escapes (0.3 ms, as much as its parsing). A value
    of few texts is cheaper to look at itself: an ASCII text says so at once, any other is tried with the quickest codec
    that refuses them. The search finds pairs too.
    """
    if "\\" not in text:
        return False
    found = _few_texts(value) if len(text) > _SHORT else None
    if found is None:
        return "\\u" in text and ("\\ud" in text or "\\uD" in text)
    try:
        for item in found:
            if not item.isascii():
                item.encode("utf-16-le")
    except UnicodeEncodeError:
        return True
    return False


def _few_texts(value: Any) -> list[str] | None:
    """All texts of a value, keys too; None when it holds many things."""
    texts: list[str] = []
    boxes: list[Any] = [[value]]
    for box in boxes:
        if len(texts) + len(boxes) + len(box) > _FEW:
            return None
        if type(box) is dict:
            texts += box
        for item in _items(box):
            if type(item) is str:
                texts.append(item)
            elif type(item) is dict or type(item) is list:
                boxes.append(item)
    return texts


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


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise Undecodable("The message holds a number that is too large.")
    return number


def _no_constant(name: str) -> None:
    raise Undecodable(f"The message holds {name}, which is no JSON.")


def _no_form(value: object) -> None:
    raise TypeError(f"JSON has no form for {type(value).__name__}.")


class _Rules:
    """What the C scanner asks of its context."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_finite)
    parse_int = int
    parse_constant = staticmethod(_no_constant)


def _direct() -> tuple[Scan, Write]:
    import _json  # noqa: PLC0415  # measured, see above

    write = _json.make_encoder(None, _no_form, _json.encode_basestring, None, ":", ",", False, False, False)
    rules: Any = _Rules
    return _json.make_scanner(rules), lambda value: "".join(write(value, 0))


def _plain() -> tuple[Scan, Write]:
    import json  # noqa: PLC0415  # only where the parts below it are missing

    decoder = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
    encoder = json.JSONEncoder(
        ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), default=_no_form
    )
    return decoder.raw_decode, encoder.encode


try:
    _scan, _write = _direct()
except (ImportError, AttributeError, TypeError):
    _scan, _write = _plain()
