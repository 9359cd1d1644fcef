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
from benchmarks.server import Gone, Server, line_of

if TYPE_CHECKING:
    from collections.abc import Mapping

FLOOR = Peer(BARE, "", (sys.executable, "-I", "-S", "-c", "pass"))
TASK = "demo-task-000000000000"


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
    with setting.start(peer, setting.stub) as server:
        server.begin()
        times, cpu = _one_by_one(server, _status(TASK), setting.amount(600, 200))
    return {"relay": median(times), "relay-p99": percentile(times, 99), "relay-cpu": cpu}


def _relay_host(setting: Setting, peer: Peer) -> Mapping[str, float]:
    """Ours through the real host, about a task that it has done; peers through the trivial one, having no other."""
    if peer.name == OURS and setting.real is None:
        return {}
    with setting.start(peer, setting.real if peer.name == OURS else setting.stub) as server:
        server.begin()
        task = _done(server, setting.real.home) if setting.real and peer.name == OURS else TASK
        times, _ = _one_by_one(server, _status(task), setting.amount(400, 150))
    return {"relay-host": median(times)}


def _status(task: str, wait_ms: int | None = None) -> bytes:
    arguments = {"task_ids": [task]} if wait_ms is None else {"task_ids": [task], "wait_ms": wait_ms}
    return line_of(7, "tools/call", {"name": "get_delegation_status", "arguments": arguments})


def _done(server: Server, folder: str) -> str:
    """The id of a task that the demo agent has completed.

    Raises:
        Gone: it did not.
    """
    arguments = {"agent_type": "demo", "task": "survey", "working_dir": folder}
    begun = server.answer(line_of(6, "tools/call", {"name": "delegate_to_agent", "arguments": arguments}), 6)
    task = begun["result"]["structuredContent"].get("task_id", "")
    ended = server.answer(_status(task, wait_ms=30_000), 7)
    if not task or ended["result"]["structuredContent"]["tasks"][0]["status"] != "completed":
        raise Gone(f"the host completed no task: {begun} {ended}")
    return task


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
        ),
        _relay,
    ),
    Measurement((Figure("relay-host", "µs", "P4", (Target(1.2, CORE),)),), _relay_host),
)
