"""What a task had written when its host was cut off, read from the child's transcript.

Owns the choice of the text (contract 6, Result text), the same as for a turn that ended. Reads only; ends with a call.
"""

from collections.abc import Iterable

from codeg.broker.tasks import TaskRecord
from codeg.sessions.types import Entry
from codeg.store.store import Store


def texts_of(store: Store, records: Iterable[TaskRecord]) -> dict[str, bytes]:
    """Texts by task id, of those that had written any in their present attempt (UTF-8)."""
    found: dict[str, bytes] = {}
    for record in records:
        text = _final_text(_entries(store, record))
        if text:
            found[record.task_id] = text.encode("utf-8", "replace")
    return found


def _entries(store: Store, record: TaskRecord) -> list[Entry]:
    entries: list[Entry] = []
    while page := store.entries(record.child_id, entries[-1].seq if entries else -1, 1_000):
        entries += page
    return [entry for entry in entries if entry.attempt == record.attempt]


def _final_text(entries: list[Entry]) -> str:
    messages: list[str] = []
    last = ""
    for entry in entries:
        if entry.kind == "tool":
            messages.clear()
        elif entry.kind == "message" and entry.text.strip():
            messages.append(entry.text)
            last = entry.text
    return "\n\n".join(messages) or last
