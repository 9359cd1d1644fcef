"""`codeg run`: the feed, the rule for permissions, the end."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from codeg.broker.codes import Code
from codeg.runtime.feed import ENTRY_BYTES, Feed
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import Change, SessionChanged
from codeg.sessions.connection import AgentFailure
from codeg.sessions.types import Entry
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import PATIENCE_S, until

pytestmark = pytest.mark.anyio
Json = dict[str, Any]


class Reader:
    """Reads a run's feed to its end."""

    def __init__(self, rig: Rig, session_id: str) -> None:
        self._rig = rig
        self.session_id = session_id
        self.events: list[Json] = []
        self._cursor = 0

    async def to_end(self) -> list[Json]:
        with anyio.fail_after(PATIENCE_S):
            while not await self.more():
                pass
        return self.events

    async def until(self, kind: str) -> Json:
        with anyio.fail_after(PATIENCE_S):
            while True:
                for event in self.events:
                    if event["event"] == kind:
                        return event
                await self.more()

    async def more(self) -> bool:
        page, self._cursor, ended = await self._rig.core.runs.events(self.session_id, self._cursor, 5)
        self.events += page
        return ended

    def of(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["event"] == kind]


async def start(rig: Rig, prompt: str, *, yes: bool = False, person: bool = False) -> Reader:
    return Reader(rig, await rig.core.runs.start("demo", str(rig.folder), prompt, yes=yes, person=person))


async def test_a_run_tells_its_session_its_entries_and_its_end(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, "@think Hm. @say The answer.")
        events = await reader.to_end()
        assert events[0] == {"event": "session", "id": reader.session_id, "agent": "demo", "cwd": str(tmp_path)}
        entries = [(event["kind"], event["text"]) for event in reader.of("entry")]
        assert entries == [("user", "@think Hm. @say The answer."), ("thought", "Hm."), ("message", "The answer.")]
        assert all(event["session_id"] == reader.session_id for event in reader.of("entry"))
        assert events[-1] == {
            "event": "end",
            "ok": True,
            "stop_reason": "end_turn",
            "text": "The answer.",
            "tasks": [],
        }
        await until(lambda: rig.launcher.live == 0, "the session is closed")
        json.dumps(events)


async def test_a_run_waits_for_its_tasks_and_tells_each_change(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"))
        await rig.launcher.prompted()
        outer = await rig.call(rig.held("outer"), reader.session_id)
        await rig.launcher.prompted(1)
        rig.let("root")
        inner = await rig.call("@say Inner.", outer.record.child_id)
        await rig.ended(inner.record.task_id)
        rig.let("outer")
        events = await reader.to_end()
        told = [(event["task_id"], event["status"]) for event in reader.of("delegation")]
        assert told[0] == (outer.record.task_id, "running")
        assert (inner.record.task_id, "completed") in told, "at any depth"
        ended = next(event for event in reader.of("delegation") if event.get("text") == "Inner.")
        assert ended["parent_task_id"] == outer.record.task_id
        end = events[-1]
        assert (end["ok"], [task["status"] for task in end["tasks"]]) == (True, ["completed", "completed"])


async def test_a_run_whose_task_fails_is_not_ok(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"))
        await rig.launcher.prompted()
        await rig.call("@error -32603 no", reader.session_id)
        rig.let("root")
        end = (await reader.to_end())[-1]
        assert (end["ok"], end["stop_reason"], end["tasks"][0]["error_code"]) == (False, "end_turn", "subagent_error")


@pytest.mark.parametrize("prompt", ["@error -32603 no", "@exit 3", "@stop max_tokens @say Half."])
async def test_a_turn_that_ends_otherwise_is_not_ok(tmp_path: Path, prompt: str) -> None:
    async with open_rig(tmp_path) as rig:
        end = (await (await start(rig, prompt)).to_end())[-1]
        assert not end["ok"]
        assert end["stop_reason"] in {"error", "max_tokens"}
        if end["stop_reason"] == "error":
            assert end["error_code"] in {"subagent_error", "agent_crashed"}
            assert end["message"]


async def test_a_run_whose_agent_crashes_tells_what_it_had_said_and_how_its_tasks_ended(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, f"@say Part. {rig.held('root')} @exit 3")
        await rig.launcher.prompted()
        view = await rig.call(rig.held("never"), reader.session_id)
        await rig.launcher.prompted(1)
        rig.let("root")
        end = (await reader.to_end())[-1]
        assert (end["error_code"], end["text"]) == ("agent_crashed", "Part.Result of root.")
        told = [(task["task_id"], task["status"], task["error_code"]) for task in end["tasks"]]
        assert told == [(view.record.task_id, "canceled", "parent_gone")]


async def test_an_agent_that_cannot_be_opened_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.stub.refusal = AgentFailure(Code.AUTH_REQUIRED, "Sign in first.")
        end = (await (await start(rig, "@say x")).to_end())[-1]
        assert (end["ok"], end["error_code"], end["message"]) == (False, "auth_required", "Sign in first.")


@pytest.mark.parametrize(
    ("yes", "chosen", "outcome"), [(True, "once", "allowed"), (False, "no", "refused")], ids=["with yes", "without"]
)
async def test_permissions_are_answered_by_rule_where_nobody_is_there(
    tmp_path: Path, yes: bool, chosen: str, outcome: str
) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, "@perm 1 @say End.", yes=yes)
        await reader.to_end()
        asked, answered = reader.of("ask")
        assert asked["kind"] == "permission"
        assert "outcome" not in asked
        assert (answered["request_id"], answered["outcome"]) == (asked["request_id"], outcome)
        tool = [event for event in reader.of("entry") if event["kind"] == "tool"][-1]
        assert tool["raw_output"] == {"chosen": chosen}


async def test_a_childs_permission_is_the_runs_too(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"), yes=True)
        await rig.launcher.prompted()
        view = await rig.call("@perm 1 @say Written.", reader.session_id)
        stranger = await rig.call("@perm 1 @say x", "another root")
        await rig.ended(view.record.task_id)
        rig.let("root")
        await reader.to_end()
        assert {event["task_id"] for event in reader.of("ask")} == {view.record.task_id}
        assert [ask["task_id"] for ask in rig.core.desk.asks()] == [stranger.record.task_id]


async def test_with_a_person_asks_wait(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, "@perm 1 @say End.", person=True)
        ask = await reader.until("ask")
        assert len(rig.core.desk.asks()) == 1
        await rig.core.desk.answer(ask["request_id"], "once", None, decline=False)
        assert (await reader.to_end())[-1]["ok"]
        closed = {"request_id": ask["request_id"], "kind": "permission", "session_id": reader.session_id}
        assert reader.of("ask") == [ask, {"event": "ask", **closed, "outcome": "closed"}]


async def test_only_the_ask_that_was_answered_or_withdrawn_is_told_as_closed(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"), person=True)
        await rig.launcher.prompted()
        for number in (1, 2, 3):
            await rig.call("@perm 1 @say Written.", reader.session_id)
            await until(lambda count=number: len(rig.core.desk.asks()) == count, "it asks")
        with anyio.fail_after(PATIENCE_S):
            while len(reader.of("ask")) < 3:
                await reader.more()
        first, second, third = reader.of("ask")
        await rig.core.desk.answer(second["request_id"], "once", None, decline=False)
        await rig.ended(second["task_id"])
        await rig.cancel(third["task_id"])
        await rig.core.runs.cancel(reader.session_id)
        await reader.to_end()
        closed = [event["request_id"] for event in reader.of("ask") if event.get("outcome") == "closed"]
        assert closed == [second["request_id"], third["request_id"], first["request_id"]]


async def test_a_question_that_nobody_can_answer_is_declined_and_said_so(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"), yes=True)
        await rig.launcher.prompted()
        options = [{"label": "a", "description": ""}, {"label": "b", "description": ""}]
        question = {"question": "Which?", "header": "Which", "multiSelect": False, "options": options}
        outcome = await rig.core.desk.ask([reader.session_id], [question], None, PATIENCE_S)
        assert outcome["state"] == "declined"
        rig.let("root")
        await reader.to_end()
        assert [event.get("outcome") for event in reader.of("ask")] == [None, "declined"]


async def test_a_cancelled_run_cancels_its_tasks_and_ends(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("never"))
        await rig.launcher.prompted()
        await rig.call(rig.held("child"), reader.session_id)
        await rig.launcher.prompted(1)
        await rig.core.runs.cancel(reader.session_id)
        end = (await reader.to_end())[-1]
        assert (end["ok"], end["stop_reason"], end["tasks"][0]["status"]) == (False, "cancelled", "canceled")
        await rig.core.runs.cancel(reader.session_id)


async def test_a_run_can_be_cancelled_before_its_agent_is_open(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.gate = anyio.Event()
        reader = await start(rig, "@say x")
        await until(lambda: rig.launcher.starting, "it starts")
        await rig.core.runs.cancel(reader.session_id)
        end = (await reader.to_end())[-1]
        assert (end["ok"], end["error_code"]) == (False, "canceled")
        assert rig.launcher.live == 0


async def test_a_run_that_is_cancelled_as_its_agent_opens_is_not_prompted(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        reader = await start(rig, "@say x")

        def opened(change: Change) -> None:
            if isinstance(change.what, SessionChanged) and change.what.record.state == "idle":
                group.start_soon(rig.core.runs.cancel, reader.session_id)

        rig.core.snapshots.subscribe(opened)
        end = (await reader.to_end())[-1]
        assert (end["ok"], end["error_code"]) == (False, "canceled")
        assert rig.launcher.stub.prompts == []


async def test_a_note_that_was_not_read_is_told(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("root"))
        await rig.launcher.prompted()
        view = await rig.call(rig.held("child"), reader.session_id)
        await rig.core.desk.note(reader.session_id, "Mind the tests.")
        rig.let("root")
        note = await reader.until("ask")
        assert (note["kind"], note["title"]) == ("note", "Mind the tests.")
        rig.let("child")
        await rig.ended(view.record.task_id)
        await reader.to_end()


async def test_a_stopping_host_ends_its_runs(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        reader = await start(rig, rig.held("never"))
        await rig.launcher.prompted()
        runs = rig.core.runs
    page, _, ended = await runs.events(reader.session_id, 0, 0)
    assert ended
    assert page[-1]["event"] == "end"
    assert not page[-1]["ok"]


async def test_what_cannot_be_run_is_refused(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        with pytest.raises(UserError, match="needs a text"):
            await start(rig, " ")
        with pytest.raises(UserError, match="no run"):
            await rig.core.runs.events("nobody", 0, 0)
        with pytest.raises(UserError, match="no run"):
            await rig.core.runs.cancel("nobody")


# ---- the feed itself


def entry(seq: int, text: str) -> Entry:
    return Entry(seq, "message", 1, 1_000, text=text)


async def test_an_entry_event_is_superseded_by_the_next_of_its_entry() -> None:
    feed = Feed()
    for length in range(1, 2_000):
        feed.add_entry("s", entry(0, "x" * length))
        feed.add_entry("s", entry(1, "y" * length))
    events, cursor, ended = await feed.after(0, 0)
    assert [(event["seq"], len(event["text"])) for event in events] == [(0, 1_999), (1, 1_999)]
    assert not ended
    feed.add_entry("s", entry(1, "end"))
    events, _, _ = await feed.after(cursor, 0)
    assert [event["text"] for event in events] == ["end"]


async def test_a_cursor_repeats_what_was_not_confirmed() -> None:
    feed = Feed()
    for number in range(3):
        feed.add({"event": "delegation", "number": number})
    first, cursor, _ = await feed.after(0, 0)
    again, _, _ = await feed.after(0, 0)
    assert first == again
    feed.end({"event": "end"})
    events, cursor, ended = await feed.after(cursor, 0)
    assert (events, ended) == ([{"event": "end"}], True)
    assert await feed.after(cursor, 5) == ([], cursor, True)


async def test_a_page_is_bounded_and_a_huge_entry_is_cut() -> None:
    feed = Feed()
    feed.add_entry("s", entry(0, "€" * ENTRY_BYTES))
    (event,), _, _ = await feed.after(0, 0)
    assert event["truncated"]
    assert len(json.dumps(event)) <= ENTRY_BYTES
    feed = Feed()
    for seq in range(40):
        feed.add_entry("s", entry(seq, "x" * 400_000))
    sizes: list[int] = []
    cursor = 0
    while True:
        page, cursor, _ = await feed.after(cursor, 0)
        if not page:
            break
        sizes.append(len(page))
    assert sum(sizes) == 40
    assert max(sizes) <= 10


async def test_a_waiting_reader_is_woken() -> None:
    feed = Feed()
    got: list[Json] = []

    async def read() -> None:
        page, _, _ = await feed.after(0, PATIENCE_S)
        got.extend(page)

    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(read)
            await anyio.wait_all_tasks_blocked()
            feed.add({"event": "end"})
    assert got == [{"event": "end"}]
