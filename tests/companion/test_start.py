"""What the start may load and hold: the budget behind P1 and P2, in counts rather than milliseconds."""

import subprocess
import sys

import pytest

from tests.companion.conftest import Start
from tests.fakes.socket_host import SocketHost

pytestmark = pytest.mark.e2e

# The script's own flags stand behind it in sys.argv, where the companion reads its own.
PROGRAM = """
import os, sys
before = set(sys.modules)
real = os._exit
def told(code):
    os.write(2, ("LOADED " + " ".join(sorted(set(sys.modules) - before)) + "\\n").encode())
    real(code)
os._exit = told
import runpy
runpy.run_module("companion", run_name="__main__")
"""
HEAVY = {
    "anyio", "argparse", "asyncio", "dataclasses", "email", "hashlib", "inspect", "json", "logging", "pathlib", "pydantic",
    "random", "re", "selectors", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "typing", "uuid",
}  # fmt: skip
MEMORY_KB = 13_000
"""0.30 of the 43 MB of the reference core (P2)."""


def test_until_the_tools_of_a_running_host_are_listed_nothing_heavy_is_loaded(home: str, host: SocketHost) -> None:
    requests = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
    )
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{PROGRAM}", "--home", home]
    done = subprocess.run(command, input=requests, capture_output=True, timeout=20, check=True)
    assert done.stdout.count(b'"result"') == 2
    assert host.kinds() == ["catalog"]
    (line,) = [line for line in done.stderr.decode().splitlines() if line.startswith("LOADED ")]
    loaded = {name.split(".")[0] for name in line.split()[1:]}
    assert not loaded & HEAVY
    assert {name for name in line.split() if name.startswith("codeg.")} <= {
        "codeg.jsonrpc", "codeg.jsonrpc.calls", "codeg.jsonrpc.codec", "codeg.jsonrpc.framing", "codeg.jsonrpc.messages",
        "codeg.wire", "codeg.wire.discovery", "codeg.wire.frames", "codeg.wire.places",
        "codeg.wire.requests", "codeg.wire.version",
    }  # fmt: skip


def test_an_idle_companion_is_small(start: Start, host: SocketHost) -> None:
    companion = start()
    companion.start()
    companion.request(1, "tools/list")
    companion.result(1)
    assert host.kinds() == ["catalog"]
    assert companion.memory_kb("VmHWM") < MEMORY_KB
