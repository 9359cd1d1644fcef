import pytest

from codeg.cli.words import age, last_line, on_one_line, one_line, safe, state, why


@pytest.mark.parametrize(
    ("report", "word"),
    [
        ({"status": "queued", "queue_position": 2}, "queued"),
        ({"status": "running"}, "starting"),
        ({"status": "running", "started_at": "x"}, "running"),
        ({"status": "running", "started_at": "x", "stopping": True}, "stopping"),
        ({"status": "running", "started_at": "x", "blocked_on": {"kind": "permission"}}, "waits for you"),
        ({"status": "completed"}, "completed"),
        ({"status": "failed"}, "failed"),
        ({"status": "canceled"}, "canceled"),
        ({"status": "interrupted"}, "interrupted"),
        ({"status": "news"}, "unknown"),
    ],
)
def test_every_state_has_a_word_and_a_sign(report: dict[str, object], word: str) -> None:
    shown = state(report)
    assert shown.word == word
    assert shown.sign


@pytest.mark.parametrize(
    ("report", "line"),
    [
        ({"status": "queued", "queue_position": 2}, "position 2"),
        ({"status": "running", "activity": {"line": "reads\na"}}, "reads a"),
        ({"status": "running", "blocked_on": {"kind": "permission", "title": "Write a"}}, "Write a"),
        ({"status": "failed", "error_code": "agent_crashed", "message": "It died.\nMore"}, "agent_crashed: It died."),
        ({"status": "failed", "error_code": "agent_crashed"}, "agent_crashed"),
        ({"status": "completed", "text": "\nfirst\nsecond"}, "first"),
        ({"status": "completed"}, ""),
    ],
)
def test_the_line_behind_the_state_says_what_matters(report: dict[str, object], line: str) -> None:
    assert last_line(report) == line


def test_text_of_agents_loses_escape_sequences_and_keeps_lines() -> None:
    assert safe("a\x1b[31mb\x1b[0m\nc\x07\x9bd\te\r") == "ab\ncd\te"
    assert safe("\x1b]0;title\x07x\x1b]8;;http://a\x1b\\y") == "xy"
    assert safe("\x1b]0;never ends") == ""
    assert safe("a\u202eb漢字🙂") == "ab漢字🙂"


@pytest.mark.parametrize(("seconds", "text"), [(0.25, "0.2 s"), (59.6, "60 s"), (600, "10 min"), (9000, "2 h")])
def test_ages_read_as_people_say_them(seconds: float, text: str) -> None:
    assert age(seconds) == text


def test_a_task_stands_on_one_line() -> None:
    report = {"status": "completed", "task_id": "demo-a-1", "agent_type": "demo", "duration_ms": 1500, "text": "done"}
    assert one_line(report) == "[✓ completed]  demo-a-1  demo  1.5 s  done"


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ({"stop_reason": "end_turn"}, ""),
        ({"stop_reason": "cancelled"}, "The turn was cancelled."),
        ({"stop_reason": "max_tokens", "text": "half"}, "The turn ended early: max_tokens."),
        ({"stop_reason": "error", "message": "It\x1b[2J died.\nLast lines"}, "It died.\nLast lines"),
    ],
)
def test_a_run_that_did_not_end_well_says_why_beside_its_text(end: dict[str, object], said: str) -> None:
    assert why(end) == said


def test_one_line_is_one_line() -> None:
    assert on_one_line(" a\nb\tc\x1b[31m\r\n") == "a b c"
