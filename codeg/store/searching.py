"""Looking for a text in stored entries, row by row, for a bounded time.

Owns what counts as a place: the text of an entry or a tool call's title, letters of either case. Never reads more rows
than there is time for; ends with each call.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

from codeg.sessions.types import Entry
from codeg.store.records import Hit
from codeg.store.shapes import unpack

AROUND = 80
"""Characters of an excerpt on either side of the place."""


def look(rows: Iterator[tuple[Any, ...]], needle: str, limit: int, seconds: float) -> tuple[list[Hit], int | None]:
    """Hits among rows of (rowid, session id, seq, doc), and the rowid to go on before; None = no row is left."""
    until = time.monotonic() + seconds
    lowered = needle.lower()
    # As it stands in the JSON text: most rows are passed over without being read.
    written = json.dumps(lowered, ensure_ascii=False)[1:-1]
    found: list[Hit] = []
    for rowid, session_id, seq, doc in rows:
        if written in doc.lower() and (excerpt := _place(doc, lowered)):
            found.append(Hit(session_id, seq, excerpt))
        if len(found) >= limit or time.monotonic() >= until:
            return found, rowid
    return found, None


def _place(doc: str, lowered: str) -> str:
    """One line around the first place in what a person reads of the entry; empty when it is somewhere else in it."""
    entry = unpack(Entry, doc)
    for text in (entry.text, entry.title):
        at = text.lower().find(lowered)
        if at >= 0:
            before, after = max(0, at - AROUND), at + len(lowered) + AROUND
            line = " ".join(text[before:after].split())
            return ("…" if before else "") + line + ("…" if after < len(text) else "")
    return ""
