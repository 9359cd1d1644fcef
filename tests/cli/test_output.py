"""Tables: nothing of an id is ever cut, and nothing of an agent reaches the terminal as a command."""

import pytest

from codeg.cli import output

ROWS = [("a-long-task-id-0123456789", "漢字", "x"), ("b", "", "line one\nline two\x1b[31m\tend")]


def shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, *, terminal: bool
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    output.table(("task", "name", ""), ROWS, "None.")
    return capsys.readouterr().out.splitlines()


def test_columns_stand_below_each_other_where_they_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for columns, terminal in ((80, True), (40, False)):
        assert shown(monkeypatch, capsys, columns, terminal=terminal) == [
            "task                       name",
            "a-long-task-id-0123456789  漢字  x",
            "b                                line one line two end",
        ]


def test_in_a_narrow_terminal_fields_follow_each_other_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(monkeypatch, capsys, 40, terminal=True) == [
        "a-long-task-id-0123456789  漢字  x",
        "b  line one line two end",
    ]


def test_an_empty_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("task",), [], "No tasks yet.")
    assert capsys.readouterr().out == "No tasks yet.\n"


def test_a_complaint_is_one_line_without_commands_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    output.complain("it\nfailed\x1b]0;title\x07.")
    assert capsys.readouterr().err == "codeg: it failed.\n"
