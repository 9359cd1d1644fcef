"""The environment of agents and where their programs are found: pure, on a file system made by hand."""

import os

import pytest

from codeg.sessions.environment import (
    HOST_MARKERS,
    ProgramMissing,
    agent_environment,
    find_program,
    resolve_command,
    search_path,
)
from codeg.sessions.types import AgentDefinition


def definition(command: tuple[str, ...] = ("mine", "--acp"), **fields: object) -> AgentDefinition:
    return AgentDefinition("custom:mine", "My agent", command, **fields)  # pyright: ignore[reportArgumentType]


def test_only_the_named_variables_are_taken_out_and_sign_ins_stay() -> None:
    base = dict.fromkeys(HOST_MARKERS, "1")
    stays = {
        "ANTHROPIC_API_KEY": "k",
        "CLAUDE_CODE_OAUTH_TOKEN": "t",
        "CLAUDE_CONFIG_DIR": "/c",
        "CLAUDECODE_X": "1",
        "OPENCODE_CONFIG": "/o",
        "GEMINI_API_KEY": "g",
        "CODEG_HOME": "/h",
        "HTTPS_PROXY": "p",
        "LANG": "de_DE.UTF-8",
    }
    made = agent_environment({**base, **stays, "PATH": "/old"}, definition(), "/new")
    assert made == {**stays, "PATH": "/new"}


def test_the_agents_own_names_and_a_quirks_are_taken_out_and_its_own_values_come_last() -> None:
    agent = definition(drop_env=("A",), env=(("B", "mine"), ("C", "new"), ("CLAUDECODE", "wanted")))
    made = agent_environment({"A": "1", "B": "2", "Q": "3", "D": "4", "CLAUDECODE": "1"}, agent, "/p", drop=("Q",))
    assert made == {"B": "mine", "C": "new", "D": "4", "PATH": "/p", "CLAUDECODE": "wanted"}


@pytest.mark.parametrize(
    ("given", "got"),
    [("/tmp/x", "/tmp/x"), ("/" + "x" * 59, "/" + "x" * 59), ("/" + "x" * 60, "/tmp"), ("/" + "ü" * 30, "/tmp")],
)
def test_a_long_folder_for_temporary_files_is_not_handed_on(given: str, got: str) -> None:
    assert agent_environment({"TMPDIR": given}, definition(), "/p")["TMPDIR"] == got


def test_without_a_folder_for_temporary_files_none_is_made_up() -> None:
    assert "TMPDIR" not in agent_environment({}, definition(), "/p")


def test_the_login_shells_path_comes_first_then_our_own_then_the_usual_folders_that_exist() -> None:
    there = {"/home/u/.local/bin", "/home/u/.cargo/bin", "/usr/bin"}
    made = search_path("/login:/usr/bin", "/own:/login::rel", "/home/u", there.__contains__)
    assert made.split(":") == ["/login", "/usr/bin", "/own", "rel", "/home/u/.local/bin", "/home/u/.cargo/bin"]


def test_every_node_of_nvm_is_looked_into_the_newest_first() -> None:
    there = {"/home/u/.nvm/versions/node": ["v8.1.0", "v22.3.1", "odd", "v22.11.0"]}
    made = search_path(None, "/own", "/home/u", lambda folder: ".nvm" in folder, lambda folder: there.get(folder, ()))
    assert made.split(":") == [
        "/own",
        *(f"/home/u/.nvm/versions/node/{version}/bin" for version in ("v22.11.0", "v22.3.1", "v8.1.0", "odd")),
    ]


@pytest.mark.parametrize(
    "folder", [".npm-global/bin", ".volta/bin", ".bun/bin", ".local/share/pnpm", ".claude/local", "n/bin"]
)
def test_a_program_where_its_installer_put_it_is_found_although_no_shell_knows(folder: str) -> None:
    place = f"/home/u/{folder}"
    path = search_path("/usr/bin", "", "/home/u", {place}.__contains__, lambda _: ())
    assert find_program("mine", path, {f"{place}/mine"}.__contains__) == f"{place}/mine"


@pytest.mark.parametrize(("login", "own", "made"), [(None, "/own", "/own"), (None, "", ""), ("", "/own", "/own")])
def test_without_a_login_shells_path_our_own_is_used(login: str | None, own: str, made: str) -> None:
    assert search_path(login, own, "", lambda _: False) == made


@pytest.mark.skipif(os.name != "posix", reason="POSIX names")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mine", "/a/mine"),
        ("both", "/a/both"),
        ("only-b", "/b/only-b"),
        ("here", None),
        ("absent", None),
        ("", None),
        ("/b/both", "/b/both"),
        ("/b/absent", None),
        ("./here", None),
        ("a/mine", None),
    ],
)
def test_a_program_is_found_on_absolute_folders_alone(name: str, found: str | None) -> None:
    there = {"/a/mine", "/a/both", "/b/both", "/b/only-b", "here", "./here", "rel/here"}
    assert find_program(name, ":.:rel:/a:/b", there.__contains__) == found


@pytest.mark.skipif(os.name != "posix", reason="POSIX names")
def test_a_command_gets_its_program_made_absolute() -> None:
    assert resolve_command(definition(), "/a:/b", {"/b/mine"}.__contains__) == ("/b/mine", "--acp")


@pytest.mark.skipif(os.name != "posix", reason="POSIX names")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("mine",), "mine was not found in /a, /b; set `command` of [agents.mine] in config/agents.toml. Get it."),
        (
            ("/x/mine",),
            "/x/mine is not a program that can be run; set `command` of [agents.mine] in config/agents.toml. Get it.",
        ),
        (
            ("./mine",),
            "./mine is neither a name nor an absolute path; set `command` of [agents.mine] in config/agents.toml. Get it.",
        ),
        ((), "no command is known for My agent; set `command` of [agents.mine] in config/agents.toml. Get it."),
    ],
)
def test_a_missing_program_is_named_with_the_folders_searched_and_the_setting(
    command: tuple[str, ...], said: str
) -> None:
    with pytest.raises(ProgramMissing) as missing:
        resolve_command(definition(command, install="Get it."), "rel:/a:/b", lambda _: False)
    assert missing.value.message == said


@pytest.mark.skipif(os.name != "posix", reason="POSIX names")
def test_where_only_the_adapter_is_missing_that_is_said_with_the_line_to_type() -> None:
    agent = AgentDefinition(
        "codex", "Codex", ("codex-acp",), install="Install it with `npm i codex-acp`.", adapts="codex"
    )
    with pytest.raises(ProgramMissing) as missing:
        resolve_command(agent, "/a:/b", {"/b/codex"}.__contains__)
    assert missing.value.message == (
        "codex-acp was not found in /a, /b; set `command` of [agents.codex] in config/agents.toml. "
        "Codex itself is there (/b/codex), only its adapter codex-acp is missing. Install it with `npm i codex-acp`."
    )


def test_a_tilde_in_a_command_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/u")
    assert resolve_command(definition(("~/bin/mine",)), "", {"/home/u/bin/mine"}.__contains__) == ("/home/u/bin/mine",)
