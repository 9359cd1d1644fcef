"""How much a change of text is."""

import pytest

from codeg.sessions import diffs
from codeg.sessions.diffs import Touched, line_changes, touched_by


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        (None, "", (0, 0)),
        (None, "a\nb\n", (2, 0)),
        ("", "a", (1, 0)),
        ("a\nb", "a\nb", (0, 0)),
        ("a\nb\nc", "a\nX\nc\nd", (2, 1)),
        ("a\na\nb", "a\nb", (0, 1)),
        ("a\nb", "", (0, 2)),
        ("a\nb", "b\na", (0, 0)),
    ],
)
def test_lines_added_and_removed(old: str | None, new: str, changes: tuple[int, int]) -> None:
    assert line_changes(old, new) == changes


def test_blocks_that_are_no_diffs_count_nothing() -> None:
    assert touched_by([]) is None
    assert touched_by([{"type": "content"}, {}]) is None


def test_files_are_counted_once() -> None:
    blocks = [
        {"type": "diff", "path": "a", "oldText": None, "newText": "1\n2"},
        {"type": "diff", "path": "a", "oldText": "2", "newText": "3"},
        {"type": "diff", "path": "b", "oldText": "x", "newText": ""},
        {"type": "diff", "path": "b", "oldText": 3, "newText": None},
    ]
    assert touched_by(blocks) == Touched(files=2, added=3, removed=2)


def test_too_much_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diffs, "MOST_CHARACTERS", 3)
    assert touched_by([{"type": "diff", "path": "a", "newText": "abc"}]) == Touched(1, 1, 0)
    assert touched_by([{"type": "diff", "path": "a", "newText": "abcd"}]) is None
