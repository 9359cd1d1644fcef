"""A whole host: files, socket, stub or real agents, and every way to end it."""

import json
import os
import socket
import sqlite3
import stat
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

import anyio
import anyio.lowlevel
import pytest
from anyio.to_thread import run_sync

from codeg import api
from codeg.runtime.app import HostSettings, open_host
from codeg.runtime.client import HostUnavailable, OperatorClient
from codeg.runtime.discovery import HostRunning
from codeg.runtime.host import Host
from codeg.runtime.loop import HostFailed
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import Change, TaskChanged
from codeg.store.store import Store
from codeg.wire import frames, requests
from tests.fakes.stub_connection import StubLauncher
from tests.runtime.stubs import PATIENCE_S, until

pytestmark = pytest.mark.anyio
Json = dict[str, Any]
T = TypeVar("T")


def settings(folder: Path, launcher: StubLauncher | None = None) -> HostSettings:
    return HostSettings(home=str(folder), launcher=launcher or StubLauncher())


async def on_thread(work: Callable[[], T]) -> T:
    with anyio.fail_after(PATIENCE_S):
        return await run_sync(work, abandon_on_cancel=True)


class Guest:
    """A registered companion's side of the socket, blocking."""

    def __init__(self, folder: Path) -> None:
        record = OperatorClient(str(folder)).find()
        self._socket = record.socket
        self._lease = self._connect()
        client = requests.client_of("claude-code", os.getpid(), str(folder))
        outcome = self._exchange(self._lease, requests.hello(record.token, client))
        self.token: str = outcome["session_token"]
        self.parent: str = outcome["parent_connection_id"]
        self.asked = 0

    def call(self, task: str, agent: str = "demo", **arguments: Any) -> Json:
        given = {"agent_type": agent, "task": task, **arguments}
        handle = os.urandom(8).hex()
        return self.ask(requests.call(self.token, self.parent, handle, given))

    def status(self, task_id: str, wait_ms: int | None = 0) -> Json:
        return self.ask(requests.status(self.token, [task_id], wait_ms=wait_ms))["tasks"][0]

    def ask(self, request: Json) -> Any:
        with self._connect() as connection:
            self.asked += 1
            return self._exchange(connection, request)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._lease.close()

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE_S)
        connection.connect(self._socket)
        return connection

    def _exchange(self, connection: socket.socket, request: Json) -> Any:
        connection.sendall(frames.encode(request))
        reader = frames.FrameReader()
        while data := connection.recv(65_536):
            payload = reader.feed(data)
            if payload is not None:
                return requests.parse_response(payload)
        raise AssertionError("closed without an answer")


async def test_a_host_makes_its_files_and_takes_them_away(tmp_path: Path) -> None:
    async with open_host(settings(tmp_path)) as host:
        run = tmp_path / "run"
        record = json.loads((run / "broker.json").read_text())
        assert (record["v"], record["pid"], record["socket"]) == (1, os.getpid(), host.socket)
        assert stat.S_IMODE(run.stat().st_mode) == 0o700
        assert stat.S_IMODE(os.stat(host.socket).st_mode) == 0o600
        assert (tmp_path / "data" / "codeg.db").exists()
        assert (tmp_path / "log" / "codeg.log").exists()
    assert not (run / "broker.json").exists()
    assert not (run / "broker.sock").exists()
    assert list((run / "tokens").iterdir()) == []
    assert record["token"] not in (tmp_path / "log" / "codeg.log").read_text()


async def test_a_host_that_is_cancelled_at_any_moment_of_its_start_ends(tmp_path: Path) -> None:
    up = anyio.Event()

    async def cancel(scope: anyio.CancelScope, turns: int) -> None:
        for _ in range(turns):
            await anyio.lowlevel.checkpoint()
        scope.cancel()

    with anyio.fail_after(PATIENCE_S):
        turns = 0
        while not up.is_set():
            async with anyio.create_task_group() as group:
                group.start_soon(cancel, group.cancel_scope, turns)
                async with open_host(settings(tmp_path)):
                    up.set()
                group.cancel_scope.cancel()
            turns += 2
    async with open_host(settings(tmp_path)):
        """Nothing of them is left in its way."""


async def test_one_host_per_home(tmp_path: Path) -> None:
    async with open_host(settings(tmp_path)):
        with pytest.raises(HostRunning) as running:
            async with open_host(settings(tmp_path)):
                pass
        assert running.value.pid == os.getpid()
    async with open_host(settings(tmp_path)):
        pass


@pytest.mark.parametrize("what", ["settings", "store", "log"])
async def test_what_cannot_be_used_is_one_sentence_and_leaves_nothing_behind(tmp_path: Path, what: str) -> None:
    if what == "settings":
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "settings.toml").write_text("[delegation]\ndepth_limit = 'two'\n")
    elif what == "store":
        (tmp_path / "data").mkdir()
        with sqlite3.connect(tmp_path / "data" / "codeg.db") as connection:
            connection.execute("CREATE TABLE foreign_table (x)")
        connection.close()
    else:
        (tmp_path / "log").write_text("a file")
    with pytest.raises(HostFailed) as failed:
        async with open_host(settings(tmp_path)):
            pass
    assert "\n" not in str(failed.value)
    assert not (tmp_path / "run" / "broker.json").exists()


async def test_an_error_of_the_front_end_comes_out_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with open_host(settings(tmp_path)):
            raise ZeroDivisionError
    with pytest.raises(HostUnavailable):
        await on_thread(lambda: OperatorClient(str(tmp_path)).request("asks"))


async def test_a_guest_that_is_still_connected_when_the_host_ends_is_gone(tmp_path: Path) -> None:
    async with open_host(settings(tmp_path)) as host:
        guest = await on_thread(lambda: Guest(tmp_path))
        (session,) = await host.sessions()
        assert session.state == "connected"
    with guest, Store.open(str(tmp_path / "data" / "codeg.db")) as store:
        assert [record.state for record in store.sessions_page(10)] == ["gone"]


async def test_a_guest_delegates_waits_and_finds_its_result_again(tmp_path: Path) -> None:
    async with open_host(settings(tmp_path)) as host:
        with await on_thread(lambda: Guest(tmp_path)) as guest:
            report = await on_thread(lambda: guest.call("@say The answer."))
            assert report["status"] == "running"
            assert report["message"].startswith(f"task_id={report['task_id']}")
            ended = await on_thread(lambda: guest.status(report["task_id"]))
            assert (ended["status"], ended["text"]) == ("completed", "The answer.")
            (session,) = [record for record in await host.sessions() if record.kind == "outside"]
            assert (session.host, session.state) == ("claude-code", "connected")
    async with open_host(settings(tmp_path)):
        with await on_thread(lambda: Guest(tmp_path)) as later:
            assert await on_thread(lambda: later.status(report["task_id"])) == ended


async def test_who_waits_when_the_host_ends_is_answered(tmp_path: Path) -> None:
    got: list[Json] = []
    with ExitStack() as guests:
        async with anyio.create_task_group() as waiting:
            async with open_host(settings(tmp_path)) as host:
                guest = guests.enter_context(await on_thread(lambda: Guest(tmp_path)))
                report = await on_thread(lambda: guest.call("@say Half. @noreply"))
                await until(lambda: running(host, report["task_id"]), "the child works")

                async def wait() -> None:
                    got.append(await on_thread(lambda: guest.status(report["task_id"])))

                waiting.start_soon(wait)
                await until(lambda: guest.asked == 2, "the question is on its way")
                await on_thread(lambda: OperatorClient(str(tmp_path)).request("asks"))
            await until(lambda: got, "the waiting one is answered")
    assert got[0]["status"] == "interrupted"


def running(host: Host, task_id: str) -> bool:
    activity = host.activity(task_id)
    return activity is not None and activity.line == "Half."


async def test_the_operator_stops_the_host(tmp_path: Path) -> None:
    with anyio.fail_after(PATIENCE_S):
        async with open_host(settings(tmp_path)) as host:
            client = OperatorClient(str(tmp_path))
            assert (await on_thread(lambda: client.request("stop")))["stopping"]
            await host.wait_stopped()
    with pytest.raises(HostUnavailable):
        await on_thread(lambda: client.request("asks"))


async def test_a_second_desktop_raises_the_first_ones_window(tmp_path: Path) -> None:
    raised: list[bool] = []

    def window() -> bool:
        raised.append(True)
        return True

    given = HostSettings(home=str(tmp_path), launcher=StubLauncher(), raise_window=window)
    async with open_host(given):
        outcome = await on_thread(lambda: OperatorClient(str(tmp_path)).request("raise"))
        assert (outcome["raised"], outcome["kind"]) == (True, "desktop")
    assert raised == [True]


@pytest.mark.parametrize("window", [None, lambda: True])
async def test_only_a_host_without_a_window_has_a_question_put_by_the_program_that_asked_it(
    tmp_path: Path, window: Callable[[], bool] | None
) -> None:
    """Who may answer, at the real desk: the window's person first, else the person before that program."""
    question: Json = {"question": "Which?", "header": "Choice", "options": [{"label": "a"}, {"label": "b"}]}
    given = settings(tmp_path) if window is None else replace(settings(tmp_path), raise_window=window)
    async with open_host(given) as host:
        with await on_thread(lambda: Guest(tmp_path)) as guest:
            asked = await on_thread(lambda: guest.ask(requests.ask(guest.token, [question], None, 1)))
            assert (asked["state"], asked["elicit"]) == ("pending", window is None)
            said = [{"question": asked["questions"][0]["question"], "selected": ["b"]}]
            answer = requests.answer_question(guest.token, asked["question_id"], said)
            answered = await on_thread(lambda: guest.ask(answer))
            assert (answered["state"], answered["answers"][0]["selected"]) == ("answered", ["b"])
            with pytest.raises(UserError):
                await host.answer(asked["question_id"])


async def test_changed_settings_count_at_once(tmp_path: Path) -> None:
    async with open_host(settings(tmp_path)) as host:
        with await on_thread(lambda: Guest(tmp_path)) as guest:
            assert (await on_thread(lambda: guest.call("@say 1")))["status"] == "running"
            api.change_settings(host.paths.settings_file, {"delegation.enabled": False})
            refused = await on_thread(lambda: guest.call("@say 2"))
            assert (refused["status"], refused["error_code"]) == ("failed", "delegation_disabled")
            (tmp_path / "config" / "settings.toml").write_text("[delegation]\nenabled = maybe")
            assert (await on_thread(lambda: guest.call("@say 3")))["error_code"] == "delegation_disabled"


async def test_the_hosts_handle_shows_and_does_what_a_desktop_needs(tmp_path: Path) -> None:
    launcher = StubLauncher()
    async with open_host(settings(tmp_path, launcher)) as host:
        changes: list[Change] = []
        unsubscribe = host.subscribe(changes.append)
        with await on_thread(lambda: Guest(tmp_path)) as guest:
            report = await on_thread(lambda: guest.call("@say Half. @noreply"))
            task_id = report["task_id"]
            await until(lambda: running(host, task_id), "the child works")
            snapshot = host.snapshot()
            assert [view.record.task_id for view in snapshot.tasks] == [task_id]
            assert snapshot.number == changes[-1].number
            assert [change.number for change in changes] == list(range(changes[0].number, changes[-1].number + 1))
            child = report["child_conversation_id"]
            entries = await host.entries(child)
            assert [entry.text for entry in entries] == ["@say Half. @noreply", "Half."]
            record = await host.session(child)
            assert record is not None
            assert record.state == "running"
            canceled = await host.cancel(task_id)
            assert (await host.report(canceled))["status"] == "canceled"
            assert await host.result(task_id) == b"Half."
            (listed,) = await host.tasks()
            assert listed.status == "canceled"
            seen = await host.task(task_id)
            assert seen is not None
            assert seen.status == "canceled"
            resumed = await host.resume(task_id)
            assert (await host.report(resumed))["attempt"] == 2
            assert await host.task("no-such-task") is None
            assert host.settings().delegation.enabled
            assert (await host.stderr_tail(child), await host.undelivered_notes(child)) == ((), ())
            unsubscribe()
            count = len(changes)
            await host.cancel(task_id)
            assert len(changes) == count
            assert any(isinstance(change.what, TaskChanged) for change in changes)


# ---- the command line's view, with and without a host


async def test_lists_and_texts_are_the_same_with_and_without_a_host(tmp_path: Path) -> None:
    home = str(tmp_path)
    async with open_host(settings(tmp_path)):
        with await on_thread(lambda: Guest(tmp_path)) as guest:
            ids = [(await on_thread(lambda: guest.call("@big 3000000")))["task_id"] for _ in range(2)]
            await on_thread(lambda: api.wait_tasks(home, ids))
            live = await on_thread(lambda: _seen(home, ids[0]))
    after = await on_thread(lambda: _seen(home, ids[0]))
    assert live["result"] == after["result"] == b"x" * 3_000_000
    assert [task["task_id"] for task in live["tasks"]] == ids[::-1]
    assert live["tasks"] == after["tasks"]
    assert live["shown"]["status"] == after["shown"]["status"] == "completed"
    assert {record["id"] for record in live["sessions"]} == {record["id"] for record in after["sessions"]}


def _seen(home: str, task_id: str) -> dict[str, Any]:
    return {
        "tasks": api.list_tasks(home),
        "shown": api.show_task(home, task_id),
        "result": api.task_result(home, task_id),
        "sessions": api.list_sessions(home),
    }


async def test_an_unknown_task_is_unknown_with_and_without_a_host(tmp_path: Path) -> None:
    home = str(tmp_path)

    def seen() -> tuple[str, bytes | None, str]:
        status = api.show_task(home, "no-such")["status"]
        return status, api.task_result(home, "no-such"), api.wait_tasks(home, ["no-such"])[0]["status"]

    assert await on_thread(seen) == ("unknown", None, "unknown")
    assert not (tmp_path / "data").exists(), "looking makes no file"
    async with open_host(settings(tmp_path)):
        assert await on_thread(seen) == ("unknown", None, "unknown")


async def test_a_damaged_store_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "codeg.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(api.HostError):
        await on_thread(lambda: api.list_tasks(str(tmp_path)))


def test_agents_are_listed_and_a_broken_file_is_named(tmp_path: Path) -> None:
    listed, fault = api.list_agents(str(tmp_path))
    assert fault is None
    demo = next(agent for agent in listed if agent["slug"] == "demo")
    assert (demo["installed"], demo["enabled"]) == (True, True)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "agents.toml").write_text('[agents.mine]\nlabel = "x"\n[agents.other]\ncommand = ["x"]\n')
    listed, fault = api.list_agents(str(tmp_path))
    assert "custom:other" in {agent["slug"] for agent in listed}
    assert fault is not None
    assert "agents.toml, line 1" in fault


async def test_the_doctor_says_what_is_wrong_and_what_to_do(tmp_path: Path) -> None:
    findings = {finding["check"]: finding for finding in await api.doctor(str(tmp_path))}
    assert findings["store"]["level"] == "ok"
    assert findings["agent demo"]["level"] == "ok"
    host = {"level": "warning", "message": "No host is running.", "fix": "Start `codeg` or `codeg serve`."}
    assert findings["host"] == {"check": "host", **host}
    assert findings["host"]["fix"]
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.toml").write_text("nonsense")
    (tmp_path / "run").mkdir(mode=0o755)
    findings = {finding["check"]: finding for finding in await api.doctor(str(tmp_path))}
    assert findings["settings"]["level"] == "error"
    assert findings["runtime folder"]["level"] == "warning"


# ---- real agents


async def test_a_real_agent_delegates_to_a_real_agent_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.md").write_text("# Notes\n\nTODO: write them\n")
    with anyio.fail_after(60):
        async with open_host(HostSettings(home=str(tmp_path))) as host:
            session_id = await host.runs.start("demo", str(tmp_path / "work"), "@demo todos", yes=True, person=False)
            events: list[Json] = []
            cursor, ended = 0, False
            while not ended:
                page, cursor, ended = await host.runs.events(session_id, cursor, 10)
                events += page
            with pytest.raises(UserError):
                host.roots.prompt(session_id, "more")
    end = events[-1]
    assert end["ok"], end
    assert "write them" in end["text"]
    assert [task["status"] for task in end["tasks"]] == ["completed"]
    with Store.open_readonly(str(tmp_path / "data" / "codeg.db")) as store:
        assert store.processes() == ()
        (task,) = store.tasks_page(10)
        assert task.tool_use_id, "the card stands at the parent's own tool call"
