"""How the process ends: in time, having answered what it could, at next to no cost (contract 4; B07, B23)."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.companion.conftest import Start
from tests.companion.driver import INITIALIZE, MODERN_META, Companion
from tests.fakes.socket_host import SocketHost

pytestmark = pytest.mark.e2e

RUNNING = {"task_id": "codex-do-0123456789ab", "status": "running", "agent_type": "codex"}
# The contract's 2 s, with room for a loaded machine; what is measured is that it ends by itself.
SOON = 5


def open_waits(companion: Companion, host: SocketHost, count: int = 5) -> None:
    for at in range(count):
        companion.call(f"w{at}", "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0})
    for _ in range(count):
        host.take("status")


def cpu_after(companion: Companion, before: float) -> float:
    """CPU since a moment, read from the kernel while the process may already be a zombie."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        with open(f"/proc/{companion.process.pid}/stat", "rb") as file:
            state = file.read().rpartition(b")")[2].split()[0]
        if state == b"Z":
            return companion.cpu_s() - before
        os.sched_yield()
    raise AssertionError("the companion is still running")


def test_at_the_end_of_stdin_all_that_was_read_is_answered(start: Start, host: SocketHost) -> None:
    """B07: initialize, tools/list, a delegation and a long wait, then the end."""
    host.on("call", lambda _request: RUNNING)
    companion = start(*host.inject())
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        call(3, "delegate_to_agent", {"agent_type": "codex", "task": "t"}),
        call(4, "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0}),
    ]
    companion.write(b"\n".join(json.dumps(message).encode() for message in messages))
    companion.end_input()
    while True:
        pending = host.take("status")
        if "wait_ms" not in pending.request:
            pending.reply({"tasks": [RUNNING]})
            break
    answers = {answer["id"]: answer["result"] for answer in companion.rest()}
    assert sorted(answers) == [1, 2, 3, 4]
    assert answers[3]["structuredContent"]["task_id"] == RUNNING["task_id"]
    assert answers[4]["structuredContent"]["tasks"][0]["status"] == "running"
    assert companion.wait(SOON) == 0


def test_a_listing_that_waits_for_the_host_is_answered_before_the_end(start: Start, host: SocketHost) -> None:
    del host.handlers["catalog"]
    companion = start(*host.inject())
    companion.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    companion.end_input()
    host.take("catalog")
    (answer,) = companion.rest()
    assert len(answer["result"]["tools"]) == 6
    assert companion.wait(SOON) == 0


def call(call_id: Any, tool: str, arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": call_id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


@pytest.mark.parametrize("ending", ["stdin", "SIGTERM", "SIGINT"])
def test_open_waits_are_answered_with_the_present_and_the_process_ends(
    start: Start, host: SocketHost, ending: str
) -> None:
    companion = start(*host.inject())
    companion.start()
    open_waits(companion, host)
    host.on("status", lambda _request: {"tasks": [RUNNING]})
    before = companion.cpu_s()
    if ending == "stdin":
        companion.end_input()
    else:
        companion.process.send_signal(getattr(signal, ending))
    answers = companion.rest()
    assert sorted(answer["id"] for answer in answers) == [f"w{at}" for at in range(5)]
    assert not any(answer["result"]["isError"] for answer in answers)
    assert cpu_after(companion, before) < 0.2
    assert companion.wait(SOON) == 0


@pytest.mark.parametrize("ending", ["stdin", "SIGTERM", "stdout"])
def test_a_set_up_that_the_host_does_not_finish_is_cancelled_there(start: Start, host: SocketHost, ending: str) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "t", "idempotency_key": "k"})
    pending = host.take("call")
    if ending == "stdin":
        companion.end_input()
    elif ending == "SIGTERM":
        companion.process.terminate()
    else:
        assert companion.process.stdout is not None
        companion.process.stdout.close()
    cancel = host.take("cancel")
    assert cancel.request["external_handle"] == pending.request["external_handle"]
    cancel.reply(None)
    assert companion.wait(SOON) == 0


@pytest.mark.parametrize("stderr", ["open", "closed"])
def test_a_broken_stdout_ends_it_without_spinning(start: Start, host: SocketHost, stderr: str) -> None:
    reader, writer = os.pipe()
    companion = start(*host.inject(), stderr=writer)
    os.close(writer)
    companion.start()
    open_waits(companion, host)
    before = companion.cpu_s()
    if stderr == "closed":
        os.close(reader)
    assert companion.process.stdout is not None
    companion.process.stdout.close()
    assert cpu_after(companion, before) < 0.2
    assert companion.wait(SOON) == 0
    if stderr == "open":
        assert b"output_error" in os.read(reader, 65_536)
        os.close(reader)


def test_a_closed_stderr_alone_is_no_end(start: Start) -> None:
    reader, writer = os.pipe()
    companion = start(stderr=writer)
    os.close(writer)
    os.close(reader)
    companion.start()
    before = companion.cpu_s()
    for at in range(50):
        companion.request(at, "ping")
        companion.answer(at)
    assert companion.cpu_s() - before < 0.2
    assert companion.process.poll() is None


def test_the_end_of_stdin_behind_a_stuck_stdout_is_noticed(start: Start) -> None:
    companion = start()
    companion.start()
    companion.fill(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    before = companion.cpu_s()
    companion.end_input()
    assert cpu_after(companion, before) < 0.2
    assert companion.wait(SOON) == 0


def test_the_death_of_the_parent_ends_it_although_somebody_holds_the_pipe(start: Start, host: SocketHost) -> None:
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as parent:
        companion = start(*host.inject(), "--parent-pid", str(parent.pid))
        companion.start()
        open_waits(companion, host)
        host.on("status", lambda _request: {"tasks": [RUNNING]})
        before = companion.cpu_s()
        parent.kill()
        parent.wait()
        assert len(companion.rest()) == 5
        assert cpu_after(companion, before) < 0.2
    assert companion.wait(SOON) == 0
    assert "parent_exit" in companion.log()


def test_a_parent_that_is_gone_already_ends_it_at_once(start: Start) -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as parent:
        parent.wait()
        companion = start("--parent-pid", str(parent.pid))
        assert companion.wait(SOON) == 0
    assert "parent_exit" in companion.log()


def test_idleness_ends_it(start: Start, host: SocketHost) -> None:
    """All is written before the interpreter is up, so that no idle moment comes before the end of the call."""
    companion = start(*host.inject(), "--idle-timeout-ms", "100")
    listen = {"_meta": MODERN_META, "notifications": {}}
    companion.send(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "id": "listen", "method": "subscriptions/listen", "params": listen},
        call(2, "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0}),
    )
    host.take("status").reply({"tasks": [RUNNING]})
    answers = companion.rest()
    assert [answer["id"] for answer in answers if "id" in answer] == [1, 2, "listen"]
    assert answers[2]["result"]["isError"] is False
    assert companion.wait(SOON) == 0
    assert "idle_timeout" in companion.log()


def test_without_an_idle_timeout_it_does_not_wake_up_by_itself(start: Start, host: SocketHost) -> None:
    """P17: with a lease held and nothing to do, the kernel counts no voluntary switch."""
    host.on("feedback", lambda _request: {"count": 0, "feedback": []})
    companion = start()
    companion.start()
    companion.call(1, "check_user_feedback")
    companion.result(1)
    companion.request(2, "ping")
    companion.result(2)
    # What the call left behind (its closed connection, its last lines) is over once two moments are alike.
    settled = -1
    deadline = time.monotonic() + SOON
    while settled != (settled := switches(companion)) and time.monotonic() < deadline:
        assert companion.is_quiet(0.2)
    assert companion.is_quiet(0.5)
    assert switches(companion) == settled


def switches(companion: Companion) -> int:
    with open(f"/proc/{companion.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))


def test_an_io_error_that_is_not_a_peer_gone_away_exits_1(start: Start) -> None:
    folder = os.open("/", os.O_RDONLY)
    companion = start(stdin=folder)
    os.close(folder)
    assert companion.wait(SOON) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full device is needed")
def test_a_full_disk_exits_1(start: Start) -> None:
    with open("/dev/full", "wb") as full:
        companion = start(stdout=full)
    companion.request(1, "ping")
    assert companion.wait(SOON) == 1
    assert "output_error" in companion.log()


@pytest.mark.parametrize("flags", ["", "--version"])
def test_without_a_stdout_there_is_nobody_to_serve(flags: str) -> None:
    command = f'exec "{sys.executable}" -I -m companion {flags} >&-'
    done = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=10, check=False
    )
    assert done.returncode == 1
    assert b"standard output" in done.stderr
    assert b"internal error" not in done.stderr


def test_help_for_a_reader_that_has_gone_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        command = [sys.executable, "-I", "-m", "companion", "--help"]
        done = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, timeout=10, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_stdin_it_ends_and_without_a_stderr_it_serves() -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -I -m companion <&-'], capture_output=True, timeout=10, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    command = f'exec "{sys.executable}" -I -m companion 2>&-'
    done = subprocess.run(["sh", "-c", command], input=ping, stdout=subprocess.PIPE, timeout=10, check=True)
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}
