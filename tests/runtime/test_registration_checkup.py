"""What the doctor says of registrations."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from codeg.runtime.registrations.checkup import Registration, registration_findings, registrations
from codeg.runtime.registrations.programs import PROGRAMS, Place
from codeg.runtime.registrations.registrar import Registrar, Surroundings, program_of

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")]


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    for name in ("home", "work", "bin"):
        (tmp_path / name).mkdir()
    env = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    return Surroundings(Place(env["HOME"], str(tmp_path / "work"), env), str(tmp_path / "bin"), None)


def install(tmp_path: Path, *names: str) -> None:
    for name in names:
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)


async def told(around: Surroundings, slug: str) -> list[tuple[str, str, str, str]]:
    found = await registration_findings(program_of(slug), around)
    return [(each.check, each.level, each.message, each.fix) for each in found]


async def test_where_nothing_is_registered_the_command_is_named(around: Surroundings, tmp_path: Path) -> None:
    file = tmp_path / "home/.qwen/settings.json"
    assert await told(around, "qwen") == [
        (
            "registration qwen",
            "warning",
            f"Codeg is not registered in Qwen Code ({file}).",
            "`codeg mcp add qwen` registers it.",
        )
    ]


async def test_a_registration_that_works_is_told(around: Surroundings, tmp_path: Path) -> None:
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    file = tmp_path / "home/.codex/config.toml"
    assert await told(around, "codex") == [
        ("registration codex", "ok", f"Codeg is registered in {file}, and its command lists its tools.", ""),
        ("time limit codex", "ok", "Codex lets a call of Codeg last 600 s; Codeg waits up to 110 s.", ""),
    ]


async def test_a_program_without_a_known_limit_is_said_to_have_none(around: Surroundings, tmp_path: Path) -> None:
    registrar = Registrar(program_of("claude-code"), "user", around)
    await registrar.add(approve=False)
    _, limit = await told(around, "claude-code")
    assert limit[1:3] == ("ok", "Claude Code is not known to cut a call of Codeg; Codeg waits up to 110 s.")
    file = tmp_path / "home/.claude.json"
    # Claude Code passes over a limit below 1,000 ms.
    for milliseconds, level in ((999, "ok"), (60_000, "warning")):
        file.write_text(
            file.read_text().replace('"alwaysLoad": true', f'"alwaysLoad": true, "timeout": {milliseconds}')
        )
        assert (await told(around, "claude-code"))[1][1] == level
        await registrar.remove()
        await registrar.add(approve=False)


async def test_a_wait_that_the_person_made_longer_is_held_against_the_limit(
    around: Surroundings, tmp_path: Path
) -> None:
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    file = tmp_path / "home/.codex/config.toml"
    file.write_text(file.read_text() + 'env = { CODEG_MCP_MAX_WAIT_MS = "900000" }\n')
    _, limit = await told(around, "codex")
    assert limit[2:] == (
        "Codex cuts a call of Codeg after 600 s, and Codeg waits up to 900 s.",
        f"Write `tool_timeout_sec = 905` into the entry in {file}.",
    )


async def test_an_entry_whose_command_does_not_start_any_more_is_an_error(around: Surroundings, tmp_path: Path) -> None:
    file = tmp_path / "work/opencode.json"
    user = tmp_path / "home/.config/opencode/opencode.json"
    user.parent.mkdir(parents=True)
    user.write_text('{"mcp": {"codeg": {"command": ["/gone/python", "-I", "-m", "companion"]}}}')
    (_, level, message, fix), limit = await told(around, "opencode")
    assert level == "error"
    assert message.startswith(f"Codeg is registered in {user}, but its command does not serve: ")
    assert "/gone/python" in message
    assert fix == "`codeg mcp add opencode` writes it anew."
    anew = "after each word of progress, which it gets every 5 s"
    assert limit[2] == f"OpenCode lets a call of Codeg last 60 s {anew}; Codeg waits up to 110 s."
    assert not file.exists()


@pytest.mark.parametrize(
    ("slug", "file", "written"),
    [
        (
            "codex",
            ".codex/config.toml",
            (
                '[mcp_servers.codeg]\ncommand = "codeg-mcp"\ntool_timeout_sec = 60\nenabled = false\n',
                "tool_timeout_sec = 600",
            ),
        ),
        (
            "gemini",
            ".gemini/settings.json",
            (
                '{"mcpServers": {"codeg": {"command": "codeg-mcp", "timeout": 60000, "disabled": true}}}',
                '"timeout": 600000',
            ),
        ),
    ],
)
async def test_a_limit_below_our_waits_is_told_with_the_line_to_change(
    around: Surroundings, tmp_path: Path, slug: str, file: str, written: tuple[str, str]
) -> None:
    target = tmp_path / "home" / file
    target.parent.mkdir()
    text, line = written
    target.write_text(text)
    off, short = await told(around, slug)
    assert off[1:3] == ("warning", f"Codeg is registered in {target}, but switched off there.")
    assert short[2].endswith("cuts a call of Codeg after 60 s, and Codeg waits up to 110 s.")
    assert short[3] == f"Write `{line}` into the entry in {target}."


@pytest.mark.parametrize("by", ["command", "variable"])
async def test_a_command_in_a_strangers_folder_is_never_started(around: Surroundings, tmp_path: Path, by: str) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    await Registrar(program_of("claude-code"), "project", around).add(approve=False)
    file = tmp_path / "work/.mcp.json"
    data = json.loads(file.read_text())
    entry = data["mcpServers"]["codeg"]
    entry |= {"command": str(trap)} if by == "command" else {"env": {"LD_PRELOAD": str(trap)}}
    file.write_text(json.dumps(data))
    (_, level, message, fix), _ = await told(around, "claude-code")
    said = f"{file} names another command than this Codeg, or variables for it; it was not started."
    assert (level, message) == ("warning", said)
    assert fix == "`codeg mcp add claude-code --scope project` writes it anew."
    assert not (tmp_path / "sprung").exists()


async def test_a_broken_file_and_a_foreign_server_are_told(around: Surroundings, tmp_path: Path) -> None:
    for name, text in ((".codex/config.toml", "x ="), (".gemini/settings.json", '{"mcpServers": {"codeg": {}}}')):
        (tmp_path / "home" / name).parent.mkdir()
        (tmp_path / "home" / name).write_text(text)
    [broken] = await told(around, "codex")
    assert broken[1] == "error"
    assert "config.toml, line 1: " in broken[2]
    [foreign] = await told(around, "gemini")
    assert foreign[1:3] == ("warning", f"The server codeg in {tmp_path / 'home/.gemini/settings.json'} is not Codeg's.")


async def test_both_scopes_are_judged_since_the_programs_read_both(around: Surroundings, tmp_path: Path) -> None:
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    file = tmp_path / "work/.codex/config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.codeg]\ncommand = "/gone"\nargs = ["-m", "companion"]\n')
    found = await told(around, "codex")
    assert [each[1] for each in found] == ["ok", "ok", "warning", "ok"]
    assert str(file) in found[2][2]


async def test_a_file_that_is_the_users_and_the_projects_counts_once(around: Surroundings, tmp_path: Path) -> None:
    at_home = replace(around, place=replace(around.place, folder=around.place.home))
    await Registrar(program_of("codex"), "user", at_home).add(approve=False)
    assert [each[1] for each in await told(at_home, "codex")] == ["ok", "ok"]
    (tmp_path / "home/.codex/config.toml").write_text("x =")
    assert [each[1] for each in await told(at_home, "codex")] == ["error"]


async def test_an_entry_under_another_name_is_found_and_two_are_too_many(around: Surroundings, tmp_path: Path) -> None:
    file = tmp_path / "home/.codex/config.toml"
    file.parent.mkdir()
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    file.write_text(file.read_text().replace("mcp_servers.codeg", "mcp_servers.helper"))
    [entry, _] = await told(around, "codex")
    assert entry[1:3] == ("ok", f"Codeg is registered in {file} as helper, and its command lists its tools.")
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    twice = (await told(around, "codex"))[-1]
    places = f"{file} as helper, {file}"
    assert twice[1:3] == (
        "warning",
        f"Codex starts Codeg more than once, and shows its model every tool as often: {places}.",
    )


# ---- for a front end: one answer a program


async def shown(around: Surroundings) -> dict[str, Registration]:
    found = await registrations(around)
    assert [each.host for each in found] == [program.slug for program in PROGRAMS]
    return {each.host: each for each in found}


async def test_every_host_program_is_shown_installed_or_not(around: Surroundings, tmp_path: Path) -> None:
    install(tmp_path, "qwen")
    found = await shown(around)
    missing, there = found["codex"], found["qwen"]
    assert (missing.installed, missing.registered, missing.fix, missing.limit) == (False, False, "", 300)
    assert missing.message == "Codex was not found on this machine."
    assert (there.label, there.installed, there.registered) == ("Qwen Code", True, False)
    assert there.message.startswith("Codeg is not registered in Qwen Code")
    assert there.fix == ""


async def test_a_working_registration_is_shown_with_its_limit(around: Surroundings, tmp_path: Path) -> None:
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    install(tmp_path, "codex")
    codex = (await shown(around))["codex"]
    assert (codex.installed, codex.registered, codex.limit, codex.fix) == (True, True, 600, "")
    assert codex.message.endswith("its command lists its tools.")
    file = tmp_path / "home/.codex/config.toml"
    file.write_text(file.read_text().replace("tool_timeout_sec = 600", "tool_timeout_sec = 20"))
    codex = (await shown(around))["codex"]
    assert (codex.registered, codex.limit) == (True, 20)
    assert "cuts a call" in codex.message
    assert "tool_timeout_sec = 600" in codex.fix


async def test_a_broken_or_foreign_entry_is_shown_though_the_program_is_gone(
    around: Surroundings, tmp_path: Path
) -> None:
    (tmp_path / "home/.qwen").mkdir()
    (tmp_path / "home/.qwen/settings.json").write_text("{")
    (tmp_path / "home/.gemini").mkdir()
    (tmp_path / "home/.gemini/settings.json").write_text('{"mcpServers": {"codeg": {"command": "other"}}}')
    found = await shown(around)
    assert (found["qwen"].registered, found["qwen"].fix) == (False, "Mend that file; nothing overwrites it.")
    assert (found["gemini"].registered, found["gemini"].installed) == (False, False)
    assert found["gemini"].message.endswith("is not Codeg's.")
