"""One thing that the person can do, as palette, keyboard map and settings list it.

Owns the shape only; pure, no Qt.
"""

from collections.abc import Callable
from dataclasses import dataclass


def _nothing() -> None:
    """A command that only shows."""


@dataclass(frozen=True, slots=True)
class Command:
    """`key`: in Qt's portable form ("Ctrl+Shift+F"). `reason`: why it does not apply now, where `enabled` is false."""

    id: str
    text: str
    section: str = ""
    key: str = ""
    icon: str = ""
    enabled: bool = True
    reason: str = ""
    run: Callable[[], None] = _nothing
