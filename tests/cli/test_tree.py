"""The live tree and the answer below it, as a terminal gets them."""

import io
from typing import Any

import pytest
from rich.console import Console

from codeg.cli.tree import MOST_MARKDOWN, Board, show_answer


def drawn(value: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(value)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def answered(text: str, why: str) -> str:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    show_answer(console, text, why)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80])
def test_every_task_stands_on_one_line_below_its_parent(width: int) -> None:
    board = Board("demo", "do\x1b[2J it")
    reports: list[dict[str, Any]] = [
        {"task_id": "t-2", "parent_task_id": "t-1", "status": "running", "agent_type": "demo"},
        {"task_id": "t-1", "status": "running", "started_at": "x", "activity": {"line": "works\x1b[31m on " * 30}},
        {"task_id": "t-3", "parent_task_id": "elsewhere", "status": "completed", "text": "done"},
    ]
    for report in reports:
        board.take(report)
    board.line = "a line " * 40
    lines = drawn(board, width)
    assert [line[:6].rstrip() for line in lines] == ["demo", "├── ●", "│   └─", "└── ✓", "a line"]
    assert "do it" in lines[0]
    assert "\x1b" not in "".join(lines)


def test_an_answer_is_laid_out_and_why_it_ended_badly_stands_below() -> None:
    said = answered("# Head\n\n- one\x1b[2J\n- two\n", "It died.\nLast lines")
    assert "• one" in said
    assert said.endswith("It died.\nLast lines\n")
    assert "\x1b" not in said


def test_a_long_answer_is_shown_whole_without_layout() -> None:
    text = "- item\n" * (MOST_MARKDOWN // 6)
    assert answered(text, "").count("- item") == MOST_MARKDOWN // 6
