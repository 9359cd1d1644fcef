"""Reading JSON values: decoding them, and what one is, in a form that the type checker understands.

Owns no state; converts nothing.
"""

from __future__ import annotations

from codeg.jsonrpc.codec import decode
from codeg.jsonrpc.messages import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

__all__ = ["decode", "is_list", "is_object"]


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a decoded value is a JSON array."""
    return type(value) is list
