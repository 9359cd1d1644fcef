"""One rig a test; it leaves no process behind."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import Rig


@pytest.fixture
def rig() -> Iterator[Rig]:
    # A short path: socket paths are limited (B27).
    base = Path(tempfile.mkdtemp(prefix="cg-"))
    made = Rig(base)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(base, ignore_errors=True)


@pytest.fixture
def host(rig: Rig) -> Rig:
    """A rig whose host runs."""
    rig.start()
    return rig
