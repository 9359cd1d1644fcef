"""What all dialects share: the answer to be told, small readers, and the form of an event stream."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from tests.realclients.model.script import Conversation, Json, Offered

PIECE = 24
"""Characters of text in one event."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn made ready: calls with the tools they mean."""

    model: str
    text: str = ""
    thought: str = ""
    calls: tuple[tuple[Offered, Json], ...] = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:24])

    def pieces(self) -> Iterator[str]:
        for at in range(0, len(self.text), PIECE):
            yield self.text[at : at + PIECE]


class Dialect(Protocol):
    """One protocol of a model service. A stream is its opening, and then the rest; pings may stand between."""

    def read(self, body: Json) -> Conversation: ...

    def whole(self, told: Told) -> Json: ...

    def opening(self, told: Told) -> bytes: ...

    def ping(self, told: Told) -> bytes: ...

    def rest(self, told: Told) -> Iterator[bytes]: ...


def new_id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:24]


def event(data: Any, name: str = "") -> bytes:
    """One server-sent event."""
    said = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {said}\n\n".encode()


def objects(value: Any) -> list[Json]:
    """The objects of a list; anything else holds none."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def flat(content: Any) -> str:
    """All text in a content, however it is nested."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(flat(each) for each in cast("list[Any]", content))
    if isinstance(content, dict):
        found = cast("Json", content)
        for key in ("text", "output", "content", "response", "error"):
            if key in found:
                return flat(found[key])
        return json.dumps(found, ensure_ascii=False)
    return str(content)
