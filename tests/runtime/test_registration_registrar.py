"""Registering and taking out, with the real companion and a `claude` program of our own."""

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from codeg.runtime.registrations.alone import alone
from codeg.runtime.registrations.programs import Place, Scope
from codeg.runtime.registrations.registrar import Outcome, Registrar, Surroundings, program_of
from codeg.runtime.services import UserError

pytestmark = pytest.mark.anyio

CLAUDE = f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
file = os.environ["HOME"] + "/.claude.json" if "user" in words else ".mcp.json"
data = json.load(open(file)) if os.path.exists(file) else {{}}
if "local" in words:
    file = os.environ["HOME"] + "/.claude.json"
    data = json.load(open(file))
    servers = data["projects"][os.getcwd()]["mcpServers"]
else:
    servers = data.setdefault("mcpServers", {{}})
open(os.environ["HOME"] + "/calls", "a").write(" ".join(words[:4]) + chr(10))
mode = os.environ.get("FAKE", "")
if mode == "fails":
    sys.exit("It is Tuesday.")
if mode != "lies":
    if words[1] == "add-json":
        servers[words[-2]] = json.loads(words[-1])
    else:
        del servers[words[-1]]
    json.dump(data, open(file, "w"))
print("done")
"""
Make = Callable[..., Registrar]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()

    def made(slug: str, scope: Scope = "user", path: str = "", **more: Any) -> Registrar:
        env = {"HOME": str(home), "PATH": path, **more.pop("env", {})}
        around = Surroundings(Place(str(home), str(folder), env), path, more.pop("state", None), **more)
        return Registrar(program_of(slug), scope, around)

    return made


def fake_claude(folder: Path) -> str:
    program = folder / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLAUDE)
    program.chmod(0o755)
    return f"{program.parent}:/usr/bin:/bin"


def read(file: Path) -> Any:
    return tomllib.loads(file.read_text()) if file.suffix == ".toml" else json.loads(file.read_text())


@pytest.mark.parametrize(
    ("slug", "scope", "file"),
    [
        ("claude-code", "user", "home/.claude.json"),
        ("codex", "user", "home/.codex/config.toml"),
        ("opencode", "user", "home/.config/opencode/opencode.json"),
        ("gemini", "user", "home/.gemini/settings.json"),
        ("qwen", "project", "work/.qwen/settings.json"),
    ],
)
async def test_added_once_said_to_be_there_and_taken_out(
    make: Make, tmp_path: Path, slug: str, scope: Scope, file: str
) -> None:
    registrar, target = make(slug, scope), tmp_path / file
    added = await registrar.add(approve=False)
    assert added.changed
    assert added.lines == (f"Codeg is registered in {target}; start {registrar.program.label} anew.",)
    content = target.read_bytes()
    again = await registrar.add(approve=False)
    assert (again.changed, again.lines) == (False, (f"{registrar.program.label} has this entry already: {target}.",))
    assert target.read_bytes() == content
    removed = await registrar.remove()
    assert (removed.changed, removed.lines) == (True, (f"Codeg is taken out of {target}.",))
    assert read(target) == {}
    none = await registrar.remove()
    assert none.lines == (f"{registrar.program.label} has no entry of Codeg in {target}.",)
    assert not none.changed


async def test_a_home_of_ones_own_is_named_in_the_entry(make: Make, tmp_path: Path) -> None:
    state = str(tmp_path / "state dir")
    await make("gemini", state=state).add(approve=False)
    entry = read(tmp_path / "home/.gemini/settings.json")["mcpServers"]["codeg"]
    assert entry["args"] == ["-I", "-m", "companion", "--home", state]


async def test_a_home_that_is_no_text_is_one_sentence(make: Make) -> None:
    with pytest.raises(UserError, match="not UTF-8"):
        await make("codex", state="/x\udcff").add(approve=False)


async def test_a_command_that_does_not_serve_is_not_registered(make: Make, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Nothing was written, since /bin/false .* does not serve: it ended without"):
        await make("codex", python="/bin/false").add(approve=False)
    with pytest.raises(UserError, match="Nothing was written, since /no/python "):
        await make("codex", python="/no/python").add(approve=False)
    assert not list((tmp_path / "home").iterdir())


async def test_a_broken_file_is_named_and_left_as_it_is(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "home/.gemini/settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "a": 1,,\n}')
    for act in (make("gemini").add(approve=False), make("gemini").remove()):
        with pytest.raises(UserError, match=r"settings\.json, line 2: expecting property name"):
            await act
    assert file.read_text() == '{\n  "a": 1,,\n}'


async def test_a_server_of_that_name_that_is_not_ours_is_left_alone(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "home/.codex/config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.codeg]\ncommand = "npx"\n')
    for act in (make("codex").add(approve=False), make("codex").remove()):
        with pytest.raises(UserError, match="an MCP server named codeg that is not Codeg's"):
            await act
    assert file.read_text() == '[mcp_servers.codeg]\ncommand = "npx"\n'


async def test_an_older_entry_is_brought_up_to_date_where_it_stands(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "home/.config/opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text("{}")
    file = folder / "opencode.jsonc"
    file.write_text(
        '{ // mine\n  "mcp": {"codeg": {"command": ["/old", "-m", "companion"], "environment": {"A": "b"}},},}'
    )
    outcome = await make("opencode").add(approve=False)
    said = f"Codeg is brought up to date in {file} (it named /old -m companion before); start OpenCode anew."
    assert outcome.lines == (said,)
    assert (folder / "opencode.json").read_text() == "{}"
    text = file.read_text()
    assert text.startswith('{ // mine\n  "mcp": {"codeg": {')
    assert text.endswith("},},}")
    assert '"A": "b"' in text
    assert "/old" not in text


async def test_an_entry_of_another_home_is_brought_up_to_date_and_said(make: Make, tmp_path: Path) -> None:
    await make("codex", python=sys.executable, state="/one").add(approve=True)
    outcome = await make("codex", python=sys.executable, state="/two").add(approve=False)
    [line] = outcome.lines
    assert f"(it named {sys.executable} -I -m companion --home /one before)" in line
    entry = read(tmp_path / "home/.codex/config.toml")["mcp_servers"]["codeg"]
    assert entry["args"][-1] == "/two"
    assert entry["default_tools_approval_mode"] == "approve"


async def test_entries_under_other_names_are_said_and_taken_out_too(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "home/.gemini/settings.json"
    file.parent.mkdir()
    before = '{\n  "mcpServers": {\n    "theirs": {"command": "npx", "args": ["x"]}\n  }\n}\n'
    by_hand = (
        ',\n    "-mine": {"command": "/p", "args": ["-I", "-m", "companion"]},\n    "s": {"command": "codeg-mcp"}\n  }'
    )
    file.write_text(before.replace("\n  }", by_hand, 1))
    added = await make("gemini").add(approve=False)
    assert [each for each in added.warnings if "also starts Codeg" in each] == [
        f"Gemini CLI also starts Codeg by {file} as -mine; `codeg mcp remove gemini` takes it out.",
        f"Gemini CLI also starts Codeg by {file} as s; `codeg mcp remove gemini` takes it out.",
    ]
    removed = await make("gemini").remove()
    assert removed.lines == (
        f"Codeg is taken out of {file} as -mine.",
        f"Codeg is taken out of {file} as s.",
        f"Codeg is taken out of {file}.",
    )
    assert file.read_text() == before


async def test_a_foreign_server_of_our_name_stays_while_ours_of_another_goes(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "home/.codex/config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.codeg]\ncommand = "npx"\n\n[mcp_servers.mine]\ncommand = "codeg-mcp"\n')
    assert (await make("codex").remove()).lines == (f"Codeg is taken out of {file} as mine.",)
    assert file.read_text() == '[mcp_servers.codeg]\ncommand = "npx"\n'


async def test_what_is_left_in_the_other_scope_is_said(make: Make, tmp_path: Path) -> None:
    await make("qwen", "project").add(approve=False)
    removed = await make("qwen").remove()
    assert not removed.changed
    [left] = removed.warnings
    assert left.startswith(f"Codeg is registered in {tmp_path / 'work/.qwen/settings.json'} too;")
    assert left.endswith(" `codeg mcp remove qwen --scope project` takes it out there.")
    assert (await make("qwen", "project").remove()).warnings == ()


@pytest.mark.parametrize("by_command", [False, True])
async def test_what_claude_keeps_for_one_folder_alone_is_taken_out_too(
    make: Make, tmp_path: Path, by_command: bool
) -> None:
    file, folder = tmp_path / "home/.claude.json", str(tmp_path / "work")
    (tmp_path / "work/.git").mkdir()
    ours = {"command": "/p", "args": ["-m", "companion"]}
    servers = {folder: {"mcpServers": {"codeg": ours, "x": {"command": "y"}}}, "/else": {"mcpServers": {"codeg": ours}}}
    file.write_text(json.dumps({"projects": servers}))
    removed = await make("claude-code", path=fake_claude(tmp_path) if by_command else "").remove()
    assert removed.lines == (f"Codeg is taken out of {file} (for {folder} alone).",)
    del servers[folder]["mcpServers"]["codeg"]
    assert read(file) == {"projects": servers}


async def test_two_at_once_take_turns_and_both_succeed(make: Make, tmp_path: Path) -> None:
    outcomes: list[Outcome] = []

    async def add(slug: str) -> None:
        outcomes.append(await make(slug, path=path).add(approve=True))

    path = fake_claude(tmp_path)
    async with anyio.create_task_group() as group:
        for slug in ("claude-code", "claude-code", "codex", "codex"):
            group.start_soon(add, slug)
    assert sorted(each.changed for each in outcomes) == [False, False, True, True]
    assert (tmp_path / "home/calls").read_text().splitlines() == ["mcp add-json --scope user"]


async def test_a_turn_that_never_comes_is_one_sentence(tmp_path: Path) -> None:
    async with alone(str(tmp_path)):
        with pytest.raises(UserError, match="Another `codeg mcp` is at work"):
            async with alone(str(tmp_path), seconds=0):
                pytest.fail("the turn was taken")
    async with alone(str(tmp_path), seconds=0):
        pass
    async with alone(str(tmp_path / "none"), seconds=0):
        pass


async def test_a_byte_order_mark_is_refused_where_the_program_refuses_it(make: Make, tmp_path: Path) -> None:
    for slug in ("gemini", "qwen"):
        (tmp_path / f"home/.{slug}").mkdir()
        (tmp_path / f"home/.{slug}/settings.json").write_bytes(b"\xef\xbb\xbf{}")
    with pytest.raises(UserError, match="begins with a byte order mark, which Gemini CLI does not read"):
        await make("gemini").add(approve=False)
    assert (tmp_path / "home/.gemini/settings.json").read_bytes() == b"\xef\xbb\xbf{}"
    await make("qwen").add(approve=False)
    await make("qwen").remove()
    assert (tmp_path / "home/.qwen/settings.json").read_bytes() == b"\xef\xbb\xbf{}"


async def test_approval_is_written_only_when_asked_for(make: Make, tmp_path: Path) -> None:
    rules = tmp_path / "home/.claude/settings.json"
    rules.parent.mkdir()
    rules.write_text('{"permissions": {"allow": ["Read"]}}')
    await make("claude-code").add(approve=False)
    assert rules.read_text() == '{"permissions": {"allow": ["Read"]}}'
    outcome = await make("claude-code").add(approve=True)
    assert outcome.lines == (f"Its tools run without asking by {rules}.",)
    assert read(rules) == {"permissions": {"allow": ["Read", "mcp__codeg"]}}
    assert not (await make("claude-code").add(approve=True)).changed
    assert len((await make("claude-code").remove()).lines) == 2
    assert rules.read_text() == '{"permissions": {"allow": ["Read"]}}'


async def test_a_broken_file_of_rules_stops_all_before_anything_is_written(make: Make, tmp_path: Path) -> None:
    rules = tmp_path / "home/.claude/settings.json"
    rules.parent.mkdir()
    rules.write_text("{")
    with pytest.raises(UserError, match=r"settings\.json, line 1"):
        await make("claude-code").add(approve=True)
    assert not (tmp_path / "home/.claude.json").exists()


async def test_where_approval_needs_nothing_it_is_said(make: Make) -> None:
    outcome = await make("opencode").add(approve=True)
    assert any("OpenCode runs tools without asking unless" in warning for warning in outcome.warnings)


async def test_a_project_is_warned_of_the_path_in_it(make: Make) -> None:
    outcome = await make("codex", "project").add(approve=False)
    assert outcome.warnings[0].startswith("This entry holds a path of this machine and lies in the repository")
    assert "Codex reads this file only in a project that you trust." in outcome.warnings
    assert not any("repository" in warning for warning in (await make("codex").add(approve=False)).warnings)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")
@pytest.mark.parametrize(("scope", "file"), [("user", "home/.claude.json"), ("project", "work/.mcp.json")])
async def test_claude_registers_by_its_own_command_where_it_is_installed(
    make: Make, tmp_path: Path, scope: Scope, file: str
) -> None:
    registrar = make("claude-code", scope, fake_claude(tmp_path))
    assert (await registrar.add(approve=False)).changed
    assert not (await registrar.add(approve=False)).changed
    assert read(tmp_path / file)["mcpServers"]["codeg"]["alwaysLoad"] is True
    assert (await registrar.remove()).changed
    assert not (await registrar.remove()).changed
    assert read(tmp_path / file) == {"mcpServers": {}}
    calls = (tmp_path / "home/calls").read_text().splitlines()
    assert calls == [f"mcp add-json --scope {scope}", f"mcp remove --scope {scope}"]


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")
async def test_what_claude_does_not_do_is_one_sentence(make: Make, tmp_path: Path) -> None:
    path = fake_claude(tmp_path)
    with pytest.raises(UserError, match=r"claude mcp add-json failed: It is Tuesday\."):
        await make("claude-code", path=path, env={"FAKE": "fails"}).add(approve=False)
    with pytest.raises(UserError, match=r"said that all went well, but .* has no such entry"):
        await make("claude-code", path=path, env={"FAKE": "lies"}).add(approve=False)
    await make("claude-code", path=path).add(approve=False)
    with pytest.raises(UserError, match="said that all went well, but the entry is still in"):
        await make("claude-code", path=path, env={"FAKE": "lies"}).remove()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")
async def test_what_a_person_added_never_goes_to_claudes_command_line(make: Make, tmp_path: Path) -> None:
    path = fake_claude(tmp_path)
    file = tmp_path / "home/.claude.json"
    file.write_text(
        '{"mcpServers": {"codeg": {"command": "/o", "args": ["-m", "companion"], "env": {"KEY": "secret"}}}}'
    )
    await make("claude-code", path=path).add(approve=False)
    entry = read(file)["mcpServers"]["codeg"]
    assert (entry["env"], entry["args"]) == ({"KEY": "secret"}, ["-I", "-m", "companion"])
    assert not (tmp_path / "home/calls").exists()


async def test_showing_changes_and_starts_nothing(make: Make, tmp_path: Path) -> None:
    shown = make("claude-code", python="/py").show(approve=True)
    first, second = shown.snippet.split("}\n{")
    assert json.loads(first + "}")["mcpServers"]["codeg"]["command"] == "/py"
    assert json.loads("{" + second) == {"permissions": {"allow": ["mcp__codeg"]}}
    assert shown.lines[0].startswith("claude mcp add-json --scope user codeg '{")
    codex = make("codex", python="/py").show(approve=False)
    assert tomllib.loads(codex.snippet)["mcp_servers"]["codeg"]["tool_timeout_sec"] == 600
    assert codex.lines == (f"In {tmp_path / 'home/.codex/config.toml'}:",)
    assert not list((tmp_path / "home").iterdir())
