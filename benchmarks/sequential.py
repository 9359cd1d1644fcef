"""One request after another: start, memory, ping, relayed calls."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.figures import BARE, CORE, OURS, PYTHON, Figure, Target
from benchmarks.measuring import Measurement, Setting, percentile
from benchmarks.roster import Peer
from benchmarks.server import Server, line_of

if TYPE_CHECKING:
    from collections.abc import Mapping

FLOOR = Peer(BARE, "", (sys.executable, "-I", "-S", "-c", "pass"))
CALL = {"name": "get_delegation_status", "arguments": {"task_ids": ["demo-task-000000000000"]}}


def _start(setting: Setting, peer: Peer) -> Mapping[str, float]:
    if peer.name == BARE:
        return _bare(peer)
    found: dict[str, float] = {}
    with setting.start(peer) as server:
        server.initialize()
        found["start"] = (time.perf_counter() - server.started) * 1e3
        server.ask(line_of(1, "tools/list"))
        found["start-cpu"] = server.cpu_s() * 1e3
        server.ask(line_of(2, "ping"))
        found["memory-idle"] = server.memory_mb()
        found["exit"] = server.leave() * 1e3
    with setting.start(peer, setting.stub if peer.name == OURS else None) as server:
        server.begin()
        found["start-cpu-host"] = server.cpu_s() * 1e3
    return found


def _bare(peer: Peer) -> Mapping[str, float]:
    """The interpreter's own start and end, which no companion in Python can beat."""
    began = time.perf_counter()
    process = subprocess.Popen(peer.command, cwd="/")
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = (usage.ru_utime + usage.ru_stime) * 1e3
    memory = usage.ru_maxrss * 1024 / 1e6
    return {"start": wall * 1e3, "start-cpu": cpu, "start-cpu-host": cpu, "memory-idle": memory}


def _ping(setting: Setting, peer: Peer) -> Mapping[str, float]:
    with setting.start(peer) as server:
        server.begin()
        times, cpu = _one_by_one(server, line_of(7, "ping"), setting.amount(1_500, 400))
        return {"ping": median(times), "ping-p99": percentile(times, 99), "ping-cpu": cpu}


def _relay(setting: Setting, peer: Peer) -> Mapping[str, float]:
    call = line_of(7, "tools/call", CALL)
    amount = setting.amount(600, 200)
    with setting.start(peer, setting.stub) as server:
        server.begin()
        times, cpu = _one_by_one(server, call, amount)
    found = {"relay": median(times), "relay-p99": percentile(times, 99), "relay-cpu": cpu}
    if peer.name != OURS:
        # Peers have no real host of theirs: through the trivial one is what ours through the real one is held against.
        found["relay-host"] = found["relay"]
    elif setting.real is not None:
        with setting.start(peer, setting.real) as server:
            server.begin()
            found["relay-host"] = median(_one_by_one(server, call, amount // 2)[0])
    return found


def _one_by_one(server: Server, line: bytes, amount: int) -> tuple[list[float], float]:
    """Microseconds of each round trip, and processor time of one; the first fifth warms up and is not counted."""
    for _ in range(amount // 5):
        server.ask(line)
    times: list[float] = []
    before = server.cpu_s()
    for _ in range(amount):
        began = time.perf_counter()
        server.ask(line)
        times.append((time.perf_counter() - began) * 1e6)
    return times, (server.cpu_s() - before) / amount * 1e6


MEASUREMENTS = (
    Measurement(
        (
            Figure("start", "ms", "P1", (Target(0.30, CORE), Target(0.04, PYTHON))),
            Figure("start-cpu", "ms", "P1", (Target(0.25, CORE),)),
            Figure("start-cpu-host", "ms", "P1", (Target(0.25, CORE),)),
            Figure("memory-idle", "MB", "P2", (Target(0.30, CORE),)),
            Figure("exit", "ms"),
        ),
        _start,
        rounds=9,
        quick_rounds=3,
        guests=(FLOOR,),
    ),
    Measurement(
        (
            Figure("ping", "µs", "P3", (Target(0.75, CORE),)),
            Figure("ping-p99", "µs"),
            Figure("ping-cpu", "µs", "P3", (Target(0.35, CORE),)),
        ),
        _ping,
    ),
    Measurement(
        (
            Figure("relay", "µs", "P4", (Target(0.75, CORE),)),
            Figure("relay-p99", "µs"),
            Figure("relay-cpu", "µs", "P4", (Target(0.45, CORE),)),
            Figure("relay-host", "µs", "P4", (Target(1.2, CORE),)),
        ),
        _relay,
    ),
)
