"""Arguments of a tool call against its schema, with the tolerance that models need (B39).

Owns what is accepted and how a mistake is named; never decides what a call means. A JSON-encoded string stands for the
number, boolean, list or object that is expected; null stands for an absent optional; unknown fields are dropped.
Anything else raises `Wrong`, which names the field, what came and what it takes.
"""

from __future__ import annotations

from codeg.jsonrpc import codec
from companion.shapes import decode, is_list, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    Schema = dict[str, Any]

SHOWN: Final = 60
"""Characters of a wrong value that the message quotes."""


class Wrong(Exception):
    """An argument cannot be taken. Its text is one sentence for the model."""


def check(schema: Schema, given: Any) -> dict[str, Any]:
    """The arguments that the schema knows, each of its kind.

    Raises:
        Wrong: the first one that cannot be taken.
    """
    value = _decoded(given) if isinstance(given, str) else given
    if value is None:
        value = {}
    if not is_object(value):
        raise Wrong(f"The arguments must be an object; got {_shown(given)}.")
    return _object(schema, value, "")


def _object(schema: Schema, given: dict[str, Any], path: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    properties: dict[str, Schema] = schema.get("properties", {})
    required = schema.get("required", ())
    for name, inner in properties.items():
        where = f"{path}.{name}" if path else name
        value = given.get(name)
        if value is not None:
            found[name] = _value(inner, value, where)
        elif name in required:
            hint = _misspelt(name, given, properties)
            raise Wrong(f"{where} is required and takes {_takes(inner)}{hint}.")
    return found


def _value(schema: Schema, given: Any, path: str) -> Any:
    kind = schema.get("type")
    value: Any = given
    if isinstance(given, str) and kind != "string":
        value = _decoded(given)
        # One id where a list of them is expected has one meaning only.
        if kind == "array" and not is_list(value) and schema["items"].get("type") == "string":
            value = [value if isinstance(value, str) else given]
    if kind == "string":
        ok = isinstance(value, str)
    elif kind == "integer":
        value = _whole(value)
        ok = value is not None
    elif kind == "boolean":
        ok = isinstance(value, bool)
    elif kind == "array":
        ok = is_list(value)
    else:
        ok = is_object(value)
    if not ok:
        raise Wrong(f"{path} takes {_takes(schema)}; got {_shown(given)}.")
    if is_list(value):
        value = [_value(schema["items"], item, f"{path}[{at}]") for at, item in enumerate(value)]
    elif is_object(value):
        value = _object(schema, value, path)
    if not _within(schema, value):
        raise Wrong(f"{path} takes {_takes(schema)}; got {_shown(given)}.")
    return value


def _within(schema: Schema, value: Any) -> bool:
    # The list of agents changes under the model's feet: the host refuses one by its own code, so no `enum` is judged.
    if isinstance(value, str) or is_list(value):
        unit = "Length" if isinstance(value, str) else "Items"
        size = len(value.strip()) if isinstance(value, str) else len(value)
        return schema.get("min" + unit, 0) <= size <= schema.get("max" + unit, size)
    if isinstance(value, int):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return True


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


def _decoded(text: str) -> Any:
    try:
        return decode(text.strip().encode())
    except codec.Undecodable:
        return text


def _misspelt(name: str, given: dict[str, Any], known: dict[str, Schema]) -> str:
    plain = name.replace("_", "").lower().rstrip("s")
    for other in given:
        if other not in known and other.replace("_", "").replace("-", "").lower().rstrip("s") == plain:
            return f" (you sent {_shown(other)})"
    return ""


def _takes(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "string":
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        text = "a text that is not empty" if low else "a text"
        return text + (f" of at most {high} characters" if high else "")
    if kind in ("integer", "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        text = "a whole number"
        if low is not None:
            text += f" from {low}" + (f" to {high}" if high is not None else " up")
        return text
    if kind == "boolean":
        return "true or false"
    if kind == "array":
        low, high = schema.get("minItems", 0), schema.get("maxItems")
        count = f"{low} to {high} " if high else ""
        return f"a list of {count}{_plural(schema['items'])}"
    return "an object"


def _plural(schema: Schema) -> str:
    return {"string": "texts", "object": "objects"}.get(schema.get("type", ""), "values")


def _shown(value: Any) -> str:
    kind = {
        bool: "",
        int: "the number ",
        float: "the number ",
        str: "the text ",
        list: "the list ",
        dict: "the object ",
    }
    text = codec.encode(value).decode()
    if len(text) > SHOWN:
        text = text[:SHOWN] + "…"
    return next((word for known, word in kind.items() if type(value) is known), "") + text
