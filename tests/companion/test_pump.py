"""One turn of the loop, without a process: what goes out first, and what is left undone once nobody reads."""

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from codeg.jsonrpc.framing import Splitter
from companion.link import START_HOST, Access, Link, Unreachable
from companion.options import Options
from companion.output import Diary
from companion.pump import Pump
from tests.companion.cores import Bench

DELEGATION = {"name": "delegate_to_agent", "arguments": {"agent_type": "codex", "task": "t", "idempotency_key": "k"}}


class NoHost(Link):
    """Asked for a host, it notes what the client can read by then."""

    def __init__(self, reader: int) -> None:
        super().__init__(Options(), {"CODEG_TOKEN": "t"}, os.getuid())
        self.reader = reader
        self.read: list[bytes] = []

    def given(self) -> Access:
        try:
            self.read.append(os.read(self.reader, 65_536))
        except BlockingIOError:
            self.read.append(b"")
        raise Unreachable("host_unavailable", START_HOST)


class SilentHost(Link):
    """A host that takes connections and answers nothing."""

    def __init__(self, path: str) -> None:
        super().__init__(Options(), {"CODEG_TOKEN": "t"}, os.getuid())
        self.path = path

    def given(self) -> Access:
        return Access(self.path, "t", "p")


class Turn:
    """A pump on a pipe of ours. `serve`: one turn with these messages as one piece of input."""

    def __init__(self, link: Link | None = None, idle_ms: int = 0) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.null = os.open(os.devnull, os.O_WRONLY)
        self.link = NoHost(self.reader)
        self.bench = Bench()
        options = Options()
        options.idle_timeout_ms = idle_ms
        diary = Diary(self.null)
        self.pump = Pump(self.bench.core, link or self.link, diary, options, environment={}, out_fd=self.writer)

    def serve(self, *messages: dict[str, Any]) -> None:
        lines = b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)
        self.pump._backlog.extend(Splitter().feed(lines))
        self.pump._work()

    def pass_time(self, seconds: float) -> None:
        self.pump._timers.run(self.pump._timers.now + seconds)
        self.pump._work()

    def close(self) -> None:
        for fd in (self.reader, self.writer, self.null):
            if fd >= 0:
                os.close(fd)


@pytest.fixture
def turn() -> Iterator[Turn]:
    found = Turn()
    yield found
    found.close()


def calls(count: int) -> list[dict[str, Any]]:
    return [{"id": at, "method": "tools/call", "params": DELEGATION} for at in range(count)]


def test_a_ping_behind_a_hundred_calls_is_written_before_any_of_them_is_carried_out(turn: Turn) -> None:
    """P5: connecting them all takes long."""
    turn.serve(*calls(100), {"id": "p", "method": "ping"}, {"id": "l", "method": "tools/get"})
    first = [json.loads(line) for line in turn.link.read[0].splitlines()]
    assert [answer["id"] for answer in first] == ["p", "l"]
    assert len(turn.link.read) == 100
    answers = [json.loads(line) for line in os.read(turn.reader, 1 << 20).splitlines()]
    assert [answer["id"] for answer in answers] == list(range(100))


def test_once_nobody_reads_calls_of_the_same_turn_never_reach_the_host(turn: Turn) -> None:
    os.close(turn.reader)
    turn.reader = -1
    turn.serve(*calls(2), {"id": "p", "method": "ping"})
    assert turn.link.read == []
    assert turn.pump._over()


def test_the_idle_timer_runs_only_while_no_call_is_open(home: str) -> None:
    path = os.path.join(home, "silent.sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(4)
        turn = Turn(SilentHost(path), idle_ms=300)
        turn.serve({"id": 0, "method": "tools/call", "params": {**DELEGATION, "_meta": {"progressToken": 1}}})
        turn.pass_time(9)
        assert turn.pump._ending == ""
        turn.serve({"method": "notifications/cancelled", "params": {"requestId": 0}})
        turn.pass_time(0.29)
        assert turn.pump._ending == ""
        turn.pass_time(0.02)
        assert turn.pump._ending == "idle_timeout"
        # What tells the host of the cancel is given up.
        turn.pass_time(2)
        turn.close()


@pytest.mark.parametrize("ending", ["stdin_eof", "idle_timeout"])
def test_an_open_subscription_does_not_hold_up_the_end(turn: Turn, ending: str) -> None:
    """Claude Code keeps one open all the time; its closing result is made by the end itself."""
    turn.serve({"id": "l", "method": "subscriptions/listen", "params": {"notifications": {}}})
    os.read(turn.reader, 65_536)
    if ending == "stdin_eof":
        turn.pump._stop_reading()
    else:
        turn.pump._end(ending)
    assert not turn.pump._over()
    assert turn.pump._wait_s() == 0
    turn.pump._work()
    assert json.loads(os.read(turn.reader, 65_536))["id"] == "l"
    assert turn.pump._over()
    assert turn.pump._ending == ending


def test_with_nothing_to_do_it_waits_without_end(turn: Turn) -> None:
    """P17: no wake-up of its own."""
    turn.serve(*calls(3), {"id": "p", "method": "ping"}, {"id": "l", "method": "tools/list"})
    turn.pass_time(0)
    assert turn.pump._wait_s() is None
