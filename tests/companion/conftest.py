"""A private state directory with a short path, a scripted host in it, and companions that never outlive their test."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.companion.driver import Companion
from tests.fakes.socket_host import SocketHost

Start = Callable[..., Companion]


@pytest.fixture
def home() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="cg-")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def host(home: str) -> Iterator[SocketHost]:
    with SocketHost(home) as found:
        yield found


@pytest.fixture
def start(home: str) -> Iterator[Start]:
    """Starts companions that look for their host in `home`."""
    started: list[Companion] = []

    def begin(*flags: str, **more: Any) -> Companion:
        companion = Companion("--home", home, *flags, **more)
        started.append(companion)
        return companion

    yield begin
    for companion in started:
        companion.close()
