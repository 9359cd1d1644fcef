"""`codeg mcp`: what a person at a shell sees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeg import api
from codeg.cli.commands import carry_out


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "XDG_CONFIG_HOME",
        "OPENCODE_CONFIG",
        "GEMINI_CLI_HOME",
        "QWEN_HOME",
        "CODEG_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "place").mkdir()
    monkeypatch.chdir(tmp_path / "place")
    return tmp_path


def run(*words: str) -> int:
    return carry_out(["mcp", *words])


def test_add_says_where_and_the_second_time_that_nothing_changed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / ".qwen/settings.json"
    assert run("add", "qwen", "--home", str(home / "state")) == 0
    assert capsys.readouterr().out == f"Codeg is registered in {file}; start Qwen Code anew.\n"
    entry = json.loads(file.read_text())["mcpServers"]["codeg"]
    assert entry["args"] == ["-I", "-m", "companion", "--home", str(home / "state")]
    assert run("add", "qwen", "--home", str(home / "state")) == 0
    assert capsys.readouterr().out == f"Qwen Code has this entry already: {file}.\n"
    assert run("remove", "qwen") == 0
    assert capsys.readouterr().out == f"Codeg is taken out of {file}.\n"
    assert run("remove", "qwen") == 0
    assert capsys.readouterr().out == f"Qwen Code has no entry of Codeg in {file}.\n"


def test_a_project_is_warned_on_stderr(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("add", "codex", "--scope", "project") == 0
    printed = capsys.readouterr()
    assert printed.out == f"Codeg is registered in {home}/place/.codex/config.toml; start Codex anew.\n"
    assert printed.err.startswith("codeg: This entry holds a path of this machine")


@pytest.mark.parametrize("host", api.MCP_HOSTS)
def test_show_prints_the_snippet_alone_on_stdout_and_changes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    assert run("show", host) == 0
    printed = capsys.readouterr()
    assert '"companion"' in printed.out
    assert f"In {home}/." in printed.err
    assert sorted(os.listdir(home)) == ["place"]


def test_a_broken_file_is_one_sentence_and_exit_2(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text("{]")
    assert run("add", "gemini") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert file.read_text() == "{]"


def test_an_unknown_host_is_one_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("add", "emacs") == 2
    assert "claude-code" in capsys.readouterr().err


def test_nothing_of_the_working_folder_is_imported(home: Path) -> None:
    (home / "place/json.py").write_text("raise SystemExit(99)")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "codeg.cli", "mcp", "show", "codex"], capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 0
