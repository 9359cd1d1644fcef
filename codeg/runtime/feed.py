"""The event feed of one `codeg run`: numbered events that one reader fetches by cursor.

Owns the buffer and its bounds: an entry event is dropped when a newer one of the same entry stands behind it, what
the reader has confirmed is dropped too, and beyond the bound the oldest entries go first. It never blocks its writer
and never ends by itself.
"""

import json
from collections import OrderedDict
from typing import Any

import anyio

from codeg.broker.reports import rfc3339
from codeg.sessions.types import Entry

MOST_EVENTS = 10_000
PAGE_EVENTS = 500
PAGE_BYTES = 4 * 1024 * 1024
"""Serialised size of one page; a single larger event is given alone."""
ENTRY_BYTES = 1024 * 1024
"""Serialised size beyond which an entry event is cut."""

Json = dict[str, Any]


class Feed:
    """Events of one run. Cursors are event numbers; 0 is before the first."""

    def __init__(self) -> None:
        self._events: OrderedDict[int, tuple[Json, int]] = OrderedDict()
        self._entries: dict[int, int] = {}
        """Entry's `seq` to the number of its event in the buffer."""
        self._last = 0
        self._more = anyio.Event()
        self.ended = False

    def add(self, event: Json) -> None:
        """Append an event."""
        self._append(event)

    def add_entry(self, session_id: str, entry: Entry) -> None:
        """Append an entry of the conversation; an older event of the same entry is superseded."""
        earlier = self._entries.pop(entry.seq, None)
        if earlier is not None:
            self._events.pop(earlier, None)
        self._append({"event": "entry", "session_id": session_id, **shown_entry(entry)})
        self._entries[entry.seq] = self._last
        while len(self._events) > MOST_EVENTS and self._entries:
            seq = next(iter(self._entries))
            self._events.pop(self._entries.pop(seq), None)

    def end(self, event: Json) -> None:
        """Append the last event."""
        self.ended = True
        self._append(event)

    async def after(self, cursor: int, wait_s: float) -> tuple[list[Json], int, bool]:
        """Events behind `cursor`, the next cursor, and whether that was the end.

        Waits up to `wait_s` seconds for one.
        """
        self._confirm(cursor)
        if not self._events and not self.ended and wait_s > 0:
            with anyio.move_on_after(wait_s):
                await self._more.wait()
        page: list[Json] = []
        size = 0
        for number, (event, bytes_) in self._events.items():
            size += bytes_
            if page and (size > PAGE_BYTES or len(page) >= PAGE_EVENTS):
                return page, cursor, False
            page.append(event)
            cursor = number
        return page, cursor, self.ended

    def _append(self, event: Json) -> None:
        self._last += 1
        self._events[self._last] = (event, _size(event))
        self._more.set()
        self._more = anyio.Event()

    def _confirm(self, cursor: int) -> None:
        """The reader has all up to here."""
        while self._events and next(iter(self._events)) <= cursor:
            self._events.popitem(last=False)
        for seq in [seq for seq, number in self._entries.items() if number <= cursor]:
            del self._entries[seq]


def shown_entry(entry: Entry) -> Json:
    """An entry as JSON: what it has; cut to its bare facts when it is very large (the store has it whole)."""
    shown: Json = {
        "seq": entry.seq,
        "kind": entry.kind,
        "attempt": entry.attempt,
        "created_at": rfc3339(entry.created_ms),
    }
    for name in ("text", "tool_call_id", "title", "tool_name", "tool_kind", "status", "raw_input", "raw_output"):
        value = getattr(entry, name)
        if value not in ("", None):
            shown[name] = value
    for name in ("content", "locations", "plan"):
        items = getattr(entry, name)
        if items:
            shown[name] = list(items)
    if _size(shown) > ENTRY_BYTES:
        for name in ("raw_input", "raw_output", "content"):
            shown.pop(name, None)
        shown["text"] = entry.text[: ENTRY_BYTES // 8]
        shown["truncated"] = True
    return shown


def _size(event: Json) -> int:
    return len(json.dumps(event, ensure_ascii=True))
