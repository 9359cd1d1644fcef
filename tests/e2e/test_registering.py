"""`codeg mcp` at a shell: what is printed where, exit codes, and that a refused change leaves the file alone."""

import json
import tomllib
from pathlib import Path

from tests.e2e.rig import Rig

CONFIG = '# mine\nmodel = "m"   # why\n\n[mcp_servers.other]\ncommand = "x"\n'


def config(rig: Rig) -> Path:
    """Codex's file, in a folder that a variable names."""
    folder = rig.folder / "codex"
    folder.mkdir()
    rig.env["CODEX_HOME"] = str(folder)
    return folder / "config.toml"


def test_add_again_show_and_remove(rig: Rig) -> None:
    file = config(rig)
    file.write_text(CONFIG)
    added = rig.codeg("mcp", "add", "codex")
    assert (added.returncode, added.stdout) == (0, f"Codeg is registered in {file}; start Codex anew.\n")
    content = file.read_bytes()
    assert content.startswith(CONFIG.encode())
    entry = tomllib.loads(content.decode())["mcp_servers"]["codeg"]
    assert entry["args"] == ["-I", "-m", "companion", "--home", str(rig.home)]
    assert (entry["startup_timeout_sec"], entry["tool_timeout_sec"], entry["required"]) == (20, 600, True)
    assert "default_tools_approval_mode" not in entry
    again = rig.codeg("mcp", "add", "codex")
    assert (again.returncode, again.stdout) == (0, f"Codex has this entry already: {file}.\n")
    shown = rig.codeg("mcp", "show", "codex")
    assert tomllib.loads(shown.stdout)["mcp_servers"]["codeg"] == entry
    assert file.read_bytes() == content
    removed = rig.codeg("mcp", "remove", "codex")
    assert (removed.returncode, removed.stdout) == (0, f"Codeg is taken out of {file}.\n")
    assert file.read_text() == CONFIG


def test_a_projects_file_is_warned_of_on_stderr(rig: Rig) -> None:
    added = rig.codeg("mcp", "add", "qwen", "--scope", "project", "--approve")
    assert added.returncode == 0
    assert "holds a path of this machine and lies in the repository" in added.stderr
    assert "after you approved them" in added.stderr
    entry = json.loads((rig.folder / ".qwen" / "settings.json").read_text())["mcpServers"]["codeg"]
    assert (entry["trust"], entry["timeout"]) == (True, 600_000)


def test_a_broken_file_and_an_unknown_program_are_one_sentence(rig: Rig) -> None:
    file = config(rig)
    file.write_text("model =\n")
    for deed in ("add", "remove"):
        refused = rig.codeg("mcp", deed, "codex")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.startswith(f"codeg: {file}, line 1: ")
        assert refused.stderr.count("\n") == 1
    assert file.read_text() == "model =\n"
    unknown = rig.codeg("mcp", "add", "emacs")
    assert (unknown.returncode, unknown.stderr.count("Traceback")) == (2, 0)
