"""A host and its command line on Windows, over fakes of the system's calls: one owner, closed folders, whose pipe it is."""

import os
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from anyio.to_thread import run_sync

from codeg.runtime import client_windows
from codeg.runtime.answering import Answering
from codeg.runtime.client import START, HostUnavailable, OperatorClient
from codeg.runtime.client_windows import FLAGS, GENERIC_READ_WRITE, ForeignHost, PipeBusy, dial_pipe
from codeg.runtime.discovery import LOCK_NAME, Endpoint, EndpointError, HostRunning
from codeg.runtime.endpoint_windows import WindowsEndpoint, folder_rights, open_windows_endpoint
from codeg.runtime.listener import Listener
from codeg.runtime.logs import without_secrets
from codeg.runtime.tokens import Tokens
from codeg.store.store import Store
from codeg.wire.discovery import parse
from tests.fakes.fake_pipes import USER_SID, FakePipes
from tests.fakes.fake_windows import FakeDialer, FakeFolders
from tests.fakes.stub_services import StubParts

pytestmark = pytest.mark.anyio


@pytest.fixture
def folders() -> Iterator[FakeFolders]:
    made = FakeFolders()
    yield made
    made.died()


# ---- the endpoint


def test_a_host_says_by_which_pipe_it_is_reached_and_takes_that_back(tmp_path: Path, folders: FakeFolders) -> None:
    run = tmp_path / "run"
    with open_windows_endpoint(str(tmp_path), "", folders) as endpoint:
        promise: Endpoint = endpoint
        told = parse((run / "broker.json").read_bytes())
        assert (told.pid, told.socket, told.token) == (os.getpid(), promise.record.socket, promise.record.token)
        assert told.socket.startswith("\\\\.\\pipe\\codeg-")
        assert told.socket.isascii()
        assert told.token not in without_secrets(f"x {told.token}")
        assert promise.tokens_folder == str(run / "tokens")
        assert promise.descriptor_limit > 0
        assert (run / LOCK_NAME).read_text() == f"{os.getpid()}\n"
        Path(promise.tokens_folder, "left.token").touch()
    assert sorted(entry.name for entry in run.iterdir()) == [LOCK_NAME, "tokens"]
    assert list((run / "tokens").iterdir()) == []


def test_both_folders_are_this_users_alone_also_when_they_were_there(tmp_path: Path, folders: FakeFolders) -> None:
    wanted = dict.fromkeys((str(tmp_path / "run"), str(tmp_path / "run" / "tokens")), folder_rights(USER_SID))
    for _ in range(2):
        folders.rights.clear()
        with open_windows_endpoint(str(tmp_path), "", folders):
            assert folders.rights == wanted
    assert folder_rights("S-1") == "O:S-1D:P(A;OICI;FA;;;S-1)(A;OICI;FA;;;SY)"


def test_a_folder_that_is_a_link_or_another_users_is_left_alone(tmp_path: Path, folders: FakeFolders) -> None:
    run = str(tmp_path / "run")
    os.mkdir(run)
    folders.owners[run] = "S-1-5-21-other"
    with pytest.raises(EndpointError, match="another user"), open_windows_endpoint(str(tmp_path), "", folders):
        pass
    folders.links.add(run)
    with pytest.raises(EndpointError, match="link"), open_windows_endpoint(str(tmp_path), "", folders):
        pass
    assert folders.rights == {}
    assert os.listdir(run) == []


def test_a_second_host_is_told_who_runs_and_changes_nothing(tmp_path: Path, folders: FakeFolders) -> None:
    with open_windows_endpoint(str(tmp_path), "", folders) as first:
        with pytest.raises(HostRunning) as told, open_windows_endpoint(str(tmp_path), "", FakeFolders()):
            pass
        assert told.value.pid == os.getpid()
        assert parse((tmp_path / "run" / "broker.json").read_bytes()).token == first.record.token


def test_a_record_that_a_later_host_wrote_is_left(tmp_path: Path, folders: FakeFolders) -> None:
    with open_windows_endpoint(str(tmp_path), "", folders):
        (tmp_path / "run" / "broker.json").write_text("{}")
    assert (tmp_path / "run" / "broker.json").read_text() == "{}"


def test_what_the_system_refuses_is_one_sentence(tmp_path: Path, folders: FakeFolders) -> None:
    (tmp_path / "run" / LOCK_NAME).mkdir(parents=True)
    with pytest.raises(EndpointError, match=r"^The host cannot be made reachable: .+\.$"):
        open_windows_endpoint(str(tmp_path), "", folders).__enter__()
    with pytest.raises(EndpointError, match="absolute"):
        open_windows_endpoint("x", "", folders).__enter__()


# ---- the command line's end


@asynccontextmanager
async def serving(home: Path, folders: FakeFolders) -> AsyncGenerator[tuple[WindowsEndpoint, FakeDialer]]:
    """The whole door behind the endpoint's own server."""
    pipes = FakePipes()
    with open_windows_endpoint(str(home), "", folders, lambda: pipes) as endpoint:
        tokens = Tokens(endpoint.tokens_folder, endpoint.record.token)
        # What rights do there, modes must do here: the client checks both.
        os.chmod(home / "run", 0o700)
        os.chmod(home / "run" / "broker.json", 0o600)
        with Store.open(str(home / "codeg.db")) as store:
            listener = Listener(Answering(StubParts(str(home), store).services, tokens), tokens)
            async with anyio.create_task_group() as group:
                await group.start(listener.run, endpoint.server())
                yield endpoint, FakeDialer(pipes)
                group.cancel_scope.cancel()
    pipes.close_all()


def asker(home: Path, dialer: FakeDialer) -> Callable[..., Any]:
    client = OperatorClient(str(home), pipes=dialer)

    async def ask(op: str, **fields: Any) -> Any:
        with anyio.fail_after(10):
            return await run_sync(lambda: client.request(op, **fields))

    return ask


async def test_a_command_reaches_the_host_by_its_pipe(tmp_path: Path, folders: FakeFolders) -> None:
    async with serving(tmp_path, folders) as (endpoint, dialer):
        ask = asker(tmp_path, dialer)
        assert await ask("raise") == {"raised": False, "kind": "serve", "pid": os.getpid()}
        assert (await ask("show", task_id="x"))["status"] == "unknown"
        assert dialer.opened == [(endpoint.record.socket, GENERIC_READ_WRITE, FLAGS)] * 2
        assert dialer.closed == 2


async def test_nothing_is_sent_to_a_pipe_of_another_user(tmp_path: Path, folders: FakeFolders) -> None:
    async with serving(tmp_path, folders) as (_, dialer):
        dialer.server = "S-1-5-21-other"
        with pytest.raises(HostUnavailable, match="another user"):
            await asker(tmp_path, dialer)("raise")
        assert dialer.closed == 1


async def test_a_pipe_that_is_gone_is_no_host(tmp_path: Path, folders: FakeFolders) -> None:
    async with serving(tmp_path, folders) as (_, dialer):
        dialer.pipes = FakePipes()
        with pytest.raises(HostUnavailable, match=START):
            await asker(tmp_path, dialer)("raise")


async def test_a_busy_pipe_is_tried_again_until_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    dialer = FakeDialer(FakePipes())
    tries: list[str] = []

    def busy(name: str, _access: int, _flags: int) -> str:
        tries.append(name)
        if len(tries) < 3:
            raise PipeBusy(231, "busy")
        return "handle"

    monkeypatch.setattr(dialer, "open", busy)
    dial_pipe("name", dialer, 5.0)
    assert len(tries) == 3
    assert all(0 < wait <= 5_000 for wait in dialer.waits)
    tries.clear()
    now = iter([0.0, 1.0, 6.0])
    monkeypatch.setattr(client_windows, "time", SimpleNamespace(monotonic=lambda: next(now)))
    with pytest.raises(TimeoutError):
        dial_pipe("name", dialer, 5.0)
    assert dialer.waits[-1] == 4_000


async def test_an_end_whose_server_cannot_be_known_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    dialer = FakeDialer(FakePipes())

    def opened(*_: object) -> str:
        return "handle"

    monkeypatch.setattr(dialer, "open", opened)
    closed: list[str] = []
    monkeypatch.setattr(dialer, "close", closed.append)
    dialer.server = "S-1-5-21-other"
    with pytest.raises(ForeignHost):
        dial_pipe("name", dialer, 5.0)

    def gone(_: Any) -> str:
        raise PermissionError(5, "access is denied")

    monkeypatch.setattr(dialer, "server_sid", gone)
    with pytest.raises(PermissionError):
        dial_pipe("name", dialer, 5.0)
    assert closed == ["handle", "handle"]
