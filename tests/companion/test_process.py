"""The real process, by bytes: framing, unicode, sizes, purity, the command line (contract 4; B02, B03, B04, B33)."""

import json
import os
import random
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.companion.conftest import Start
from tests.companion.driver import INITIALIZE, Companion

pytestmark = pytest.mark.e2e

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def framed(payload: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload)


def read_frame(companion: Companion) -> dict[str, Any]:
    """One framed answer from the raw output."""
    data = b""
    while True:
        head, blank, rest = data.partition(b"\r\n\r\n")
        if blank:
            length = int(head.removeprefix(b"Content-Length: "))
            if len(rest) >= length:
                assert len(rest) == length
                return json.loads(rest)
        more = companion.read_some()
        assert more, "the companion ended"
        data += more


def test_a_line_is_answered_by_a_line(start: Start) -> None:
    companion = start()
    companion.write(PING + b"\n")
    assert companion.line() == b'{"jsonrpc":"2.0","id":1,"result":{}}'


def test_a_frame_is_answered_by_a_frame_and_framings_may_alternate(start: Start) -> None:
    companion = start()
    companion.write(framed(PING))
    assert read_frame(companion)["result"] == {}
    companion.write(PING + b"\n")
    assert companion.read()["result"] == {}
    companion.write(framed(b"{"))
    assert read_frame(companion)["error"]["code"] == -32700


def test_crlf_and_blank_lines_are_accepted_and_no_cr_is_written(start: Start) -> None:
    companion = start(env={"LANG": "C", "PYTHONUTF8": "0"})
    companion.write(
        b"\r\n\n" + PING + b"\r\n" + json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).encode() + b"\r\n"
    )
    assert companion.read()["id"] == 1
    assert companion.read()["id"] == 2
    assert b"\r" not in companion.seen


def test_only_byte_0a_ends_a_line(start: Start) -> None:
    companion = start()
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf"
    companion.write(json.dumps({"jsonrpc": "2.0", "id": text, "method": "ping"}, ensure_ascii=False).encode() + b"\n")
    assert companion.read()["id"] == text


def test_an_undecodable_line_costs_that_line_alone(start: Start) -> None:
    companion = start()
    companion.write(b"\xff\xfe\n" + PING + b"\n")
    broken = companion.read()
    assert broken["id"] is None
    assert broken["error"]["code"] == -32700
    assert companion.read()["id"] == 1
    assert companion.process.poll() is None


@pytest.mark.parametrize("line", [b"{", b'"abc', b'{"a" 1}', b"[1,", b"nul", b'{"a":1}}', b'{"a":"\\x"}'])
def test_the_first_line_may_be_malformed_in_any_way(start: Start, line: bytes) -> None:
    """In a process of its own: what the test runner has loaded hides faults of a bare interpreter."""
    companion = start()
    companion.write(line + b"\n" + PING + b"\n")
    assert companion.read()["error"]["code"] in (-32700, -32600)
    assert companion.read()["id"] == 1


def test_arguments_that_look_like_json_and_are_not_are_named(start: Start) -> None:
    companion = start()
    companion.call(1, "get_delegation_status", {"task_ids": ["a"], "wait_ms": '{"a'})
    assert companion.result(1)["structuredContent"]["error_code"] == "invalid_arguments"


@pytest.mark.parametrize("pieces", ["one byte", "random"])
def test_bytes_may_be_split_anywhere(start: Start, pieces: str) -> None:
    companion = start()
    chance = random.Random(7)
    ids = ["ü😀漢", "a" * 300, 7]
    stream = b""
    for at, call_id in enumerate(ids):
        payload = json.dumps({"jsonrpc": "2.0", "id": call_id, "method": "ping"}, ensure_ascii=False).encode()
        stream += framed(payload) if at == 1 else payload + b"\n"
    while stream:
        size = 1 if pieces == "one byte" else chance.randint(1, 50)
        os.write(companion.into, stream[:size])
        stream = stream[size:]
    assert companion.read()["id"] == ids[0]
    head = companion.line()
    assert head.startswith(b"Content-Length: ")
    assert companion.line() == b"\r"
    answer, _, _rest = companion.line().partition(b"}{")
    assert json.loads(answer + b"}" if _rest else answer)["id"] == ids[1]


def test_a_line_over_32_mib_is_refused_and_the_connection_stays(start: Start) -> None:
    companion = start()
    before = companion.memory_kb()
    block = b"A" * (1024 * 1024)
    for _ in range(70):
        companion.write(block)
    companion.write(b"\n" + PING + b"\n")
    refused = companion.read()
    assert refused["id"] is None
    assert refused["error"]["code"] == -32700
    assert companion.read()["id"] == 1
    assert companion.memory_kb("VmHWM") - before < 72 * 1024


def test_a_header_block_without_a_good_length_costs_one_error(start: Start) -> None:
    companion = start()
    companion.write(b"Content-Length: -5\r\n\r\n" + framed(PING))
    data = b""
    while data.count(b"jsonrpc") < 2:
        more = companion.read_some()
        assert more, "the companion ended"
        data += more
    assert data.count(b"-32700") == 1
    assert b'"result":{}' in data


def test_start_up_noise_never_reaches_stdout(start: Start) -> None:
    noise = {
        "PYTHONWARNINGS": "always",
        "PYTHONVERBOSE": "1",
        "PYTHONDEVMODE": "1",
        "PYTHONSTARTUP": "/nope",
        "CODEG_LOG": "debug",
    }
    companion = start("--features", "ask,nonsense", env=noise)
    companion.start()
    for at in range(20):
        companion.write(b"{malformed %d\n" % at)
        assert companion.read()["error"]["code"] == -32700
    companion.call(1, "ask_user_question", {"question_id": "q"})
    assert companion.answer(1)["result"]["isError"]
    companion.process.terminate()
    assert companion.rest() == []
    assert companion.wait() == 0
    assert "nonsense" in companion.log()


def test_nothing_in_the_working_directory_is_imported(start: Start, tmp_path: Path) -> None:
    for name in ("json", "re", "enum", "signal", "heapq", "os", "companion", "codeg", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(77)\n", encoding="utf-8")
    companion = start(cwd=str(tmp_path), env={"PYTHONPATH": str(tmp_path)})
    companion.start()
    companion.call(1, "check_user_feedback")
    assert companion.answer(1)["result"]["isError"]


def test_it_needs_nothing_of_its_parents_environment(home: str) -> None:
    command = [sys.executable, "-I", "-m", "companion", "--home", home]
    done = subprocess.run(command, input=PING + b"\n", capture_output=True, env={}, timeout=10, check=True)
    assert json.loads(done.stdout)["id"] == 1


@pytest.mark.parametrize(
    ("argv", "code", "out", "err"),
    [
        (["--version"], 0, "codeg-mcp 0.1.0\n", ""),
        (["--help"], 0, "--socket-path", ""),
        (["--nope"], 2, "", "--nope"),
        (["--parent-pid", "x"], 2, "", "--parent-pid"),
        (["--idle-timeout-ms"], 2, "", "--idle-timeout-ms"),
    ],
)
def test_the_command_line_speaks_to_a_person(argv: list[str], code: int, out: str, err: str) -> None:
    command = [sys.executable, "-I", "-m", "companion", *argv]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == code
    assert out in done.stdout
    assert err in done.stderr
    assert "Traceback" not in done.stderr


def test_lifecycle_lines_carry_no_arguments(start: Start) -> None:
    companion = start()
    companion.start()
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "hunter2"})
    companion.answer(1)
    companion.write(b"hunter2\n")
    companion.read()
    companion.end_input()
    assert companion.wait() == 0
    log = companion.log()
    assert "hunter2" not in log
    words = [line.removeprefix("codeg-mcp: ").split()[0] for line in log.splitlines()]
    assert words[0] == "stdio_started"
    assert words[-1] == "stdio_stopped"
    assert {"request", "response", "parse_error"} <= set(words)


def test_unread_stderr_blocks_nothing(start: Start) -> None:
    reader, writer = os.pipe()
    companion = start(stderr=writer)
    os.close(writer)
    for at in range(60):
        companion.write(b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % (at * 100 + n) for n in range(100)))
        for n in range(100):
            assert companion.read()["id"] == at * 100 + n
    os.close(reader)
    companion.write(PING + b"\n")
    assert companion.read()["id"] == 1
    companion.end_input()
    assert companion.wait() == 0


def test_a_socket_pair_serves_as_stdin_and_stdout(start: Start) -> None:
    ours, theirs = socket.socketpair()
    with ours:
        companion = start(stdin=theirs, stdout=theirs)
        theirs.close()
        ours.settimeout(10)
        ours.sendall(PING + b"\n")
        assert json.loads(ours.recv(1000))["id"] == 1
        ours.shutdown(socket.SHUT_WR)
        assert companion.wait() == 0


def test_files_serve_as_stdin_and_stdout(start: Start, tmp_path: Path) -> None:
    init = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE}).encode()
    (tmp_path / "in").write_bytes(init + b"\n" + PING)
    with open(tmp_path / "in", "rb") as source, open(tmp_path / "out", "wb") as target:
        companion = start(stdin=source, stdout=target)
        assert companion.wait() == 0
    answers = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1]


def test_dev_null_as_stdin_is_the_end(start: Start) -> None:
    companion = start(stdin=subprocess.DEVNULL)
    assert companion.rest() == []
    assert companion.wait() == 0


def test_an_unterminated_last_line_is_served(start: Start) -> None:
    companion = start()
    companion.write(PING)
    companion.end_input()
    assert [answer["id"] for answer in companion.rest()] == [1]
    assert companion.wait() == 0


def test_a_peer_that_stops_reading_is_waited_for_and_recovers(start: Start) -> None:
    companion = start()
    companion.start()
    before = companion.memory_kb()
    sent = companion.fill(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    assert sent
    assert companion.memory_kb("VmHWM") - before < 8 * 1024
    for _ in range(sent):
        companion.read()
    companion.request("after", "ping")
    assert companion.answer("after")["result"] == {}
