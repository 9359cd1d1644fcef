"""Field reports on the wire, with companion, host and agents real (B02-B07, B15, B23, B33, B35, B39)."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.e2e.socket_peer import connect, receive
from tests.support import Lines, until

pytestmark = pytest.mark.e2e
HELLO: Json = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "rig", "version": "1"}}


def messages(*calls: tuple[str, Json], end: bytes = b"\n") -> bytes:
    """A whole conversation: initialize, then these requests with the ids 2, 3 …"""
    asked = [("initialize", HELLO), *calls]
    lines = [{"jsonrpc": "2.0", "id": at, "method": method, "params": p} for at, (method, p) in enumerate(asked, 1)]
    return b"".join(json.dumps(line).encode() + end for line in lines)


def tool(name: str, **arguments: object) -> tuple[str, Json]:
    return "tools/call", {"name": name, "arguments": arguments}


def replies(output: bytes) -> dict[object, Json]:
    """What was answered, by id; every line is one JSON-RPC object, and no id is answered twice."""
    found: dict[object, Json] = {}
    for line in output.splitlines():
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        if "id" in message and message["id"] is not None:
            assert message["id"] not in found
            found[message["id"]] = message
    return found


@pytest.fixture
def companion(shared: Rig, tmp_path: Path) -> Companion:
    return shared.guest(tmp_path / "work")


def sleeping(companion: Companion, folder: Path) -> tuple[str, Path]:
    """A task at work, and the gate that lets it end."""
    gate, began = folder / "gate", folder / "began"
    task = companion.delegate("custom:fake", f"@touch {began} @wait {gate} @say done")["task_id"]
    until(began.exists, "the child works")
    return task, gate


def whole_text(companion: Companion, task: str) -> str:
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        report = companion.status(task, result_offset=offset, max_bytes=100_001)[0]
        pieces.append(report["text"])
        offset = report.get("next_offset")
    return "".join(pieces)


def test_b02_an_undecodable_line_costs_itself_alone_in_mid_work(companion: Companion, tmp_path: Path) -> None:
    task, gate = sleeping(companion, tmp_path)
    wait = companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0)
    assert companion.process.stdin is not None
    companion.process.stdin.write(b'\xff\xfe\n{"jsonrpc":"2.0","id":9\xff}\n')
    companion.process.stdin.flush()
    assert companion.ask("ping", {})["result"] == {}
    assert companion.process.poll() is None
    gate.touch()
    assert companion.answer(wait)["result"]["structuredContent"]["tasks"][0]["text"] == "done"


def test_b02_characters_arrive_whatever_pieces_they_come_in(shared: Rig, companion: Companion) -> None:
    odd, long = "漢 🙂 é \u202e 𝔘", "漢字仮名交じり文🙂" * 8_000
    bytewise = companion.delegate("custom:fake", f"@chars {odd}")["task_id"]
    assert companion.wait(bytewise)["text"] == odd
    task = companion.delegate("custom:fake", f"@say {long}")["task_id"]
    companion.wait(task)
    assert whole_text(companion, task) == long
    assert shared.codeg("task", "result", task).stdout == long


@pytest.mark.parametrize(
    "environment", [{"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_b03_lines_may_end_in_crlf_and_none_of_ours_does(shared: Rig, environment: dict[str, str]) -> None:
    asked = messages(
        ("tools/list", {}), tool("delegate_to_agent", agent_type="custom:fake", task="@say ü\r\nb"), end=b"\r\n"
    )
    done = shared.pipe(asked, **environment)
    assert b"\r" not in done.stdout
    answered = replies(done.stdout)
    assert set(answered) == {1, 2, 3}
    assert answered[3]["result"]["structuredContent"]["status"] in {"running", "queued"}


def test_b04_stdout_holds_nothing_but_messages_whatever_happens(rig: Rig) -> None:
    rig.settings("broken = [")
    (rig.home / "config" / "agents.toml").write_text("also [ broken")
    noise = b"".join([b"{\n", b"null\n", b"[]\n", b'"x"\n', b"\x00\n", b"{}\n", b"<a>\n"] * 3)
    asked = messages(tool("delegate_to_agent", agent_type="demo", task="x")) + noise
    loud = {"PYTHONWARNINGS": "always", "PYTHONVERBOSE": "2", "PYTHONDEVMODE": "1", "CODEG_LOG": "debug"}
    done = rig.pipe(asked, "--features", "delegation,nonsense", **loud)
    assert set(replies(done.stdout)) == {1, 2}
    assert done.returncode == 0
    # And when it is ended by a signal with its input still open.
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "companion", "--home", str(rig.home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**rig.env, **loud},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(asked)
    process.stdin.flush()
    lines = Lines(process.stdout.fileno())
    first = lines.next()
    process.send_signal(signal.SIGTERM)
    rest = process.stdout.read()
    assert process.wait(20) == 0
    process.stdin.close()
    process.stdout.close()
    assert first is not None
    assert 1 in replies(first + b"\n" + lines.held + rest)


def test_b06_with_twenty_waits_open_everything_else_is_served(companion: Companion, tmp_path: Path) -> None:
    task, gate = sleeping(companion, tmp_path)
    waits = [companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0) for _ in range(20)]
    calls = [companion.send("ping", {}), companion.send("tools/list", {})]
    other = companion.delegate("custom:fake", "@sleep 600")["task_id"]
    canceled = companion.call("cancel_delegation", task_id=other)["structuredContent"]
    assert canceled["status"] == "canceled" or canceled["stopping"] is True
    for call in calls:
        assert "result" in companion.answer(call)
    assert companion.status(task)[0]["status"] == "running"
    gate.touch()
    for wait in waits:
        assert companion.answer(wait)["result"]["structuredContent"]["tasks"][0]["status"] == "completed"
    companion.wait(other)


def test_b07_whatever_was_read_before_the_end_of_input_is_answered(shared: Rig, tmp_path: Path) -> None:
    # The same folder and name: the piped companion speaks for the identity that its predecessor left.
    first = shared.companion()
    task, gate = sleeping(first, tmp_path)
    first.close()
    asked = messages(
        ("tools/list", {}),
        tool("delegate_to_agent", agent_type="custom:fake", task="@say quick"),
        tool("get_delegation_status", task_ids=[task], wait_ms=0),
        tool("get_delegation_status", task_ids=[task], wait_ms=60_000),
    )
    done = shared.pipe(asked)
    answered = replies(done.stdout)
    assert (done.returncode, set(answered)) == (0, {1, 2, 3, 4, 5})
    assert answered[3]["result"]["structuredContent"]["task_id"]
    for wait in (4, 5):
        assert answered[wait]["result"]["structuredContent"]["tasks"][0]["status"] == "running"
    gate.touch()
    assert shared.companion().wait(task)["text"] == "done"


@pytest.mark.parametrize("asked", [-1, 0, 1, 600_000, 10**12, "30000", None])
def test_b15_whatever_wait_is_asked_the_answer_comes_within_the_cap_as_a_success(
    shared: Rig, tmp_path: Path, asked: object
) -> None:
    shared.env["CODEG_MCP_MAX_WAIT_MS"] = "250"
    try:
        companion = shared.guest(tmp_path / "work")
    finally:
        del shared.env["CODEG_MCP_MAX_WAIT_MS"]
    task, gate = sleeping(companion, tmp_path)
    result = companion.call("get_delegation_status", task_ids=[task], wait_ms=asked)
    assert not result.get("isError"), result
    assert result["structuredContent"]["tasks"][0]["status"] == "running"
    assert not companion.notifications, "progress without a token"
    gate.touch()
    companion.wait(task)


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("ending", ["stdin closed", "stdout and stderr broken"])
def test_b23_a_companion_with_five_waits_open_ends_with_its_peer(
    shared: Rig, companion: Companion, tmp_path: Path, ending: str
) -> None:
    task, gate = sleeping(companion, tmp_path)
    waits = [companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0) for _ in range(5)]
    assert companion.ask("ping", {})["result"] == {}
    process = companion.process
    assert process.stdin is not None
    assert process.stdout is not None
    before = processor_s(process.pid)
    if ending == "stdin closed":
        process.stdin.close()
        for wait in waits:
            assert companion.answer(wait)["result"]["structuredContent"]["tasks"][0]["status"] == "running"
    else:
        process.stdout.close()
        gate.touch()
    # `waitid` leaves the dead process to be looked at.
    until(lambda: os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT), "the companion ends")
    assert processor_s(process.pid) - before < 0.2
    assert process.wait() == 0
    gate.touch()
    later = shared.companion(cwd=tmp_path / "work")
    assert later.wait(task)["text"] == "done"


def peak_kib(pid: int) -> int:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])


def test_b33_a_peer_without_an_end_costs_itself_alone_and_little_memory(shared: Rig, companion: Companion) -> None:
    assert shared.host is not None
    before = peak_kib(shared.host.pid)
    endless = companion.delegate("custom:fake", "@endless")["task_id"]
    opened = companion.delegate("custom:fake", '@raw {"jsonrpc":"2.0","method": @endless')["task_id"]
    answers: list[Json] = []

    def flood() -> None:
        with connect(shared) as peer:
            with contextlib.suppress(OSError):
                for _ in range(2_000):
                    peer.sendall(b"A" * 65_536)
            answers.append(receive(peer))

    attacker = threading.Thread(target=flood)
    attacker.start()
    beside = companion.delegate("custom:fake", "@say beside")["task_id"]
    assert companion.wait(beside)["text"] == "beside"
    attacker.join(20)
    assert [answer["error"]["code"] for answer in answers] == ["too_large"]
    for task in (endless, opened):
        done = companion.wait(task)
        assert (done["status"], done["error_code"]) == ("failed", "subagent_error"), done
        assert done["message"]
    # One message of an agent may be 64 MiB; what is over that is the report's 32 MiB.
    assert peak_kib(shared.host.pid) - before < (64 + 32) * 1024


def test_b35_fifty_megabytes_on_stderr_stop_nothing_and_are_not_kept(shared: Rig, companion: Companion) -> None:
    assert shared.host is not None
    task = companion.delegate("custom:fake", "@stderr 52428800 @say OK")["task_id"]
    assert companion.wait(task)["text"] == "OK"
    failing = companion.delegate("custom:fake", "@stderr 300000 @exit 3")["task_id"]
    done = companion.wait(failing)
    assert "leaving now" in done["message"]
    assert len(done["message"]) < 20_000


def test_b39_what_models_send_as_text_is_understood_where_it_has_one_meaning(companion: Companion) -> None:
    task = companion.delegate("custom:fake", "@say one", working_dir=None, idempotency_key=None, a_new_field=[1])[
        "task_id"
    ]
    companion.wait(task)
    for ids in (task, [task], json.dumps([task])):
        result = companion.call("get_delegation_status", task_ids=ids, wait_ms="3000", result_offset=None)
        assert not result.get("isError"), result
        assert [report["task_id"] for report in result["structuredContent"]["tasks"]] == [task]
    whole = companion.ask(
        "tools/call", {"name": "get_delegation_status", "arguments": json.dumps({"task_ids": [task]})}
    )
    assert whole["result"]["structuredContent"]["tasks"][0]["text"] == "one"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("get_delegation_status", {"task_ids": ["x"], "wait_ms": "soon"}, ("wait_ms", "soon", "whole number")),
        ("get_delegation_status", {"task_ids": []}, ("task_ids", "list")),
        ("get_delegation_status", {"taskIds": ["x"]}, ("task_ids", "taskIds")),
        ("get_delegation_status", {"task_ids": ["x", 5]}, ("task_ids[1]", "5")),
        ("cancel_delegation", {}, ("task_id",)),
        ("delegate_to_agent", {"agent_type": "demo", "task": {"a": 1}}, ("task", "text")),
        ("ask_user_question", {"questions": "what?"}, ("questions", "what?")),
        ("ask_user_question", {"questions": [{"question": "q"}]}, ("questions[0].",)),
    ],
)
def test_b39_any_other_mistake_is_a_result_that_names_field_and_what_it_takes(
    companion: Companion, name: str, arguments: Json, words: tuple[str, ...]
) -> None:
    result = companion.call(name, **arguments)
    assert result["isError"] is True
    text = result["content"][0]["text"] + json.dumps(result["structuredContent"])
    assert "invalid_arguments" in text
    assert not [word for word in words if word not in text], text
