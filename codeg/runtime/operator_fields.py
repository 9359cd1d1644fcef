"""The fields of an operator's command, read strictly.

Owns the sentences about what is wrong with one; each names its field and quotes no value. It knows no command.
"""

from typing import Any, cast

from codeg.wire.models import WireFault


class Fields:
    """Every reader raises `WireFault` (`invalid_request`) when the field is not what it must be.

    Null counts as absent.
    """

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def has(self, name: str) -> bool:
        """The field is there."""
        return self._given.get(name) is not None

    def any_text(self, name: str) -> str:
        """A string, which may be empty."""
        value = self._given.get(name)
        if type(value) is not str:
            raise WireFault("invalid_request", f"The field {name} must be a string.")
        return value

    def text(self, name: str) -> str:
        """A string that is not empty."""
        value = self._given.get(name)
        if type(value) is not str or not value:
            raise WireFault("invalid_request", f"The field {name} must be a string that is not empty.")
        return value

    def maybe_text(self, name: str) -> str | None:
        """The same, or absent."""
        return self.text(name) if self.has(name) else None

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """1 to `most` strings."""
        items = self._list(name)
        if not 1 <= len(items) <= most or not all(type(item) is str for item in items):
            raise WireFault("invalid_request", f"The field {name} must be a list of 1 to {most} strings.")
        return tuple(items)

    def count(self, name: str, default: int, most: int | None = None) -> int:
        """A whole number from 0; more than `most` counts as `most`."""
        value = self._given.get(name)
        if value is None:
            return default
        if type(value) is not int or value < 0:
            raise WireFault("invalid_request", f"The field {name} must be a whole number from 0.")
        return value if most is None else min(value, most)

    def flag(self, name: str) -> bool:
        """True or false; absent is false."""
        value = self._given.get(name)
        if value is not None and type(value) is not bool:
            raise WireFault("invalid_request", f"The field {name} must be true or false.")
        return value is True

    def maybe_objects(self, name: str) -> list[dict[str, Any]] | None:
        """A list of objects, or absent."""
        if not self.has(name):
            return None
        items = self._list(name)
        if not all(type(item) is dict for item in items):
            raise WireFault("invalid_request", f"The field {name} must be a list of objects.")
        return items

    def _list(self, name: str) -> list[Any]:
        value = self._given.get(name)
        if type(value) is not list:
            raise WireFault("invalid_request", f"The field {name} must be a list.")
        return cast("list[Any]", value)
