"""Who takes part: our companion and its peers, how each is started, what is installed for them, why one is missing.

Everything that is fetched lands in a folder outside the tree, which only this user may write.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import CORE, MINIMAL, OURS, PYTHON, TYPESCRIPT

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
TOOLS = HERE.parent / "tool_schema.json"
SDK = "@modelcontextprotocol/sdk"
SDK_VERSION = "1.32.2"
NPM_S = 180


@dataclass(frozen=True)
class Place:
    """Where a host listens, and the file with the token for it; "" for a peer that has no host."""

    socket: str = ""
    token_file: str = ""
    home: str = ""


@dataclass(frozen=True)
class Peer:
    """One program.

    `command`: what starts it. `last`: behind the arguments that all peers get. `frames`: it reads header blocks too.
    `share`: the part of a heavy load that it is given.
    """

    name: str
    version: str
    command: tuple[str, ...]
    last: tuple[str, ...] = ()
    frames: bool = False
    share: float = 1.0

    def argv(self, place: Place) -> list[str]:
        """The command line for a host at `place`."""
        if self.name != OURS:
            return [*self.command, str(TOOLS), place.socket, "token", *self.last]
        flags = ["--home", place.home]
        if place.token_file:
            flags += ["--socket-path", place.socket, "--token-file", place.token_file]
            flags += ["--parent-connection-id", "bench"]
        return [*self.command, *flags]


class Missing(Exception):
    """A peer cannot take part. Its text is the reason."""


def gather(folder: Path | None, core: Path | None) -> tuple[list[Peer], list[str]]:
    """The peers that can take part, ours first, and a sentence for each that cannot."""
    peers = [Peer(OURS, importlib.metadata.version("codeg"), (sys.executable, "-I", "-m", "companion"), frames=True)]
    absent: list[str] = []
    cache = folder or Path(tempfile.gettempdir()) / f"codeg-bench-{os.getuid()}"
    finders = (
        (CORE, lambda: _core(core)),
        (MINIMAL, _minimal),
        (TYPESCRIPT, lambda: _typescript(cache)),
        (PYTHON, _python),
    )
    for name, find in finders:
        try:
            peers.append(find())
        except (Missing, OSError, subprocess.SubprocessError) as error:
            absent.append(f"{name} is left out: {error}")
    return peers, absent


def _core(module: Path | None) -> Peer:
    if module is None:
        raise Missing("no --core was given")
    if not module.is_file():
        raise Missing(f"{module} is no file")
    node, version = _node()
    argv = (node, str(HERE / "peers" / "core.mjs"))
    return Peer(CORE, f"node {version}", argv, last=(str(module.resolve()),), frames=True)


def _minimal() -> Peer:
    node, version = _node()
    return Peer(MINIMAL, f"node {version}", (node, str(HERE / "peers" / "minimal.mjs")))


def _typescript(cache: Path) -> Peer:
    node, _ = _node()
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    if cache.stat().st_uid != os.getuid():
        raise Missing(f"{cache} belongs to another user; name a folder with --peers")
    manifest = cache / "node_modules" / SDK / "package.json"
    if not manifest.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Missing("npm is not installed")
        flags = ["--prefix", str(cache), "--no-audit", "--no-fund", "--silent"]
        done = subprocess.run([npm, "install", *flags, f"{SDK}@{SDK_VERSION}"], check=False, timeout=NPM_S)
        if done.returncode or not manifest.exists():
            raise Missing(f"npm could not install {SDK} (exit code {done.returncode}); is there a network?")
    # A module finds its packages from where it lies.
    for name in ("relay.mjs", "typescript_sdk.mjs"):
        shutil.copyfile(HERE / "peers" / name, cache / name)
    version = json.loads(manifest.read_text("utf-8"))["version"]
    return Peer(TYPESCRIPT, version, (node, str(cache / "typescript_sdk.mjs")))


def _python() -> Peer:
    try:
        version = importlib.metadata.version("mcp")
    except importlib.metadata.PackageNotFoundError:
        raise Missing("the package mcp is not installed (it is one of the dev extra)") from None
    return Peer(PYTHON, version, (sys.executable, "-I", str(HERE / "peers" / "python_sdk.py")), share=0.1)


def _node() -> tuple[str, str]:
    """The real executable, since the shim of a version manager would be measured with it, and its version."""
    found = shutil.which("node")
    if found is None:
        raise Missing("node is not installed")
    path, version = _output([found, "-p", "process.execPath + '\\n' + process.version"]).split()
    return path, version


def _output(argv: Sequence[str]) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=30).stdout
