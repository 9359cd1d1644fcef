"""What the doctor says of registrations."""

import sys
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


async def told(around: Surroundings) -> list[tuple[str, str, str, str]]:
    return [(each.check, each.level, each.message, each.fix) for each in await registration_findings(around)]


async def test_only_installed_programs_are_judged(around: Surroundings, tmp_path: Path) -> None:
    assert await told(around) == []
    install(tmp_path, "qwen")
    file = tmp_path / "home/.qwen/settings.json"
    assert await told(around) == [
        (
            "registration qwen",
            "warning",
            f"Codeg is not registered in Qwen Code ({file}).",
            "`codeg mcp add qwen` registers it.",
        )
    ]


async def test_a_registration_that_works_is_told(around: Surroundings, tmp_path: Path) -> None:
    await Registrar(program_of("codex"), "user", around).add(approve=False)
    install(tmp_path, "codex")
    [(check, level, message, fix)] = await told(around)
    assert (check, level, fix) == ("registration codex", "ok", "")
    assert message == f"Codeg is registered in {tmp_path / 'home/.codex/config.toml'}, and its command lists its tools."


async def test_an_entry_whose_command_does_not_start_any_more_is_an_error(around: Surroundings, tmp_path: Path) -> None:
    install(tmp_path, "opencode")
    file = tmp_path / "work/opencode.json"
    user = tmp_path / "home/.config/opencode/opencode.json"
    user.parent.mkdir(parents=True)
    user.write_text('{"mcp": {"codeg": {"command": ["/gone/python", "-I", "-m", "companion"]}}}')
    [(_, level, message, fix)] = await told(around)
    assert level == "error"
    assert message.startswith(f"Codeg is registered in {user}, but its command does not serve: ")
    assert "/gone/python" in message
    assert fix == "`codeg mcp add opencode` writes it anew."
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
    install(tmp_path, program_of(slug).command)
    target = tmp_path / "home" / file
    target.parent.mkdir()
    text, line = written
    target.write_text(text)
    off, short = await told(around)
    assert off[1:3] == ("warning", f"Codeg is registered in {target}, but switched off there.")
    assert short[2].endswith("cuts a call of Codeg after 60 s, and Codeg waits up to 110 s.")
    assert short[3] == f"Write `{line}` into the entry in {target}."


async def test_a_command_in_a_strangers_folder_is_never_started(around: Surroundings, tmp_path: Path) -> None:
    install(tmp_path, "claude")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    file = tmp_path / "work/.mcp.json"
    file.write_text(f'{{"mcpServers": {{"codeg": {{"command": "{trap}", "args": ["-m", "companion"]}}}}}}')
    [(_, level, message, fix)] = await told(around)
    assert (level, message) == ("warning", f"{file} names another command than this Codeg; it was not started.")
    assert fix == "`codeg mcp add claude-code --scope project` writes it anew."
    assert not (tmp_path / "sprung").exists()


async def test_a_broken_file_and_a_foreign_server_are_told(around: Surroundings, tmp_path: Path) -> None:
    install(tmp_path, "codex", "gemini")
    for name, text in ((".codex/config.toml", "x ="), (".gemini/settings.json", '{"mcpServers": {"codeg": {}}}')):
        (tmp_path / "home" / name).parent.mkdir()
        (tmp_path / "home" / name).write_text(text)
    broken, foreign = await told(around)
    assert broken[1] == "error"
    assert "config.toml, line 1: " in broken[2]
    assert foreign[1:3] == ("warning", f"The server codeg in {tmp_path / 'home/.gemini/settings.json'} is not Codeg's.")


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
    assert there.fix == "`codeg mcp add qwen` registers it."


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
