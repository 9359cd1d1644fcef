"""Settings as data: names are the file's own, shown numbers are turned into the file's and back."""

import pytest

from codeg.api import Settings
from ui.viewmodels.preferences import Setting, found, pages, problem_of, stored, value_of

ALL = [setting for page in pages() for group in page.groups for setting in group.settings]


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.name)
def test_every_row_stands_for_a_setting_of_the_file(setting: Setting) -> None:
    value_of(Settings(), setting)


def test_a_time_is_shown_in_minutes_and_kept_in_seconds() -> None:
    longest = next(setting for setting in ALL if setting.name == "delegation.run_timeout_s")
    assert stored(longest, "45") == 2700
    assert problem_of(longest, "45") == ""


@pytest.mark.parametrize("typed", ["", "-1", "a", "9999999", "1.5"])
def test_a_number_out_of_range_says_what_it_takes(typed: str) -> None:
    longest = next(setting for setting in ALL if setting.name == "delegation.run_timeout_s")
    assert "from 0 to" in problem_of(longest, typed)


def test_a_search_finds_settings_by_their_words() -> None:
    assert ("appearance", "desktop.theme") in [(page, setting.name) for page, setting in found("light or DARK")]
    assert found("") == ()
    assert found("no such words") == ()


def test_a_choice_and_a_switch_are_written_as_they_are() -> None:
    theme = next(setting for setting in ALL if setting.name == "desktop.theme")
    assert stored(theme, "dark") == "dark"
    assert value_of(Settings(), theme) == "system"
