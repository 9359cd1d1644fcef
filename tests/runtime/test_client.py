"""The operator's client: it finds the host, trusts nothing that is not this user's alone, and says clearly what is wrong."""

import os
import shutil
import socket
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import anyio
import pytest
from anyio.to_thread import run_sync

from codeg.broker.codes import Status
from codeg.runtime.client import START, HostUnavailable, OperatorClient
from codeg.runtime.peers import Peer
from codeg.runtime.services import UserError
from codeg.store.records import SaveTask
from codeg.wire import frames, requests
from codeg.wire.discovery import Discovery, dump
from codeg.wire.places import places
from tests.fakes.stub_services import view_of
from tests.runtime.door_rig import HOST_TOKEN, Door, open_door, settle

pytestmark = pytest.mark.anyio


def announce(home: Path, socket_path: str) -> Path:
    """What a host leaves in its run folder."""
    run = home / "run"
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    record = run / "broker.json"
    record.touch(mode=0o600)
    record.write_bytes(dump(Discovery(os.getpid(), socket_path, HOST_TOKEN, "0.1.0", "now")))
    return record


@asynccontextmanager
async def running(home: Path) -> AsyncGenerator[tuple[Door, Callable[..., Any]]]:
    """A door that is announced in `home`, and a way to ask it from a thread."""
    async with open_door() as door:
        os.chmod(door.path, 0o600)
        announce(home, door.path)
        client = OperatorClient(str(home))

        async def ask(op: str, **fields: Any) -> Any:
            return await run_sync(lambda: client.request(op, **fields))

        yield door, ask


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cc-") as made:
        yield Path(made)


async def test_a_command_brings_its_outcome(home: Path) -> None:
    async with running(home) as (_, ask):
        assert await ask("raise") == {"raised": False, "kind": "serve", "pid": os.getpid()}
        assert await ask("show", task_id="x") == {
            "task_id": "x",
            "status": "unknown",
            "message": (await ask("show", task_id="x"))["message"],
        }


async def test_what_the_host_refuses_is_an_error_with_its_code_and_sentence(home: Path) -> None:
    async with running(home) as (_, ask):
        with pytest.raises(UserError) as refused:
            await ask("answer", request_id="closed", decline=True)
        assert (refused.value.code, refused.value.message) == (
            "invalid_arguments",
            "That request was answered already.",
        )
        with pytest.raises(UserError) as wrong:
            await ask("show")
        assert wrong.value.code == "invalid_request"


async def test_a_refused_resume_is_a_report_and_no_error(home: Path) -> None:
    async with running(home) as (door, ask):
        door.broker.add(view_of("t", status=Status.CANCELED, agent_type="gemini"))
        assert (await ask("resume", task_id="t"))["error_code"] == "resume_unavailable"


async def test_a_wait_blocks_until_something_ends(home: Path) -> None:
    async with running(home) as (door, ask):
        door.broker.add(view_of("t"))
        got: list[Any] = []

        async def wait() -> None:
            got.append(await ask("wait", task_ids=["t"]))

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await settle(lambda: door.broker.held)
            assert not got
            door.broker.finish("t")
        assert got[0][0]["status"] == "completed"


async def test_all_pages_come_one_after_the_other(home: Path) -> None:
    async with running(home) as (door, _):
        for number in range(7):
            record = view_of(f"t{number}", status=Status.COMPLETED, created_ms=number).record
            door.parts.store.commit([SaveTask(record)])
        client = OperatorClient(str(home))
        found = await run_sync(lambda: list(client.pages("tasks", "task_id", 3)))
        assert [report["task_id"] for report in found] == [f"t{n}" for n in range(6, -1, -1)]


async def test_the_environment_names_the_home_where_no_flag_does(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEG_HOME", str(home))
    announce(home, "/nowhere")
    assert OperatorClient().find().socket == "/nowhere"


def test_the_accounts_own_place_is_the_default(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEG_HOME", raising=False)
    (home / ".codeg").mkdir(mode=0o700)
    announce(home / ".codeg", "/nowhere")
    assert OperatorClient(account_home=str(home)).find().socket == "/nowhere"


# ---- no host, or one that cannot be trusted


def why(home: Path) -> str:
    with pytest.raises(HostUnavailable) as unavailable:
        OperatorClient(str(home)).request("asks")
    message = str(unavailable.value)
    assert HOST_TOKEN not in message
    assert "\n" not in message
    return message


def test_without_a_host_the_sentence_says_what_to_start(home: Path) -> None:
    assert why(home) == START
    (home / "run").mkdir(mode=0o700)
    assert why(home) == START


def test_the_record_of_a_host_that_crashed_leads_to_nobody(home: Path) -> None:
    announce(home, str(home / "gone"))
    assert why(home) == START
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(home / "gone"))
    os.chmod(home / "gone", 0o600)
    assert why(home) == START


@pytest.mark.parametrize("what", ["folder", "record", "socket"])
def test_what_is_open_to_others_is_not_used(home: Path, what: str) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        path = str(home / "s")
        listening.bind(path)
        listening.listen()
        os.chmod(path, 0o600)
        record = announce(home, path)
        os.chmod({"folder": home / "run", "record": record, "socket": Path(path)}[what], 0o755)
        assert "open to other users" in why(home)
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_a_host_whose_run_folder_is_foreign_is_found_in_the_stand_in(home: Path) -> None:
    (home / "run").write_text("a file of somebody else")
    stand_in = Path(places(str(home), "", os.getuid()).short_dir)
    stand_in.mkdir(mode=0o700)
    try:
        with pytest.raises(HostUnavailable, match="run is not a directory"):
            OperatorClient(str(home)).find()
        record = stand_in / "broker.json"
        record.touch(mode=0o600)
        record.write_bytes(dump(Discovery(os.getpid(), "/there", HOST_TOKEN, "0.1.0", "now")))
        assert OperatorClient(str(home)).find().socket == "/there"
    finally:
        shutil.rmtree(stand_in)


def test_a_record_that_is_a_link_is_not_followed(home: Path) -> None:
    record = announce(home, "/nowhere")
    record.rename(home / "elsewhere")
    record.symlink_to(home / "elsewhere")
    assert "cannot be read" in why(home)


def test_a_broken_record_and_another_version_are_told_apart(home: Path) -> None:
    record = announce(home, "/nowhere")
    record.write_bytes(b"{")
    assert "cannot be read" in why(home)
    record.write_bytes(b'{"v":9,"pid":1,"socket":"/nowhere","token":"t","version":"9","started_at":"now"}')
    assert "version 9" in why(home)


def test_a_peer_of_another_user_gets_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        path = str(home / "s")
        listening.bind(path)
        listening.listen()
        os.chmod(path, 0o600)
        announce(home, path)
        stranger = Peer(1, os.getuid() + 1)

        def told(_: socket.socket) -> Peer:
            return stranger

        monkeypatch.setattr("codeg.runtime.client.unix_peer", told)
        assert "another user" in why(home)
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.recv(100) == b""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"", "closed the connection"),
        (b"\x05\x00\x00\x00{", "closed the connection"),
        (b"\xff\xff\xff\xff", "broke"),
        (frames.pack(b"garbage"), "cannot be used"),
        (frames.encode({"neither": 1}), "cannot be used"),
    ],
)
def test_a_host_that_answers_badly_is_one_sentence(home: Path, answer: bytes, told: str) -> None:
    with Serving(home, answer):
        assert told in why(home)


def test_a_refusal_that_comes_while_we_still_send_is_read(home: Path) -> None:
    refusal = frames.encode(requests.refusal("busy", "Try again."))
    with Serving(home, refusal, read=False), pytest.raises(UserError) as busy:
        OperatorClient(str(home)).request("note", session_id="s", text="x" * 4_000_000)
    assert busy.value.code == "busy"


class Serving:
    """One connection that is answered with fixed bytes and closed."""

    def __init__(self, home: Path, answer: bytes, *, read: bool = True) -> None:
        self._path = str(home / "s")
        self._answer = answer
        self._read = read
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.settimeout(10)
        self._listening.bind(self._path)
        self._listening.listen()
        os.chmod(self._path, 0o600)
        announce(home, self._path)
        self._thread = Thread(target=self._serve)

    def _serve(self) -> None:
        accepted, _ = self._listening.accept()
        with accepted:
            accepted.settimeout(10)
            if self._read:
                accepted.recv(65_536)
            accepted.sendall(self._answer)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._listening.close()
