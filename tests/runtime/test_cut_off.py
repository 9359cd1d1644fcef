"""What a task had written when its host was killed, read back from the transcript."""

from dataclasses import replace
from pathlib import Path

import pytest

from codeg.broker.codes import Phase
from codeg.broker.tasks import TaskRecord
from codeg.runtime.cut_off import texts_of
from codeg.sessions.types import Entry, EntryKind
from codeg.store.records import SaveEntries
from codeg.store.store import Store

RECORD = TaskRecord("t", "p", "p", 1, "demo", "x", "/", None, "child", Phase.RUNNING, 2, 0)


def entry(seq: int, kind: EntryKind, text: str = "", attempt: int = 2) -> Entry:
    return Entry(seq, kind, attempt, 0, text=text)


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([], None),
        ([entry(0, "user", "task"), entry(1, "thought", "hm")], None),
        ([entry(0, "message", "A"), entry(1, "tool"), entry(2, "message", "B"), entry(3, "message", "漢")], "B\n\n漢"),
        ([entry(0, "message", "A"), entry(1, "tool")], "A"),
        ([entry(0, "message", "old", attempt=1), entry(1, "message", "new")], "new"),
    ],
)
def test_the_text_is_the_final_message_of_the_present_attempt(
    tmp_path: Path, entries: list[Entry], text: str | None
) -> None:
    with Store.open(str(tmp_path / "codeg.db")) as store:
        store.commit([SaveEntries("child", tuple(entries))])
        expected = {} if text is None else {"t": text.encode()}
        assert texts_of(store, [RECORD, replace(RECORD, task_id="u", child_id="other")]) == expected
