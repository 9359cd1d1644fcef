"""The hosts that calls are relayed to: none, the trivial stub, or the real `codeg serve`.

Each is a context manager that gives its `Place`, a folder of its own that is closed to others, and ends the process.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.roster import Place

if TYPE_CHECKING:
    from collections.abc import Generator

STUB = Path(__file__).resolve().parent / "stub.py"
READY_S = 20.0


class NoHost(Exception):
    """The host did not start. Its text is the reason."""


@contextmanager
def no_host() -> Generator[Place]:
    """A state directory without a host."""
    with tempfile.TemporaryDirectory(prefix="codeg-bench-") as folder:
        yield Place(home=folder)


@contextmanager
def stub_host() -> Generator[Place]:
    """The trivial host of `stub.py`."""
    with tempfile.TemporaryDirectory(prefix="codeg-bench-") as folder:
        place = Place(os.path.join(folder, "stub.sock"), os.path.join(folder, "token"), folder)
        with open(os.open(place.token_file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write("token")
        with _running([sys.executable, "-I", "-S", str(STUB), place.socket]):
            yield place


@contextmanager
def real_host() -> Generator[Place]:
    """`codeg serve` with an empty state directory; its companion finds it by discovery.

    Raises:
        NoHost: it printed no ready line within 20 s.
    """
    serve = [sys.executable, "-I", "-m", "codeg.cli", "serve", "--home"]
    with tempfile.TemporaryDirectory(prefix="codeg-bench-") as folder, _running([*serve, folder]) as ready:
        yield Place(socket=json.loads(ready)["socket"], home=folder)


@contextmanager
def _running(argv: list[str]) -> Generator[str]:
    """A program until the context is left, and its first line."""
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", text=True
    )
    assert process.stdout is not None
    try:
        ready = process.stdout.readline() if select.select([process.stdout], [], [], READY_S)[0] else ""
        if not ready:
            process.kill()
            lines = process.communicate()[1].splitlines()
            raise NoHost(lines[-1] if lines else f"no ready line within {READY_S:.0f} s")
        yield ready
    finally:
        process.terminate()
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def ask_stub(place: Place, kind: str) -> Any:
    """One request to the stub and its outcome."""
    body = json.dumps({"kind": kind, "v": 1, "token": "token"}).encode()
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(place.socket)
        sock.sendall(len(body).to_bytes(4, "little") + body)
        found = b""
        while part := sock.recv(65_536):
            found += part
    return json.loads(found[4:])["outcome"]
