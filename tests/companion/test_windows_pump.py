"""The threaded loop of Windows, as far as another system can run it: without a host, on pipes."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.companion.driver import INITIALIZE

pytestmark = pytest.mark.e2e

PROGRAM = """
import os, sys
from companion import options, schema
from companion.mcp import Core
from companion.output import Diary
from companion.windows_pump import run
diary = Diary(2)
given = options.parse(sys.argv[1:], {})
core = Core(schema.Toolbox(schema.load(), given.features, ["codex"]), diary.note)
os._exit(run(core, given, diary, 1))
"""


def serve(lines: list[bytes], *flags: str, expect: int = 0) -> list[dict[str, Any]]:
    command = [sys.executable, "-I", "-c", PROGRAM, *flags]
    done = subprocess.run(command, input=b"\n".join(lines), capture_output=True, timeout=20, check=False)
    assert done.returncode == expect, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def request(call_id: Any, method: str, params: Any = None) -> bytes:
    body = {"jsonrpc": "2.0", "id": call_id, "method": method}
    return json.dumps(body if params is None else {**body, "params": params}).encode()


def test_it_serves_the_same_protocol_and_ends_with_its_input(home: str) -> None:
    answers = serve(
        [
            request(1, "initialize", INITIALIZE),
            b"\xff",
            request(2, "tools/list"),
            request(3, "tools/call", {"name": "check_user_feedback"}),
            request(4, "ping"),
        ],
        "--home",
        home,
    )
    found = {answer["id"]: answer for answer in answers}
    assert found[None]["error"]["code"] == -32700
    assert found[1]["result"]["protocolVersion"] == "2025-11-25"
    assert len(found[2]["result"]["tools"]) == 6
    assert found[3]["result"]["structuredContent"]["error_code"] == "host_unavailable"
    assert found[4]["result"] == {}


def test_it_ends_when_idle(home: str) -> None:
    command = [sys.executable, "-I", "-c", PROGRAM, "--home", home, "--idle-timeout-ms", "200"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert b"idle_timeout" in process.stderr.read()


def test_it_ends_when_nobody_reads(home: str) -> None:
    command = [sys.executable, "-I", "-c", PROGRAM, "--home", home]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.close()
        process.stdin.write(request(1, "ping") + b"\n")
        process.stdin.flush()
        assert process.wait(20) == 0
