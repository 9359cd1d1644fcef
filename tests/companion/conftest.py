"""A private state directory with a short path, a scripted host in it, and companions that never outlive their test."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from codeg.wire.places import Places, places
from companion.options import Options
from tests.companion.driver import Companion
from tests.companion.relays import Rig, bind, write
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


@pytest.fixture
def place(home: str) -> Iterator[Places]:
    found = places(home, "", os.getuid())
    listener = bind(found)
    yield found
    listener.close()


@pytest.fixture
def rig(place: Places, home: str) -> Rig:
    """An injected companion: a token in a file, no hello."""
    write(os.path.join(home, "token"), b"session-token\n")
    options = Options()
    options.home, options.socket_path = home, place.socket
    options.token_file, options.parent_connection_id = os.path.join(home, "token"), "parent-1"
    return Rig(place, options, {"CODEG_MCP_MAX_WAIT_MS": "30000"})


@pytest.fixture
def outside(place: Places, home: str) -> Rig:
    """A registered companion: it finds its host and says hello."""
    options = Options()
    options.home = home
    return Rig(place, options, {"CODEG_MCP_MAX_WAIT_MS": "30000", "CLAUDE_CODE_SESSION_ID": "not-ours"})
