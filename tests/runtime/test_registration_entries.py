"""What is written for each host program, where, and by which interpreter."""

import sys
from pathlib import Path

import pytest

from codeg.runtime.registrations import documents, entries
from codeg.runtime.registrations.programs import LIMIT_S, PROGRAMS, PROGRESS_S, Place
from codeg.runtime.registrations.registrar import program_of
from codeg.runtime.services import UserError
from companion import relay
from companion.hosts import find_host

COMMAND = ("/opt/py/bin/python", "-I", "-m", "companion", "--home", "/h")
ARGS = list(COMMAND[1:])
EXACT = {
    "claude-code": {"type": "stdio", "command": COMMAND[0], "args": ARGS, "alwaysLoad": True},
    "codex": {
        "command": COMMAND[0],
        "args": ARGS,
        "startup_timeout_sec": 20,
        "required": True,
        "tool_timeout_sec": 600,
    },
    "opencode": {"type": "local", "command": list(COMMAND), "enabled": True, "timeout": 600_000},
    "gemini": {"command": COMMAND[0], "args": ARGS, "timeout": 600_000},
    "qwen": {"command": COMMAND[0], "args": ARGS, "timeout": 600_000},
}
APPROVAL = {"codex": {"default_tools_approval_mode": "approve"}, "gemini": {"trust": True}, "qwen": {"trust": True}}


@pytest.mark.parametrize("slug", EXACT)
def test_each_entry_is_exactly_what_its_program_takes(slug: str) -> None:
    program = program_of(slug)
    assert entries.entry(program, COMMAND, approve=False) == EXACT[slug]
    assert entries.entry(program, COMMAND, approve=True) == EXACT[slug] | APPROVAL.get(slug, {})


@pytest.mark.parametrize("slug", EXACT)
def test_what_was_written_is_read_again_as_ours(slug: str) -> None:
    program = program_of(slug)
    written = documents.snippet(program.form, program.path, entries.entry(program, COMMAND, approve=False))
    read = entries.read(program, documents.value_at(written, program.form, program.path))
    assert (read.command, read.ours, read.on) == (COMMAND, True, True)
    assert read.limit_s == (None if slug == "claude-code" else LIMIT_S)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.slug)
def test_the_waits_are_those_of_the_companion(program: entries.Program) -> None:
    host = find_host(program.client)
    assert host.prefix == program.client
    assert program.wait_s * 1000 == (host.told_wait_ms if program.anew else host.wait_ms)
    assert program.anew == (host.told_wait_ms > host.wait_ms)
    assert program.wait_s < LIMIT_S
    assert PROGRESS_S == relay.PROGRESS_S


PLACES: list[tuple[str, dict[str, str], str, str]] = [
    ("claude-code", {}, "/u/.claude.json", "/w/.mcp.json"),
    ("claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json", "/w/.mcp.json"),
    ("codex", {}, "/u/.codex/config.toml", "/w/.codex/config.toml"),
    ("codex", {"CODEX_HOME": "/c"}, "/c/config.toml", "/w/.codex/config.toml"),
    ("opencode", {}, "/u/.config/opencode/opencode.json", "/w/opencode.json"),
    ("opencode", {"XDG_CONFIG_HOME": "/x"}, "/x/opencode/opencode.json", "/w/opencode.json"),
    ("opencode", {"OPENCODE_CONFIG": "mine.jsonc"}, "/w/mine.jsonc", "/w/opencode.json"),
    ("codex", {"CODEX_HOME": "rel"}, "/w/rel/config.toml", "/w/.codex/config.toml"),
    ("opencode", {"OPENCODE_CONFIG": "~/x.json"}, "/w/~/x.json", "/w/opencode.json"),
    ("qwen", {"QWEN_HOME": "~/q"}, "/u/q/settings.json", "/w/.qwen/settings.json"),
    ("codex", {"CODEX_HOME": "~/q"}, "/w/~/q/config.toml", "/w/.codex/config.toml"),
    ("gemini", {}, "/u/.gemini/settings.json", "/w/.gemini/settings.json"),
    ("gemini", {"GEMINI_CLI_HOME": "/g"}, "/g/.gemini/settings.json", "/w/.gemini/settings.json"),
    ("qwen", {}, "/u/.qwen/settings.json", "/w/.qwen/settings.json"),
    ("qwen", {"QWEN_HOME": "/q"}, "/q/settings.json", "/w/.qwen/settings.json"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="paths are written as on Unix")
@pytest.mark.parametrize(("slug", "env", "user", "project"), PLACES)
def test_each_program_is_found_where_its_documentation_says(
    slug: str, env: dict[str, str], user: str, project: str
) -> None:
    place = Place("/u", "/w", env)
    program = program_of(slug)
    assert program.files("user", place)[0] == user
    assert program.files("project", place)[0] == project


def test_an_unknown_program_is_a_sentence_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="no host program emacs; known are claude-code, codex, opencode, gemini, qwen"):
        program_of("emacs")


def test_what_a_person_added_and_a_longer_limit_stay() -> None:
    codex = program_of("codex")
    there = {"command": "old", "env": {"A": "b"}, "tool_timeout_sec": 9000, "enabled": False}
    made = entries.merged(codex, there, entries.entry(codex, COMMAND, approve=False))
    assert made == EXACT["codex"] | {"env": {"A": "b"}, "tool_timeout_sec": 9000}
    assert entries.merged(codex, made, entries.entry(codex, COMMAND, approve=False)) == made


def test_approval_that_was_given_stays_until_it_is_taken_out() -> None:
    gemini = program_of("gemini")
    plain = entries.entry(gemini, COMMAND, approve=False)
    assert entries.merged(gemini, {**plain, "trust": True}, plain) == {**plain, "trust": True}


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (["/py", "-I", "-m", "companion"], True),
        (["/usr/bin/codeg-mcp", "--home", "/x"], True),
        (["npx", "codeg-server"], False),
        (["/py", "-m", "companions"], False),
        ([], False),
        (7, False),
    ],
)
def test_only_an_entry_that_starts_the_companion_is_ours(command: object, ours: bool) -> None:
    assert entries.read(program_of("opencode"), {"command": command}).ours is ours


def test_the_interpreter_is_absolute_and_no_shim(tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    shim = tmp_path / "shims" / "python"
    shim.parent.mkdir()
    shim.symlink_to(sys.executable)
    real = tmp_path / "bin" / "python"
    real.parent.mkdir()
    real.symlink_to(sys.executable)
    assert entries.interpreter(iter(["", str(script), str(shim), str(real)])) == str(real)
    assert Path(entries.interpreter()).is_absolute()


def test_the_home_is_named_only_where_it_is_not_the_default() -> None:
    assert entries.companion_command(None, "/py") == ("/py", "-I", "-m", "companion")
    assert entries.companion_command("/h", "/py") == ("/py", "-I", "-m", "companion", "--home", "/h")
