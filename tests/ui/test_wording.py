"""What the window says: translation, numbers, times, words, and lines that are safe to show."""

import sys
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.api import Code
from ui import wording
from ui.translations.catalogue import texts_of
from ui.viewmodels.states import State
from ui.wording import clean_line, tr
from ui.wording_plurals import SINGULAR

UI = Path(__file__).resolve().parents[2] / "ui"
ARABIC = "مهمة"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    wording.use(None)
    yield
    wording.use(None)


# ---- translation


def test_parts_are_put_in_and_the_number_decides_the_form() -> None:
    assert tr("Checked %n times", n=7) == "Checked 7 times"
    assert tr("Checked %n times", n=1) == "Checked 1 time"
    assert tr("Checked %n times", n=0) == "Checked 0 times"
    assert tr("%n tools", n=9999) == "9,999 tools"
    assert tr("Stop {agent} and its %n children?", n=2, agent="Codex") == "Stop Codex and its 2 children?"


def test_a_part_that_looks_like_a_place_stays_as_it_is() -> None:
    assert tr("{a} and {b}", a="{b}", b="%n {a}") == "{b} and %n {a}"
    assert tr("{a} and {c}", a="x") == "x and {c}"
    assert tr("{a}", n=3, a="%n") == "%n"


def test_names_of_the_other_direction_are_isolated_and_others_stay_plain() -> None:
    assert tr("{name} waits", name="Codex") == "Codex waits"
    assert tr("{name} waits", name=ARABIC) == f"\u2068{ARABIC}\u2069 waits"
    assert tr("{name} waits", name="修复") == "修复 waits"


def test_a_backend_speaks_in_the_place_of_english() -> None:
    asked: list[tuple[str, int | None]] = []

    def translate(text: str, n: int | None) -> str:
        asked.append((text, n))
        return {"%n tools": "%n 个工具", "{agent} waits": "{agent} 等待"}.get(text, text)

    wording.use(translate)
    assert tr("%n tools", n=1) == "1 个工具"
    assert tr("{agent} waits", agent="Codex") == "Codex 等待"
    assert asked == [("%n tools", 1), ("{agent} waits", None)]
    assert wording.ordinal(2) == "2th"  # the translation has its own form for this one text


def test_every_text_with_a_number_has_a_singular() -> None:
    counted = {text.source for text in texts_of(str(UI)) if text.counted}
    assert counted - SINGULAR.keys() == set()


# ---- numbers and times


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (-5, "0s"),
        (999, "0s"),
        (8_400, "8s"),
        (59_999, "59s"),
        (60_000, "1m 00s"),
        (72_000, "1m 12s"),
        (3_599_999, "59m 59s"),
        (7_500_000, "2h 05m"),
    ],
)
def test_durations(ms: int, said: str) -> None:
    assert wording.duration(ms) == said


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "0 seconds"),
        (1_000, "1 second"),
        (60_000, "1 minute"),
        (324_000, "5 minutes 24 seconds"),
        (3_600_000, "1 hour"),
        (3_725_000, "1 hour 2 minutes 5 seconds"),
    ],
)
def test_durations_for_the_ear(ms: int, said: str) -> None:
    assert wording.spoken_duration(ms) == said


@pytest.mark.parametrize(
    ("ms", "said"), [(59_999, "now"), (360_000, "6m"), (3 * 3_600_000, "3h"), (2 * 86_400_000, "2d")]
)
def test_ages(ms: int, said: str) -> None:
    assert wording.age(ms) == said


def test_an_age_becomes_a_date_after_a_week() -> None:
    then = int(datetime(2026, 9, 4, 12, 30).timestamp() * 1000)  # noqa: DTZ001  # the person's own zone
    assert wording.age_or_date(then, then + 6 * 86_400_000) == "6d"
    assert wording.age_or_date(then, then + 7 * 86_400_000) == "2026-09-04"
    assert wording.clock_time(then) == "12:30"
    assert wording.clock_time(then + 7_000, seconds=True) == "12:30:07"


@pytest.mark.parametrize(
    ("amount", "currency", "said"),
    [
        (0.42, "USD", "$0.42"),
        (1234.56, "usd", "$1,234.56"),
        (0, "USD", "$0.00"),
        (0.004, "USD", "<$0.01"),
        (12, "JPY", "¥12"),
        (0.4, "JPY", "<¥1"),
        (3.5, "CHF", "3.50 CHF"),
    ],
)
def test_money(amount: float, currency: str, said: str) -> None:
    assert wording.money(amount, currency) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0"), (812, "812"), (61_234, "61k"), (999_400, "999k"), (999_600, "1.0 M"), (1_240_000, "1.2 M")],
)
def test_tokens(count: int, said: str) -> None:
    assert wording.tokens(count) == said


def test_places_in_a_queue() -> None:
    said = [wording.ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111)]
    assert said == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th"]
    assert wording.ordinal_of(2, 1234) == "2nd of 1,234"


# ---- words


def test_every_state_has_a_word_of_its_own() -> None:
    words = {wording.state_word(state) for state in State}
    assert len(words) == len(State)
    assert wording.state_word(State.WAITING) == "Waiting for you"


def test_every_code_has_a_sentence_of_its_own() -> None:
    sentences = {wording.end_reason(code.value) for code in Code}
    assert len(sentences) == len(Code)
    assert all(sentence.endswith(".") for sentence in sentences)
    assert "It failed." not in sentences
    assert wording.end_reason("something_new") == "It failed."
    assert wording.end_reason("agent_crashed", "  Codex exited with code 3. ") == "Codex exited with code 3."


@pytest.mark.parametrize("kind", ["permission", "question", "plan_approval", "else"])
def test_what_a_child_stopped_at(kind: str) -> None:
    assert wording.ask_phrase(kind).startswith("Stopped at ")
    assert wording.ask_kind(kind) in {"Permission", "Question", "Plan"}


def test_agents_that_no_catalogue_names() -> None:
    assert wording.agent_label("claude_code") == "Claude Code"
    assert wording.agent_label("codex-mcp-client") == "Codex"
    assert wording.agent_label("custom:my_agent") == "My Agent"
    assert wording.agent_label("") == "Agent"


def test_short_ids_grow_until_they_tell_apart() -> None:
    ids = ["codex-write-tests-7c1eabcdefgh", "codex-fix-7c1exyz00000", "codex-fix-9999abcdefgh"]
    assert wording.short_id(ids[2], ids) == "#9999"
    assert wording.short_id(ids[0], ids) == "#7c1ea"
    assert wording.short_id("7c1e") == "#7c1e"
    assert wording.short_id("ab", ["ab"]) == "#ab"
    assert wording.short_id("odd-") == "#odd-"


def test_keys_are_named_as_the_platform_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert wording.key_text("Ctrl+K") == "Ctrl K"
    assert wording.key_text("Ctrl++") == "Ctrl +"
    assert wording.key_text("Ctrl+Shift+Return") == "Ctrl Shift Enter"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert wording.key_text("Ctrl+Alt+PgDown") == "Cmd Option PgDn"


# ---- safe lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("  two\n\n lines\t", "two lines"),
        ("a\x00b\x07c\x7f", "abc"),
        ("\x1b[31mred\x1b[0m!", "red!"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq…\x1b\\after", "after"),
        ("\x1b", ""),
        ("\x1b[31", ""),
        ("\x1b]open", ""),
        ("\x1b(Btext", "Btext"),
        ("safe\u202etxt.exe", "safe[U+202E]txt.exe"),
        ("\u200fx", "[U+200F]x"),
        ("\ud800x\ue000", "x"),
        ("\ufffex\ufdd0", "x"),
        ("👩‍💻 and 🫨", "👩‍💻 and 🫨"),
        (ARABIC, ARABIC),
    ],
)
def test_lines_are_safe(text: str, shown: str) -> None:
    assert clean_line(text) == shown


def test_a_long_line_is_cut() -> None:
    assert clean_line("x" * 201) == "x" * 199 + "…"
    assert clean_line("x" * 200) == "x" * 200
    assert clean_line("word " * 10, most=6) == "word…"
    assert len(clean_line("x" * 5_000_000, most=40)) == 40


@given(st.text(max_size=300), st.integers(2, 60))
def test_any_text_becomes_one_short_line(text: str, most: int) -> None:
    line = clean_line(text, most)
    assert "\n" not in line
    assert len([letter for letter in line if letter != "…"]) <= most * 8
    assert not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in line)
    assert not set(line) & {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
