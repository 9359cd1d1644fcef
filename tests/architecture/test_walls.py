"""Who may import whom: the contracts of pyproject.toml, and what a fresh interpreter really loads."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"asyncio", "anyio", "pydantic", "sqlite3", "argparse", "logging", "dataclasses", "typing", "uuid", "PySide6"}
ROOMS = {
    "codeg.broker",
    "codeg.sessions",
    "codeg.store",
    "codeg.runtime",
    "codeg.cli",
    "codeg.api",
    "codeg.demo",
    "codeg.wire.models",
}


def test_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def _loaded(module: str) -> set[str]:
    code = f"import sys, {module}; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=30, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module", ["companion.__main__", "codeg.wire.frames", "codeg.jsonrpc.framing", "codeg.wire.places"]
)
def test_the_companions_path_loads_next_to_nothing(module: str) -> None:
    before = _loaded("site")
    loaded = _loaded(module) - before
    assert not {name for name in loaded if name.split(".")[0] in HEAVY}
    assert not {name for name in loaded for room in ROOMS if name == room or name.startswith(room + ".")}


def test_the_package_root_imports_nothing() -> None:
    assert "import" not in (ROOT / "codeg" / "__init__.py").read_text().replace("imports", "")


@pytest.mark.parametrize("room", ["codeg.broker.ledger", "codeg.jsonrpc.framing"])
def test_pure_rooms_load_alone(room: str) -> None:
    loaded = _loaded(room)
    assert not {"asyncio", "anyio", "pydantic", "sqlite3", "socket", "subprocess"} & loaded
