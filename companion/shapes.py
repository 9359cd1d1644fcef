"""Reading JSON values: decoding them, and what one is, in a form that the type checker understands.

Owns no state; converts nothing.
"""

from __future__ import annotations

from codeg.jsonrpc import codec
from codeg.jsonrpc.messages import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

__all__ = ["decode", "is_list", "is_object"]


def decode(payload: bytes) -> Any:
    """The value of one JSON text.

    Raises:
        codec.Undecodable: it has none.
    """
    try:
        return codec.decode(payload)
    except SystemError:
        # The C scanner takes the class of its error from json.decoder, and fails like this while nobody has loaded it.
        import json.decoder  # noqa: PLC0415  # costs more than the rest of the start, and bad input alone needs it

        assert json.decoder
        return codec.decode(payload)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a decoded value is a JSON array."""
    return type(value) is list
