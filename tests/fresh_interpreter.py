"""What a statement loads in an interpreter of its own, and what the companion's path must never load."""

import subprocess
import sys

HEAVY = {
    "anyio",
    "argparse",
    "asyncio",
    "dataclasses",
    "enum",
    "hashlib",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "pydantic",
    "re",
    "socket",
    "sqlite3",
    "subprocess",
    "typing",
    "uuid",
}


def loaded(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return set(done.stdout.split())
