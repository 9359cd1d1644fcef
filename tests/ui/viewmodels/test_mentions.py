"""What the @ popup finds: ranks, hits, counts, and bounds."""

from dataclasses import replace

import pytest

from tests.ui import scene
from tests.ui.worlds import a_world
from ui.viewmodels import fuzzy
from ui.viewmodels.mentions import MOST_ROWS, FileList, Mentionable

FILES = ("README.md", "services/payments/config.py", "tests/clients/contract_test.py", "ui/theme/colors.py")


@pytest.fixture
def held() -> Mentionable:
    made = Mentionable()
    made.take_agents(scene.AGENTS)
    made.take_sessions(a_world(), scene.RETRY)
    made.take_files(FILES)
    return made


def test_agents_come_first_then_files_then_sessions(held: Mentionable) -> None:
    found = held.find("co")
    kinds = [match.candidate.mention.kind for match in found.rows]
    assert kinds == sorted(kinds, key=["agent", "file", "session"].index)
    assert found.rows[0].candidate.text == "Codex"
    assert found.rows[0].hits == (0, 1)
    assert found.counts["all"] == found.counts["agent"] + found.counts["file"] + found.counts["session"]


def test_a_file_shows_its_name_and_its_folder(held: Mentionable) -> None:
    row = held.find("config").rows[0].candidate
    assert (row.text, row.detail, row.mention.value) == (
        "config.py",
        "services/payments",
        "services/payments/config.py",
    )


def test_a_slash_looks_at_whole_paths(held: Mentionable) -> None:
    rows = held.find("pay/conf", "file").rows
    assert [row.candidate.text for row in rows] == ["services/payments/config.py"]


def test_a_folder_is_found_where_no_name_fits(held: Mentionable) -> None:
    assert [row.candidate.mention.value for row in held.find("clients", "file").rows] == [
        "tests/clients/contract_test.py"
    ]


def test_agents_that_are_not_ready_stay_with_the_reason() -> None:
    held = Mentionable()
    off = replace(scene.AGENTS[1], enabled=False)
    held.take_agents((*scene.AGENTS[:1], off, *scene.AGENTS[2:]), lambda slug: slug == "open_code")
    rows = {row.candidate.text: row.candidate for row in held.find("", "agent").rows}
    assert (rows["Gemini CLI"].enabled, rows["Gemini CLI"].detail) == (False, "Not installed")
    assert (rows["Codex"].enabled, rows["Codex"].detail) == (False, "Switched off in Settings")
    assert (rows["OpenCode"].enabled, rows["OpenCode"].detail) == (False, "Not signed in")
    assert rows["Claude Code"].enabled


def test_the_session_itself_is_not_offered(held: Mentionable) -> None:
    assert all(row.candidate.mention.value != scene.RETRY for row in held.find("", "session").rows)


def test_a_custom_agent_is_not_found_by_the_prefix_of_its_slug(held: Mentionable) -> None:
    assert "My agent" not in [row.candidate.text for row in held.find("cust", "agent").rows]
    assert "My agent" in [row.candidate.text for row in held.find("mine", "agent").rows]


def test_twenty_thousand_files_give_few_rows_and_the_true_count() -> None:
    files = FileList([f"pkg/mod{n % 97}/file_{n}.py" for n in range(20_000)])
    rows, count = files.find("file")
    assert (len(rows), count) == (MOST_ROWS, 20_000)
    rows, count = files.find("file_19999")
    assert (rows[0].candidate.mention.value, count) == ("pkg/mod17/file_19999.py", 1)


def test_hostile_names_are_shown_safe_but_meant_as_they_are() -> None:
    files = FileList(["a/evil\u202egnp.exe"])
    row = files.find("evil")[0][0].candidate
    assert "\u202e" not in row.text
    assert row.mention.value == "a/evil\u202egnp.exe"


@pytest.mark.parametrize(
    ("query", "text", "letters"),
    [
        ("stop", "Stop this turn", (0, 1, 2, 3)),
        ("cpl", "cart page layout", (0, 5, 10)),
        ("页", "修复登录页的时区错误", (4,)),
        ("RE", "Write the retry", (10, 11)),
        ("st th", "Stop this", None),
        ("ste", "Steuer für Größe", (0, 1, 2)),
    ],
)
def test_hits_are_the_letters_that_one_would_underline(query: str, text: str, letters: tuple[int, ...] | None) -> None:
    hit = fuzzy.find(query, text)
    assert hit is not None
    if letters is not None:
        assert hit.letters == letters


def test_better_matches_score_higher() -> None:
    texts = ["stop", "stopwatch", "full stop", "nonstop", "set top", "s---t---o---p"]
    scores = [fuzzy.find("stop", text) for text in texts]
    ranks = [hit.score if hit else -1 for hit in scores]
    assert ranks == sorted(ranks, reverse=True)
    assert fuzzy.find("xq", "stop") is None
    assert fuzzy.find("  ", "anything") == fuzzy.Hit(0)


def test_letters_far_apart_were_not_meant() -> None:
    assert fuzzy.find("az", "a" + "-b" * 80 + "z") is None
