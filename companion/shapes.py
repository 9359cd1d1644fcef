"""What a decoded JSON value is, in a form that the type checker understands.

Owns two questions; never converts anything.
"""

from __future__ import annotations

from codeg.jsonrpc.messages import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

__all__ = ["is_list", "is_object"]


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a decoded value is a JSON array."""
    return type(value) is list
