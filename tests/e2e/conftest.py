"""One rig a test; it leaves no process behind. `shared` is one host for a whole file: tests part by working folders of their own."""

import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.rig import Rig


@contextmanager
def made_rig() -> Generator[Rig]:
    # A short path: socket paths are limited (B27).
    base = Path(tempfile.mkdtemp(prefix="cg-"))
    made = Rig(base)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(base, ignore_errors=True)


@pytest.fixture
def rig() -> Iterator[Rig]:
    with made_rig() as made:
        yield made


@pytest.fixture
def host(rig: Rig) -> Rig:
    """A rig whose host runs."""
    rig.start()
    return rig


@pytest.fixture(scope="module")
def shared() -> Iterator[Rig]:
    """A host that all tests of the file use, each as a session of its own (`Rig.guest`)."""
    with made_rig() as made:
        made.start()
        yield made
