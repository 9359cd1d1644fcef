"""Says in one JSON line what it was given: descriptors, arguments, folder, environment, blocked signals, session."""

import json
import os
import sys
from typing import Any


def contents(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


status = dict(line.split(":\t", 1) for line in contents("/proc/self/status").splitlines() if ":\t" in line)
numbers = [int(name) for name in os.listdir("/proc/self/fd")]
seen: dict[str, Any] = {
    "descriptors": sorted(number for number in numbers if os.path.exists(f"/proc/self/fd/{number}")),
    "argv": sys.argv[1:],
    "cwd": os.getcwd(),
    "env": dict(os.environ),
    "blocked": int(status["SigBlk"], 16),
    "session": os.getsid(0) == os.getpid(),
    "keeper_cmdline": contents(f"/proc/{os.getppid()}/cmdline"),
}
os.write(1, json.dumps(seen).encode() + b"\n")
os.read(0, 1)
