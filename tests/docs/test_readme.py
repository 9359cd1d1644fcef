"""What the README shows is what the code says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from codeg.broker.transitions import mermaid
from codeg.store.settings import Settings, load_settings
from tests.realclients.matrix import read
from tests.realclients.tables import with_tables

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORBIDDEN = re.compile(r"https?://[^ \"')]*/(?:simple|packages)/|index-url|registry *= *\"?http")


def test_the_state_diagram_is_generated_from_the_table() -> None:
    block = README.split("compared by a test -->\n")[1].split("<!-- end of state diagram")[0]
    assert block == f"```mermaid\n{mermaid()}```\n"


def test_the_tables_of_the_real_programs_are_those_of_the_last_whole_run() -> None:
    assert with_tables(README, read()) == README


def test_the_readme_names_the_two_commands_and_they_exist() -> None:
    assert "./dev run" in README
    assert "./dev test" in README
    assert (ROOT / "dev").stat().st_mode & 0o111
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("exec ./dev test")


def test_every_command_of_the_readme_is_known_to_the_command_line() -> None:
    helped = subprocess.run(
        [sys.executable, "-I", "-m", "codeg.cli", "--help"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    named = set(re.findall(r"^codeg (\w+)", README, re.MULTILINE))
    assert named
    assert not [name for name in named if name not in helped]


def test_links_of_the_documents_lead_somewhere() -> None:
    for document in (
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "benchmarks").glob("*.md")),
    ):
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("pattern", ["*.toml", "*.txt", "*.md", "dev", "*.json"])
def test_no_registry_address_is_recorded(pattern: str) -> None:
    for path in ROOT.glob(pattern):
        assert not FORBIDDEN.search(path.read_text(encoding="utf-8")), path.name
    assert not (ROOT / "uv.lock").exists() or "uv.lock" in (ROOT / ".gitignore").read_text()


def test_the_settings_of_the_guide_are_the_defaults(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```toml\n(.*?)```", guide, re.DOTALL) if "[delegation]" in b)
    (tmp_path / "settings.toml").write_text(block, encoding="utf-8")
    assert load_settings(str(tmp_path / "settings.toml")) == Settings()
