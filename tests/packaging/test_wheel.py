"""The wheel carries what it needs: built, installed in a new environment, and used for the main job from there."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from codeg.wire.version import VERSION

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(part) for part in command], env=env, cwd=cwd, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a new environment that holds the wheel; its dependencies are lent from ours."""
    base = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", base)
    python = base / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return base / "bin"


def test_the_wheel_holds_the_tool_schema_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "companion/tool_schema.json" in names
    assert {"codeg/keeper/__main__.py", "codeg/demo/__main__.py", "codeg/cli/__main__.py"} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_main_job_runs_from_the_installed_wheel(installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    code = "import codeg, companion; print(codeg.__file__, companion.__file__)"
    assert str(ROOT) not in run(installed / "python", "-I", "-c", code, cwd=folder)
    home = tmp_path / "h"
    out = run(installed / "codeg", "run", "--json", "--home", home, "@demo survey\n@demo todos", env=env, cwd=folder)
    events = [json.loads(line) for line in out.splitlines()]
    assert events[-1]["event"] == "end"
    assert events[-1]["ok"] is True
    assert sorted(task["status"] for task in events[-1]["tasks"]) == ["completed", "completed"]
    assert "1 text files, 1 lines." in events[-1]["text"]
    assert run(installed / "codeg-mcp", "--version", env=env, cwd=folder).strip().endswith(VERSION)


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()
