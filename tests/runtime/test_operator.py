"""The operator's commands: who may give them, what they bring."""

import base64
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest

from codeg.broker.codes import Status
from codeg.broker.events import CancelRequested, ResumeRequested
from codeg.runtime.peers import Process
from codeg.sessions.types import ProcessStarted
from codeg.store.records import SaveSession, SaveTask
from tests.fakes.stub_services import view_of
from tests.runtime.door_rig import HOST_TOKEN, Door, closed, open_door, receive, settle

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def door_in_an_agent(look: Callable[[int], Process | None] | None = None) -> AsyncGenerator[Door]:
    """A door to which this very process looks like one inside the agent of session `root`."""

    def tree(pid: int) -> Process | None:
        return {os.getpid(): Process(77, 2), 77: Process(1, 1), 1: Process(0, 0)}.get(pid)

    async with open_door(look=look or tree) as door:
        door.parts.sessions.running.append((ProcessStarted("boot", 77, 1, 78, 1), "root"))
        yield door


@pytest.mark.parametrize("op", ["tasks", "answer", "stop", "raise", "run", "cancel", "note", "result"])
async def test_every_command_is_refused_inside_an_agent(op: str) -> None:
    async with door_in_an_agent() as door:
        assert await door.error(kind="operator", token=HOST_TOKEN, op=op, task_id="x") == "not_authorized"
        assert not door.parts.stopped


async def test_a_peer_that_cannot_be_placed_is_refused() -> None:
    async with door_in_an_agent(lambda _: None) as door:
        assert await door.error(kind="operator", token=HOST_TOKEN, op="tasks") == "not_authorized"


@pytest.mark.parametrize("op", ["sessions", "tasks"])
async def test_lists_come_in_pages_newest_first(op: str) -> None:
    async with open_door() as door:
        for number in range(5):
            session = door.parts.sessions.add(f"s{number}", "/w", created_ms=1_000 + number, title=f"Title {number}")
            record = view_of(f"s{number}", status=Status.COMPLETED, created_ms=1_000 + number, text_bytes=9).record
            door.parts.store.commit([SaveSession(session), SaveTask(record, b"nine byte")])
        key = "id" if op == "sessions" else "task_id"
        first = await door.operate(op, limit=3)
        second = await door.operate(op, limit=3, before=first[-1][key])
        assert [item[key] for item in first + second] == ["s4", "s3", "s2", "s1", "s0"]
        if op == "tasks":
            assert not {"text", "next_offset"} & set(first[0])
            assert first[0]["text_bytes"] == 9
        else:
            assert first[0] == {
                "id": "s4",
                "agent_type": "demo",
                "folder": "/w",
                "state": "running",
                "title": "Title 4",
                "parent": None,
                "created_at": "1970-01-01T00:00:01.004Z",
            }


async def test_a_listed_task_is_shown_as_the_ledger_has_it_now() -> None:
    async with open_door() as door:
        door.parts.store.commit([SaveTask(view_of("t").record)])
        door.broker.add(view_of("t", status=Status.COMPLETED))
        assert (await door.operate("tasks"))[0]["status"] == "completed"


async def test_show_knows_every_task_and_an_unknown_one_as_such() -> None:
    async with open_door() as door:
        door.broker.stored["t"] = view_of("t", "somebody", Status.COMPLETED)
        assert (await door.operate("show", task_id="t"))["status"] == "completed"
        assert (await door.operate("show", task_id="x"))["status"] == "unknown"


async def test_wait_answers_with_reports_when_something_ends() -> None:
    async with open_door() as door:
        door.broker.add(view_of("a"))
        door.broker.add(view_of("b"))
        async with await door.send(kind="operator", token=HOST_TOKEN, op="wait", task_ids=["a", "b"]) as peer:
            await settle(lambda: door.broker.held)
            door.broker.finish("b", b"text")
            assert [(r["task_id"], r["status"]) for r in (await receive(peer))["outcome"]] == [
                ("a", "running"),
                ("b", "completed"),
            ]


async def test_result_gives_the_bytes_as_they_are_page_by_page() -> None:
    async with open_door() as door:
        text = "ä日\x00🙂".encode() * 1_000
        door.broker.add(view_of("t", status=Status.COMPLETED), text)
        got, offset = b"", 0
        while offset is not None:
            page = await door.operate("result", task_id="t", offset=offset, limit=997)
            got, offset = got + base64.b64decode(page["data"]), page["next_offset"]
            assert (page["status"], page["text_bytes"]) == ("completed", len(text))
        assert got == text
        assert (await door.operate("result", task_id="x"))["status"] == "unknown"


async def test_cancel_and_resume_reach_any_task_and_resume_says_what_is_against_it() -> None:
    async with open_door() as door:
        folder = str(door.folder)
        door.broker.add(view_of("t", "somebody", Status.CANCELED, agent_type="gemini", working_dir=folder))
        door.broker.add(view_of("u", "root", Status.CANCELED, working_dir=folder))
        door.broker.add(view_of("v", "root", Status.CANCELED, working_dir=folder + "/gone"))
        assert (await door.operate("cancel", task_id="t"))["status"] == "canceled"
        assert door.broker.asked(CancelRequested)[0].readers is None
        for task_id in "tuv":
            report = await door.operate("resume", task_id=task_id)
            assert report["status"] == "canceled"
        first, second, third = door.broker.asked(ResumeRequested)
        assert first.parent is None
        assert first.refusal is not None
        assert first.refusal[0] == "resume_unavailable"
        assert second.parent is not None
        assert second.refusal is None
        assert third.refusal is not None
        assert "does not exist" in third.refusal[1]


async def test_what_waits_is_listed_and_answered_once() -> None:
    async with open_door() as door:
        door.parts.desk.waiting = [{"request_id": "r1", "kind": "permission"}]
        assert await door.operate("asks") == door.parts.desk.waiting
        assert await door.operate("answer", request_id="r1", option="yes") == {"request_id": "r1", "answered": True}
        await door.operate("answer", request_id="r2", answers=[{"question": "?", "selected": []}])
        await door.operate("answer", request_id="r3", decline=True)
        assert [(a[0], a[1], a[3]) for a in door.parts.desk.answers] == [
            ("r1", "yes", False),
            ("r2", None, False),
            ("r3", None, True),
        ]
        refused = await door.operate("answer", request_id="closed", decline=True)
        assert refused == {
            "status": "failed",
            "error_code": "invalid_arguments",
            "message": "That request was answered already.",
        }


@pytest.mark.parametrize(
    ("op", "fields"),
    [
        ("show", {}),
        ("show", {"task_id": 5}),
        ("show", {"task_id": ""}),
        ("wait", {"task_ids": []}),
        ("wait", {"task_ids": ["x"] * 1_001}),
        ("wait", {"task_ids": [1]}),
        ("wait", {"task_ids": ["x"], "wait_ms": -1}),
        ("tasks", {"limit": "all"}),
        ("answer", {"request_id": "r"}),
        ("answer", {"request_id": "r", "option": "a", "decline": True}),
        ("answer", {"request_id": "r", "answers": [1]}),
        ("answer", {"request_id": "r", "answers": {}}),
        ("answer", {"request_id": "r", "decline": "yes"}),
        ("note", {"session_id": "s"}),
        ("run", {"agent": "demo", "cwd": "here", "prompt": "x"}),
        ("run", {"agent": "demo", "cwd": "/"}),
        ("nonsense", {}),
    ],
)
async def test_a_wrong_field_is_one_sentence_that_names_it(op: str, fields: dict[str, object]) -> None:
    async with open_door() as door:
        response = await door.ask(kind="operator", token=HOST_TOKEN, op=op, **fields)
        assert response["error"]["code"] == "invalid_request"
        assert "\n" not in response["error"]["message"]


async def test_a_note_brings_its_id_and_a_bad_one_a_sentence() -> None:
    async with open_door() as door:
        assert await door.operate("note", session_id="root", text="hurry") == {"id": "note-for-root"}
        assert (await door.operate("note", session_id="root", text=""))["error_code"] == "invalid_arguments"


async def test_raise_tells_whether_there_is_a_window() -> None:
    async with open_door() as door:
        assert await door.operate("raise") == {"raised": False, "kind": "serve", "pid": os.getpid()}
        door.parts.window = True
        assert await door.operate("raise") == {"raised": True, "kind": "desktop", "pid": os.getpid()}


async def test_stop_is_answered_and_asked_of_the_host() -> None:
    async with open_door() as door:
        assert await door.operate("stop") == {"stopping": True, "pid": os.getpid()}
        assert door.parts.stopped == 1


async def test_a_run_is_started_followed_and_canceled() -> None:
    async with open_door() as door:
        runs = door.parts.runs
        assert await door.operate("run", agent="demo", cwd="/", prompt="go", yes=True) == {"session_id": "run-1"}
        assert runs.started == [("demo", "/", "go", True, False)]
        runs.log = [{"event": "session"}, {"event": "end"}]
        assert await door.operate("run", session_id="run-1", after=1) == {
            "events": [{"event": "end"}],
            "next": 2,
            "ended": True,
        }
        assert await door.operate("run", session_id="run-1", cancel=True) == {"session_id": "run-1", "canceled": True}
        assert runs.canceled == ["run-1"]
        assert (await door.operate("run", agent="nobody", cwd="/", prompt="x"))["error_code"] == "invalid_agent_type"


@pytest.mark.parametrize("half", [True, False])
async def test_following_a_run_is_dropped_when_the_peer_goes(half: bool) -> None:
    async with open_door() as door:
        before = len(anyio.get_running_tasks())
        ask = {"kind": "operator", "token": HOST_TOKEN, "op": "run", "session_id": "run-1", "wait_ms": 60_000}
        async with await door.send(**ask) as peer:
            await settle(lambda: len(anyio.get_running_tasks()) == before + 1)
            if half:
                await peer.send_eof()
                assert await closed(peer)
        await settle(lambda: len(anyio.get_running_tasks()) == before)
        await settle(lambda: door.listener.connections == 0)
