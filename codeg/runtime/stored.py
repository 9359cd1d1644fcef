"""Tasks and sessions straight from the store: what the shell can show without a running host (contract 2, task list).

Pure shapes over records, and readers that open the file for looking only. Never writes, never makes a file. Ends with
each call.
"""

from contextlib import closing
from typing import Any

from codeg.broker.codes import Status
from codeg.broker.report_text import TextSlice
from codeg.broker.reports import report_of, rfc3339
from codeg.broker.tasks import TaskRecord, TaskView, Unknown
from codeg.store.homes import home_paths
from codeg.store.records import SessionRecord
from codeg.store.store import Store

Json = dict[str, Any]
MOST_TEXT = 1024 * 1024
"""Bytes of a text in one report, as much as a running host gives."""


def stored_view(record: TaskRecord) -> TaskView:
    """A task that no ledger holds: it has ended, at the latest with the host that held it."""
    return TaskView(record, Status.INTERRUPTED if record.end is None else record.end.status)


def shown_session(record: SessionRecord) -> Json:
    """As `codeg sessions --json` prints it."""
    who = {"host": record.host} if record.kind == "outside" else {"agent_type": record.agent_type}
    return {
        "id": record.session_id,
        **who,
        "folder": record.folder,
        "state": record.state,
        "title": record.custom_title or record.title,
        "parent": record.parent_id,
        "created_at": rfc3339(record.created_ms),
    }


class StoredTasks:
    """Looks into the store of one home. Every method raises `StoreError` when the file cannot be read."""

    def __init__(self, home: str | None) -> None:
        self._file = home_paths(home).store_file

    def tasks(self, limit: int) -> list[Json]:
        """Reports without text, newest first."""
        with closing(self._store()) as store:
            reports = [report_of(stored_view(record)) for record in store.tasks_page(limit)]
        for report in reports:
            report.pop("next_offset", None)
        return reports

    def show(self, task_id: str) -> Json:
        """One report, with the beginning of its text."""
        with closing(self._store()) as store:
            record = store.task(task_id)
            if record is None:
                return report_of(Unknown(task_id))
            text = store.result(task_id, 0, MOST_TEXT)
        whole = text.decode("utf-8", "ignore").encode() if len(text) == MOST_TEXT else text
        return report_of(stored_view(record), text=TextSlice(0, whole) if whole else None)

    def result(self, task_id: str) -> bytes | None:
        """The whole text, byte for byte; None = there is no such task."""
        with closing(self._store()) as store:
            if store.task(task_id) is None:
                return None
            return store.result(task_id, 0, max(1, store.result_size(task_id)))

    def sessions(self, limit: int) -> list[Json]:
        """Sessions, newest first; none of them is live without a host."""
        with closing(self._store()) as store:
            return [shown_session(record) for record in store.sessions_page(limit)]

    def _store(self) -> Store:
        return Store.open_readonly(self._file)
