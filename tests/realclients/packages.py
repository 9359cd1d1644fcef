"""The real programs of the suite: pinned npm packages, each in a folder of its own below `.realclients`.

Owns their versions, where they lie, and their installation. Never starts one of them; an installation that is not
possible leaves one sentence beside them, with which the tests are skipped.

    python -m tests.realclients.packages quick|all
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

Tier = Literal["quick", "slow"]
ROOT: Final = Path(__file__).resolve().parents[2]
INSTALL_S: Final = 300
"""Seconds that one installation may take; normal is below 30."""


@dataclass(frozen=True, slots=True)
class Package:
    """`npm`: its name there; `program`: what it brings; `tier`: with which it is installed."""

    npm: str
    version: str
    tier: Tier
    program: str

    @property
    def spec(self) -> str:
        return f"{self.npm}@{self.version}"


PACKAGES: Final[Mapping[str, Package]] = {
    "node22": Package("node", "22.23.3", "quick", "node"),
    "codex": Package("@openai/codex", "0.171.0", "quick", "codex"),
    "claude": Package("@anthropic-ai/claude-code", "2.1.332", "quick", "claude"),
    "claude-acp": Package("@agentclientprotocol/claude-agent-acp", "0.101.0", "quick", "claude-agent-acp"),
    "codex-acp2": Package("@agentclientprotocol/codex-acp", "2.6.0", "quick", "codex-acp"),
    "codex-acp": Package("@zed-industries/codex-acp", "0.16.0", "slow", "codex-acp"),
    "opencode": Package("opencode-ai", "1.18.33", "slow", "opencode"),
    "gemini": Package("@google/gemini-cli", "0.61.0", "slow", "gemini"),
    "qwen": Package("@qwen-code/qwen-code", "0.24.4", "slow", "qwen"),
    "pi-acp": Package("pi-acp", "0.0.34", "slow", "pi-acp"),
    "pi": Package("@earendil-works/pi-coding-agent", "1.6.0", "slow", "pi"),
}


def where() -> Path:
    """`$CODEG_REALCLIENTS`, else `.realclients` in the root of the tree."""
    return Path(os.environ.get("CODEG_REALCLIENTS") or ROOT / ".realclients")


def bin_of(name: str) -> Path:
    """The folder that holds a package's program, installed or not."""
    return where() / name / "node_modules" / ".bin"


def missing(name: str) -> str | None:
    """Why a package cannot be used, as a sentence; None = it is there in its pinned version."""
    stamp, package = where() / name / "installed", PACKAGES[name]
    if _read(stamp) == package.spec and (bin_of(name) / package.program).exists():
        return None
    tier = "quick" if package.tier == "quick" else "all"
    otherwise = f"{package.spec} is not installed; `python -m tests.realclients.packages {tier}` installs it."
    return _read(where() / "reason") or otherwise


def wanted(tier: str) -> list[str]:
    """The names that a tier needs, node first."""
    return [name for name, package in PACKAGES.items() if tier == "all" or package.tier == "quick"]


def install(tier: str) -> str | None:
    """Install what is missing, a line each; the reason when that is not possible."""
    where().mkdir(parents=True, exist_ok=True)
    (where() / "reason").unlink(missing_ok=True)
    lacking = [name for name in wanted(tier) if missing(name) is not None]
    if lacking and (reason := _npm_missing()):
        return _refuse(reason)
    for name in wanted(tier):
        package = PACKAGES[name]
        if name not in lacking:
            print(f"{package.spec} is there", flush=True)
            continue
        failure = _install(name)
        if failure:
            return _refuse(f"{package.spec} could not be installed: {failure}")
        print(f"{package.spec} installed", flush=True)
    return None


def _refuse(reason: str) -> str:
    (where() / "reason").write_text(reason, encoding="utf-8")
    print(reason, flush=True)
    return reason


def _npm_missing() -> str | None:
    if shutil.which("npm"):
        return None
    if sys.platform == "linux" and shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "nodejs", "npm"]):
            _run(["apt-get", *words], ROOT, environment)
    return None if shutil.which("npm") else "npm is not installed, and the real programs come from it."


def _install(name: str) -> str | None:
    """Why not, as a part of a sentence."""
    package, folder = PACKAGES[name], where() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": "realclients", "private": True}), encoding="utf-8")
    patience = ["--fetch-timeout=60000", "--fetch-retries=1"]
    words = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", *patience, package.spec]
    failure = _run(words, folder, {**os.environ, "PATH": with_node(os.environ.get("PATH", ""))})
    if failure is None and not (bin_of(name) / package.program).exists():
        failure = f"it brought no {package.program}."
    if failure is None:
        (folder / "installed").write_text(package.spec, encoding="utf-8")
    return failure


def with_node(path: str) -> str:
    """A PATH on which node is at least 22 where the pinned one is there: some programs run on no older one."""
    return f"{bin_of('node22')}{os.pathsep}{path}" if (bin_of("node22") / "node").exists() else path


def _run(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str | None:
    """None = it went well, else its last line."""
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {INSTALL_S} s."
    except OSError as error:
        return f"{error.strerror}."
    if done.returncode == 0:
        return None
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip() and "complete log" not in line]
    return f"{(said[0] if said else f'exit {done.returncode}')[:300].rstrip('.')}."


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


if __name__ == "__main__":
    if sys.argv[1:] not in (["quick"], ["all"]):
        sys.exit("usage: python -m tests.realclients.packages quick|all")
    install(sys.argv[1])
