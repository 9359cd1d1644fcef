"""`codeg agents`: what a person at a shell sees of the known agents and of the import of one."""

import json
from pathlib import Path

import pytest

from codeg.cli.commands import carry_out

ENTRY = {
    "id": "some-agent",
    "name": "Some Agent",
    "version": "1.2.3",
    "distribution": {"npx": {"package": "@some/agent", "args": ["--acp"]}},
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "npx").write_text("#!/bin/sh\n")
    (folder / "npx").chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("CODEG_HOME", str(tmp_path / "home"))
    return tmp_path


def entry(home: Path, value: object) -> str:
    path = home / "agent.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    capsys.readouterr()
    assert carry_out(["agents", "--json"]) == 0
    return {agent["slug"]: agent for agent in json.loads(capsys.readouterr().out)}


def test_an_imported_agent_is_known_from_then_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "custom:some-agent" not in listed(capsys)
    assert carry_out(["agents", "import", entry(home, ENTRY)]) == 0
    assert capsys.readouterr().out == (
        "Some Agent can be delegated to as custom:some-agent; it runs: npx -y @some/agent@1.2.3 --acp\n"
    )
    agent = listed(capsys)["custom:some-agent"]
    assert agent["installed"] is True
    assert agent["command"] == [str(home / "bin" / "npx"), "-y", "@some/agent@1.2.3", "--acp"]


def test_an_entry_that_cannot_be_used_is_one_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert carry_out(["agents", "import", entry(home, {"id": "x", "distribution": {}})]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert (
        printed.err
        == f"codeg: {home}/agent.json: x names no way to run it (binary, npx or uvx); nothing was written.\n"
    )
    assert not (home / "home" / "config" / "agents.toml").exists()


def test_without_a_file_the_grammar_says_what_is_missing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert carry_out(["agents", "import"]) == 2
    assert "FILE" in capsys.readouterr().err
    assert home.is_dir()


def test_a_program_without_its_adapter_is_listed_with_the_line_to_type(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "bin" / "codex").symlink_to(home / "bin" / "npx")
    codex = listed(capsys)["codex"]
    assert codex["installed"] is False
    assert codex["how_to_install"] == (
        f"Codex itself is there ({home}/bin/codex), only its adapter codex-acp is missing. "
        "Install it with `npm install -g @agentclientprotocol/codex-acp`."
    )
