"""Which real programs there are, and what is said when they cannot be had. Installs nothing."""

import os
from pathlib import Path

import pytest

from tests.realclients import packages
from tests.realclients.packages import PACKAGES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEG_REALCLIENTS", str(tmp_path / "programs"))
    return tmp_path / "programs"


def put(name: str, spec: str) -> None:
    program = packages.bin_of(name) / PACKAGES[name].program
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexit 0\n")
    (packages.where() / name / "installed").write_text(spec)


def test_a_package_is_there_only_in_its_pinned_version(folder: Path) -> None:
    assert "is not installed" in (packages.missing("codex") or "")
    put("codex", "@openai/codex@0.1.0")
    assert packages.missing("codex")
    (folder / "codex" / "installed").write_text(PACKAGES["codex"].spec)
    assert packages.missing("codex") is None


def test_without_npm_the_reason_is_kept_for_the_tests(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    reason = packages.install("quick")
    assert reason == "npm is not installed, and the real programs come from it."
    assert packages.missing("codex") == reason


def test_an_installation_that_fails_is_told_by_its_first_words(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text("#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    reason = packages.install("quick")
    assert reason == "node@22.23.3 could not be installed: npm error code ENOTFOUND."
    assert packages.missing("claude") == reason


def test_what_is_there_is_not_installed_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in packages.wanted("quick"):
        put(name, PACKAGES[name].spec)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert packages.install("quick") is None


def test_each_tier_brings_node_first() -> None:
    assert packages.wanted("quick")[0] == packages.wanted("all")[0] == "node22"
    assert set(packages.wanted("quick")) < set(packages.wanted("all")) == set(PACKAGES)
