"""Conversations on their way to disk: changed entries are gathered and written in batches, never once a token.

Owns the entries that are not queued for the store yet, the newest of each. Ends by cancellation after `flush_all`.
"""

import anyio

from codeg.runtime.services import DatabasePort
from codeg.sessions.types import Entry
from codeg.store.records import SaveEntries

GATHER_S = 0.1
"""Seconds for which changes are gathered before they are written."""


class Recorder:
    """One for all sessions of the host; calls belong to the event loop's thread."""

    def __init__(self, database: DatabasePort, gather_s: float = GATHER_S) -> None:
        self._database = database
        self._gather_s = gather_s
        self._dirty: dict[str, dict[int, Entry]] = {}
        self._marked = anyio.Event()

    def mark(self, session_id: str, entry: Entry) -> None:
        """This entry is new or was replaced."""
        self._dirty.setdefault(session_id, {})[entry.seq] = entry
        self._marked.set()

    def flush(self, session_id: str) -> None:
        """Queue what there is of one session, ahead of any write that is queued after this call."""
        entries = self._dirty.pop(session_id, None)
        if entries:
            self._database.write([SaveEntries(session_id, tuple(entries.values()))])

    def flush_all(self) -> None:
        """Queue everything."""
        for session_id in tuple(self._dirty):
            self.flush(session_id)

    async def run(self) -> None:
        """Write what was gathered, for ever; no wake-up while nothing changes."""
        while True:
            await self._marked.wait()
            await anyio.sleep(self._gather_s)
            self._marked = anyio.Event()
            self.flush_all()
