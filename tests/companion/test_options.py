"""The command line of contract 4."""

import os

import pytest

from companion.options import BadUsage, parse
from companion.schema import GROUPS


def test_without_flags_all_groups_are_on_and_nothing_is_given() -> None:
    options = parse([], {})
    assert options.features == GROUPS
    assert (options.home, options.socket_path, options.token_file, options.parent_pid) == ("", "", "", 0)
    assert options.idle_timeout_ms == 0


def test_every_flag_of_the_contract_is_read_in_both_spellings() -> None:
    argv = ["--socket-path", "/run/b.sock", "--token-file=/run/t", "--parent-connection-id", "p=1", "--parent-pid=42"]
    argv += ["--features", "ask, feedback", "--custom-agents", "custom:a,custom:b", "--disabled-agents=pi"]
    argv += ["--idle-timeout-ms", "1500", "--home", "/h"]
    options = parse(argv, {"CODEG_HOME": "/other"})
    assert (options.socket_path, options.token_file) == ("/run/b.sock", "/run/t")
    assert (options.parent_connection_id, options.parent_pid) == ("p=1", 42)
    assert options.features == ("ask", "feedback")
    assert options.custom_agents == ("custom:a", "custom:b")
    assert options.disabled_agents == ("pi",)
    assert (options.idle_timeout_ms, options.home) == (1500, "/h")


def test_the_home_of_the_environment_stands_in() -> None:
    assert parse([], {"CODEG_HOME": "/h"}).home == "/h"
    assert parse([], {"CODEG_HOME": "rel"}).home == os.path.abspath("rel")


def test_empty_features_mean_none_and_an_unknown_group_is_named_and_ignored() -> None:
    assert parse(["--features", ""], {}).features == ()
    options = parse(["--features", "ask,telepathy"], {})
    assert options.features == ("ask",)
    assert "telepathy" in options.warnings[0]


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["--nope"], "--nope"),
        (["stray"], "stray"),
        (["--home"], "--home"),
        (["--socket-path", ""], "--socket-path"),
        (["--parent-pid", "x"], "--parent-pid"),
        (["--parent-pid", "0"], "--parent-pid"),
        (["--parent-pid", "-5"], "--parent-pid"),
        (["--idle-timeout-ms", "1e3"], "--idle-timeout-ms"),
        (["--idle-timeout-ms", "9" * 30], "--idle-timeout-ms"),
        (["--version=1"], "--version"),
        (["--token", "secret"], "--token"),
    ],
)
def test_an_unknown_flag_or_bad_value_is_one_sentence(argv: list[str], word: str) -> None:
    with pytest.raises(BadUsage) as caught:
        parse(argv, {})
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_help_and_version_win() -> None:
    assert parse(["--help"], {}).ask == "help"
    assert parse(["--version"], {}).ask == "version"
