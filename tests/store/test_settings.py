"""Settings: defaults, what is refused and how it is said, what a change keeps."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from codeg.broker.tasks import Limits
from codeg.store import settings as module
from codeg.store.settings import (
    AgentSettings,
    DelegationSettings,
    Settings,
    SettingsError,
    change_settings,
    load_settings,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


FULL = """\
# Mine.
[delegation]
enabled = false   # for now
depth_limit = 3
live_per_parent = 4
live_per_root = 5
queue_limit = 0
run_timeout_s = 12.5
start_timeout_s = 90
result_cache_mb = 64
outside_folder = "refuse"
unattended = 30

[store]
keep_days = 0

[desktop]
theme = "dark"
font_size = 15
language = "zh_CN"
notifications = false
reduce_motion = true
keys = { send = "Ctrl+Return" }   # mine

[agents.codex]
mode = "read-only"
options = { model = "large" }
enabled = true
delegate = false

[agents."custom:mine"]
mode = ""
"""


def test_no_file_means_the_defaults_of_the_contract(path: Path) -> None:
    settings = load_settings(str(path))
    assert settings == Settings()
    assert settings.delegation == DelegationSettings(
        enabled=True,
        depth_limit=2,
        live_per_parent=8,
        live_per_root=16,
        queue_limit=64,
        run_timeout_s=0,
        start_timeout_s=60,
        result_cache_mb=512,
        outside_folder="ask",
        unattended="keep",
    )
    assert settings.store.keep_days == 90
    assert settings.delegation.limits() == Limits()
    assert not path.parent.exists()


def test_every_setting_is_read(path: Path) -> None:
    settings = load_settings(write(path, FULL))
    assert settings.delegation == DelegationSettings(False, 3, 4, 5, 0, 12.5, 90, 64, "refuse", 30)
    assert settings.delegation.limits() == Limits(False, 3, 4, 5, 0, 12.5, 1800)
    assert settings.store.keep_days == 0
    assert settings.agent("codex") == AgentSettings("read-only", (("model", "large"),), True, False)
    assert settings.agent("custom:mine") == AgentSettings("")
    assert settings.agent("demo") == AgentSettings()
    keys = (("send", "Ctrl+Return"),)
    assert settings.desktop == module.DesktopSettings("dark", 15, "zh_CN", False, True, keys)
    assert settings.unknown == ()


def test_every_known_setting_has_a_field_and_a_rule() -> None:
    from dataclasses import fields

    from codeg.store.setting_rules import AGENT_RULES, RULES

    classes = {
        "delegation": DelegationSettings,
        "store": module.StoreSettings,
        "desktop": module.DesktopSettings,
    }
    for name, kind in classes.items():
        assert {field.name for field in fields(kind)} == set(RULES[name])
    assert {field.name for field in fields(AgentSettings)} == set(AGENT_RULES)


def test_unknown_settings_are_named_and_ignored(path: Path) -> None:
    text = "colour = 1\n[delegation]\ndepth = 3\n[window]\nx = 1\n[agents.demo]\nspeed = 1\n"
    settings = load_settings(write(path, text))
    assert settings.unknown == ("colour", "window", "delegation.depth", "agents.demo.speed")
    assert settings.delegation == DelegationSettings()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[delegation]\ndepth_limit = 9\n", 2, "delegation.depth_limit must be a whole number from 1 to 8, not 9"),
        ("[delegation]\ndepth_limit = 0\n", 2, "from 1 to 8"),
        ("\n\n[delegation]\n\ndepth_limit = true\n", 5, "not true"),
        ("[delegation]\ndepth_limit = 2.0\n", 2, "not 2.0"),
        ('[delegation]\nenabled = "yes"\n', 2, 'delegation.enabled must be true or false, not "yes"'),
        ("[delegation]\nrun_timeout_s = -1\n", 2, "of at least 0"),
        ("[delegation]\nrun_timeout_s = nan\n", 2, "not nan"),
        ("[delegation]\nstart_timeout_s = inf\n", 2, "not inf"),
        ('[delegation]\noutside_folder = "never"\n', 2, 'must be "ask", "allow" or "refuse", not "never"'),
        ('[delegation]\nunattended = "drop"\n', 2, '"keep" or a number of minutes above 0'),
        ("[delegation]\nunattended = 0\n", 2, "minutes above 0"),
        ("[delegation]\nunattended = [\n  1,\n]\n", 4, "minutes above 0"),
        ("delegation = { depth_limit = 12 }\n", 1, "from 1 to 8"),
        ("# first\ndelegation.depth_limit = 12\n", 2, "from 1 to 8"),
        ("delegation = 3\n", 1, "delegation must be a table"),
        ("[[delegation]]\nenabled = true\n", 1, "delegation must be a table"),
        ("[store]\nkeep_days = -1\n", 2, "store.keep_days must be a whole number of at least 0, not -1"),
        ("x = 1\nagents = 3\n", 2, "agents must be a table"),
        ("agents.demo = 3\n", 1, "agents.demo must be a table"),
        ("[agents.demo]\nmode = 1\n", 2, "agents.demo.mode must be a text"),
        ("[agents.demo]\noptions = { model = 1 }\n", 2, "agents.demo.options must be a table of texts"),
    ],
)
def test_a_wrong_value_is_named_with_file_line_and_reason(path: Path, text: str, line: int, reason: str) -> None:
    file = write(path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file)
    message = str(caught.value)
    assert message.startswith(f"{file}, line {line}: ")
    assert reason in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[delegation]\nenabled = tru\n", 2),
        ("[delegation\n", 1),
        ("a = 1\na = 2\n", 2),
        ('x = "no end\n', 1),
        ("x = [1,\n2,\n", 2),
        ("= 3", 1),
    ],
)
def test_a_broken_file_is_named_with_line_and_never_overwritten(path: Path, text: str, line: int) -> None:
    file = write(path, text)
    for act in (load_settings, partial(change_settings, changes={"store.keep_days": 1})):
        with pytest.raises(SettingsError, match=rf"^The settings file .* is broken in line {line}: [^\n]*\.$"):
            act(file)
    assert path.read_text() == text


def test_a_file_that_is_not_utf_8_or_no_file_is_one_sentence(path: Path) -> None:
    write(path, "")
    path.write_bytes(b"# fine\n# caf\xe9\n")
    with pytest.raises(SettingsError, match="broken in line 2: it is not UTF-8"):
        load_settings(str(path))
    with pytest.raises(SettingsError, match=r"could not be read: .*\.$"):
        load_settings(str(path.parent))


def test_deep_nesting_is_one_sentence(path: Path) -> None:
    with pytest.raises(SettingsError, match="nested too deeply"):
        load_settings(write(path, "x = " + "[" * 50_000))


def test_a_mark_at_the_beginning_does_no_harm(path: Path) -> None:
    assert load_settings(write(path, "\ufeff[store]\nkeep_days = 3\n")).store.keep_days == 3


# ---- changing


def test_a_change_keeps_comments_order_and_what_is_unknown(path: Path) -> None:
    text = FULL + "\n# about the window\n[window]  # kept\nx = 0x10\nodd = nan\nwhen = 2024-01-02\n"
    file = write(path, text)
    settings = change_settings(file, {"delegation.depth_limit": 5, "delegation.enabled": True})
    assert (settings.delegation.depth_limit, settings.delegation.enabled) == (5, True)
    expected = text.replace("depth_limit = 3", "depth_limit = 5").replace("enabled = false ", "enabled = true ")
    assert path.read_text() == expected
    assert load_settings(file) == settings


def test_lines_of_another_system_stay_as_they_are(path: Path) -> None:
    file = write(path, "# mine\r\n[store]\r\nkeep_days = 3 # days\r\n")
    change_settings(file, {"store.keep_days": 4})
    assert path.read_bytes() == b"# mine\r\n[store]\r\nkeep_days = 4 # days\r\n"


def test_a_first_change_makes_a_private_file(path: Path) -> None:
    before = os.umask(0)
    try:
        settings = change_settings(str(path), {"store.keep_days": 7, "agents.custom:mine.mode": "plan"})
    finally:
        os.umask(before)
    assert settings.store.keep_days == 7
    assert settings.agent("custom:mine").mode == "plan"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.toml"]


def test_rights_and_links_stay_as_they_are(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "codeg.toml"
    write(real, "[store]\nkeep_days = 1\n")
    real.chmod(0o644)
    path.parent.mkdir()
    path.symlink_to(real)
    change_settings(str(path), {"store.keep_days": 2})
    assert path.is_symlink()
    assert real.read_text() == "[store]\nkeep_days = 2\n"
    assert real.stat().st_mode & 0o777 == 0o644


def test_a_setting_is_put_back_to_its_default(path: Path) -> None:
    file = write(path, "[store]\nkeep_days = 3\nother = 1\n")
    assert change_settings(file, {"store.keep_days": None, "delegation.enabled": None}) == Settings(
        unknown=("store.other",)
    )
    assert path.read_text() == "[store]\nother = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "delegation = { depth_limit = 3, other = 1 } # inline\n[window]\nx = 1\n",
        "delegation.depth_limit = 3 # dotted\nstore.other = 1\n[window]\nx = 1\n",
        "[delegation]\ndepth_limit = 3\n[window]\nx = 1\n[delegation.more]\ny = 1\n",
        "[agents.demo]\nmode = 'a'\n[window]\nx = 1\n[agents.codex]\nmode = 'b'\n[delegation]\ndepth_limit = 3",
    ],
)
def test_a_change_works_in_every_form_of_the_file(path: Path, text: str) -> None:
    file = write(path, text)
    changes: dict[str, Any] = {
        "delegation.depth_limit": 4,
        "delegation.outside_folder": "allow",
        "store.keep_days": 5,
        "agents.demo.mode": "c",
        "agents.qwen.options": {"model": "large"},
    }
    settings = change_settings(file, changes)
    assert (settings.delegation.depth_limit, settings.delegation.outside_folder) == (4, "allow")
    assert settings.store.keep_days == 5
    assert settings.agent("demo").mode == "c"
    assert settings.agent("qwen").options == (("model", "large"),)
    assert "window" in settings.unknown


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"delegation.depth_limit": 9}, "from 1 to 8"),
        ({"delegation.depth": 1}, "There is no setting delegation.depth"),
        ({"window.x": 1}, "There is no setting window.x"),
        ({"agents.demo": 1}, "There is no setting agents.demo"),
        ({"agents..mode": "x"}, "There is no setting agents..mode"),
        ({"desktop.font_size": 11}, "from 12 to 18"),
        ({"desktop.theme": "blue"}, '"system", "light" or "dark"'),
        ({"desktop.keys": {"send": 1}}, "a table of texts"),
        ({"desktop.keys.send": 1}, "a table of texts"),
        ({"desktop.keys.": "x"}, "There is no setting desktop.keys."),
        ({"desktop.theme.x": "x"}, "There is no setting desktop.theme.x"),
        ({"store.keep_days": 5, "delegation.enabled": "no"}, "true or false"),
    ],
)
def test_a_wrong_change_is_one_sentence_and_writes_nothing(path: Path, changes: dict[str, Any], reason: str) -> None:
    file = write(path, FULL)
    with pytest.raises(SettingsError, match=reason):
        change_settings(file, changes)
    assert path.read_text() == FULL


def test_a_change_that_cannot_be_written_leaves_nothing_behind(path: Path) -> None:
    path.parent.parent.joinpath("config").write_text("in the way")
    with pytest.raises(SettingsError, match=r"^The settings file .* could not be (read|written): .*\.$"):
        change_settings(str(path), {"store.keep_days": 5})


def test_a_change_to_what_it_is_already_writes_nothing(path: Path) -> None:
    file = write(path, FULL)
    os.utime(file, (1, 1))
    change_settings(file, {"delegation.depth_limit": 3})
    assert path.stat().st_mtime == 1


def test_one_key_or_option_is_changed_by_its_own_name(path: Path) -> None:
    file = write(path, FULL)
    changes = {
        "desktop.keys.palette.open": "Ctrl+P",
        "agents.codex.options.effort": "high",
        "agents.qwen.options.a": "b",
    }
    settings = change_settings(file, changes)
    assert settings.desktop.keys == (("send", "Ctrl+Return"), ("palette.open", "Ctrl+P"))
    assert settings.agent("codex").options == (("model", "large"), ("effort", "high"))
    assert settings.agent("qwen").options == (("a", "b"),)
    assert "# mine" in path.read_text()
    settings = change_settings(
        file, {"desktop.keys.send": None, "desktop.keys.nobody": None, "desktop.font_size": None}
    )
    assert (settings.desktop.keys, settings.desktop.font_size) == ((("palette.open", "Ctrl+P"),), 13)
