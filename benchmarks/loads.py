"""Many at once: pipelined pings, large requests, waiting calls, a client that does not read, input in small pieces."""

from __future__ import annotations

import json
import os
import time
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.figures import CORE, Figure, Target
from benchmarks.hosts import ask_stub
from benchmarks.measuring import Measurement, Setting
from benchmarks.server import READ_SIZE, Gone, framed, line_of
from codeg.jsonrpc.framing import Splitter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.roster import Peer
    from benchmarks.server import Server

LARGE = 256 * 1024
SOURCE = 'def 이름(self, path: str) -> "str":\n\treturn path.replace("\\\\", "/")  # 경로를 정리합니다\n'
"""Text as agents send it: code with escapes, and letters beyond ASCII."""
WAITS = 100
UNREAD = 4_000


def _pipelined(setting: Setting, peer: Peer) -> Mapping[str, float]:
    amount = int(setting.amount(10_000, 4_000) * peer.share)
    data = b"".join(line_of(number, "ping") for number in range(10, 10 + amount))
    with setting.start(peer) as server:
        server.begin()
        before, began = server.cpu_s(), time.perf_counter()
        server.exchange(data, amount)
        wall, cpu = time.perf_counter() - began, server.cpu_s() - before
    return {"pipelined": wall / amount * 1e7, "pipelined-cpu": cpu / amount * 1e6}


def _large(setting: Setting, peer: Peer) -> Mapping[str, float]:
    amount = setting.amount(200, 50)
    text = SOURCE * (LARGE // len(SOURCE.encode()))
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"pad": text}}, ensure_ascii=False)
    request = line.encode() + b"\n"
    found: dict[str, float] = {}
    for name in ("large-lines", "large-framed"):
        in_frames = name == "large-framed" and peer.frames
        data = (framed(request) if in_frames else request) * amount
        mark = b"Content-Length" if in_frames else b"\n"
        with setting.start(peer) as server:
            server.begin()
            before, began = server.cpu_s(), time.perf_counter()
            server.exchange(data, amount, mark)
            found[name] = len(data) / (time.perf_counter() - began) / 1e6
            if not in_frames:
                found["large-cpu"] = (server.cpu_s() - before) / amount * 1e3
    return found


def _wait(number: int, wait_ms: int) -> bytes:
    arguments = {"task_ids": ["demo-task-000000000000"], "wait_ms": wait_ms}
    return line_of(number, "tools/call", {"name": "get_delegation_status", "arguments": arguments})


def _waits(setting: Setting, peer: Peer) -> Mapping[str, float]:
    """A hundred calls that wait, and pings among them; then a hundred of 50 ms with a ping right behind them.

    A peer that serves one call after another would answer those pings never, and has no such figure.
    """
    found: dict[str, float] = {}
    with setting.start(peer, setting.stub) as server:
        server.begin()
        server.write(b"".join(_wait(number, 0) for number in range(100, 100 + WAITS)))
        if _held_become(setting, WAITS):
            found["waits-ping"] = median(_pings(server))
        found["waits-memory"] = server.memory_mb()
    if not _held_become(setting, 0):
        raise Gone("its waits outlived it")
    return {**found, **_burst(setting, peer)}


def _held_become(setting: Setting, count: int) -> bool:
    """Whether so many waits are held at the stub within 3 s."""
    end = time.monotonic() + 3
    while ask_stub(setting.stub, "held") != count:
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _pings(server: Server) -> list[float]:
    """Milliseconds of twenty pings, one after another."""
    times: list[float] = []
    for number in range(1_000, 1_020):
        began = time.perf_counter()
        answer = server.ask(line_of(number, "ping"))
        times.append((time.perf_counter() - began) * 1e3)
        if json.loads(answer).get("id") != number:
            raise Gone("something else was answered than the ping")
    return times


def _burst(setting: Setting, peer: Peer) -> Mapping[str, float]:
    data = b"".join(_wait(number, 50) for number in range(100, 100 + WAITS)) + line_of(99, "ping")
    with setting.start(peer, setting.stub) as server:
        server.begin()
        server.exchange(data, WAITS + 1)
        began = time.perf_counter()
        server.write(data)
        found, ping = b"", 0.0
        while found.count(b"\n") <= WAITS:
            part = os.read(server.out, READ_SIZE)
            if not part:
                raise Gone("it ended without its answers")
            found += part
            if not ping and b'"id":99,' in found.replace(b'"id":99}', b'"id":99,'):
                ping = time.perf_counter() - began
    return {"burst-ping": ping * 1e3, "burst": (time.perf_counter() - began) * 1e3}


def _unread(setting: Setting, peer: Peer) -> Mapping[str, float]:
    first = 10
    data = b"".join(line_of(number, "tools/list") for number in range(first, first + UNREAD))
    with setting.start(peer) as server:
        server.begin()
        before = server.memory_mb("VmRSS")
        taken = server.swallow(data, setting.amount(10, 2))
        grown = server.memory_mb() - before
        answers = server.exchange(data[taken:], UNREAD)
        answered = sorted(json.loads(line)["id"] for line in answers.splitlines())
        alive = json.loads(server.ask(line_of(1, "ping")))["id"] == 1
    whole = alive and answered == list(range(first, first + UNREAD))
    return {"unread-memory": grown, "unread-answered": float(len(set(answered))) if whole else 0.0}


def _pieces(setting: Setting, _peer: Peer) -> Mapping[str, float]:
    """How the splitter's cost grows from 64 KiB to 1 MiB, in both framings; the worse one counts."""
    found: dict[str, float] = {}
    for name, size in (("pieces-1", 1), ("pieces-64", 64), ("pieces-4096", 4_096)):
        if size > 1 or not setting.quick:
            found[name] = max(_cut(1 << 20, size, block) / _cut(1 << 16, size, block) for block in (False, True))
    return found


def _cut(length: int, size: int, in_frames: bool) -> float:
    """Seconds of processor time for one message of `length` bytes; short runs are repeated, for the clock's sake."""
    line = b'{"text":"' + b"x" * (length - 12) + b'"}\n'
    data = framed(line) if in_frames else line
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    repeats = max(1, 30_000 // len(pieces))
    began = time.process_time()
    for _ in range(repeats):
        splitter = Splitter()
        items = [item for piece in pieces for item in splitter.feed(piece)]
        assert len(items) == 1
    return (time.process_time() - began) / repeats


_LINEAR = (Target(20),)
MEASUREMENTS = (
    Measurement(
        (
            Figure("pipelined", "ms", "P3", (Target(0.25, CORE),)),
            Figure("pipelined-cpu", "µs"),
        ),
        _pipelined,
        rounds=3,
    ),
    Measurement(
        (
            Figure("large-lines", "MB/s", "P3", (Target(1.6, CORE, at_least=True),)),
            Figure("large-framed", "MB/s", "P3", (Target(1.6, CORE, at_least=True),)),
            Figure("large-cpu", "ms"),
        ),
        _large,
        rounds=3,
    ),
    Measurement(
        (
            Figure("waits-memory", "MB", "P2", (Target(0.35, CORE),)),
            Figure("waits-ping", "ms", "P5", (Target(5),)),
            Figure("burst-ping", "ms", "P5", (Target(5),)),
            Figure("burst", "ms"),
        ),
        _waits,
        rounds=3,
    ),
    Measurement(tuple(Figure(f"pieces-{size}", "×", "P6", _LINEAR) for size in (1, 64, 4096)), _pieces, only_ours=True),
    Measurement(
        (
            Figure("unread-memory", "MB", "P7", (Target(8),)),
            Figure("unread-answered", "", "P7", (Target(UNREAD, at_least=True),)),
        ),
        _unread,
        rounds=1,
        quick_rounds=1,
    ),
)
