"""What sessions ask at the door beside tasks: hello, leases, catalog, questions, notes; and whose is whose."""

import asyncio
import os
from typing import Any

import pytest

from codeg.broker.codes import Status
from codeg.broker.events import CancelRequested, LeaseBegan, LeaseEnded, ResumeRequested
from codeg.broker.tasks import Limits
from tests.fakes.stub_services import view_of
from tests.runtime.door_rig import HOST_TOKEN, closed, open_door, receive, settle
from tests.runtime.test_operator import door_in_an_agent

pytestmark = pytest.mark.anyio
QUESTION = {"question": "Which?", "header": "Way", "options": [{"label": "A"}, {"label": "B", "description": "b"}]}


async def test_hello_brings_a_token_that_lives_as_long_as_the_connection() -> None:
    async with open_door() as door:
        lease, given = await door.hello("Claude Code/2.1", session_id="s1")
        async with lease:
            token = given["session_token"]
            assert (await door.outcome(kind="catalog", token=token))["agents"] == ["demo", "codex", "gemini", "quiet"]
            (began,) = door.broker.asked(LeaseBegan)
            record = door.parts.sessions.held[began.parent_id]
            assert (record.host, record.folder, record.host_session_id) == ("claude-code", str(door.folder), "s1")
            call = {"agent_type": "demo", "task": "x"}
            connection = given["parent_connection_id"]
            report = await door.outcome(
                kind="call", token=token, parent_connection_id=connection, external_handle="h", input=call
            )
            assert report["status"] == "running"
        await settle(lambda: door.broker.asked(LeaseEnded))
        assert await door.error(kind="catalog", token=token) == "not_authorized"
        assert door.broker.asked(LeaseEnded) == [LeaseEnded(began.parent_id)]


async def test_a_half_closed_lease_is_over() -> None:
    async with open_door() as door:
        lease, _ = await door.hello()
        async with lease:
            await lease.send_eof()
            assert await closed(lease)
        await settle(lambda: door.broker.asked(LeaseEnded))


async def test_a_peer_that_goes_during_hello_leaves_no_lease() -> None:
    async with open_door() as door:
        gate = door.parts.database.gate = asyncio.Event()
        client = {"name": "x", "pid": 1, "cwd": "/"}
        async with await door.send(kind="hello", token=HOST_TOKEN, client=client):
            await settle(lambda: door.read)
        await settle(lambda: door.listener.connections == 0)
        gate.set()
        await settle(lambda: door.broker.asked(LeaseEnded))
        assert door.listener.leases == 0


@pytest.mark.parametrize(
    "client", [{}, {"name": "x"}, {"name": "x", "pid": 1, "cwd": "relative"}, {"name": 5, "pid": 1, "cwd": "/"}]
)
async def test_a_bad_client_is_an_invalid_request(client: dict[str, object]) -> None:
    async with open_door() as door:
        assert await door.error(kind="hello", token=HOST_TOKEN, client=client) == "invalid_request"
        assert not door.broker.events


async def test_a_companion_inside_an_agent_gets_that_agents_session() -> None:
    async with door_in_an_agent() as door:
        lease, given = await door.hello("claude-code", session_id="pretended")
        async with lease:
            door.broker.add(view_of("t", "root"))
            token = given["session_token"]
            assert (await door.outcome(kind="status", token=token, task_ids=["t"]))["tasks"][0]["status"] == "running"
            assert not door.broker.asked(LeaseBegan)
            assert list(door.parts.sessions.held) == ["root"]
        await settle(lambda: door.tokens.find(token) is None)
        assert not door.broker.asked(LeaseEnded)


async def test_hello_from_an_agent_whose_session_has_ended_is_refused() -> None:
    async with door_in_an_agent() as door:
        del door.parts.sessions.held["root"]
        client = {"name": "x", "pid": 1, "cwd": "/"}
        assert await door.error(kind="hello", token=HOST_TOKEN, client=client) == "not_authorized"


async def test_hello_of_a_peer_that_cannot_be_placed_is_refused() -> None:
    async with door_in_an_agent(lambda _: None) as door:
        client = {"name": "x", "pid": os.getpid(), "cwd": "/"}
        assert await door.error(kind="hello", token=HOST_TOKEN, client=client) == "not_authorized"


async def test_a_later_companion_reads_but_does_not_act_for_those_that_have_ended() -> None:
    async with open_door() as door:
        first, _ = await door.hello(session_id="s1")
        (began,) = door.broker.asked(LeaseBegan)
        door.broker.add(view_of("t", began.parent_id, Status.COMPLETED), b"text")
        second, later = await door.hello(session_id="s2")
        token = later["session_token"]
        async with second:
            assert (await door.outcome(kind="status", token=token, task_ids=["t"]))["tasks"][0]["status"] == "unknown"
            await first.aclose()
            await settle(lambda: door.broker.asked(LeaseEnded))
            assert (await door.outcome(kind="status", token=token, task_ids=["t"]))["tasks"][0]["text"] == "text"
            assert (await door.outcome(kind="cancel_task", token=token, task_id="t"))["status"] == "unknown"
            assert (await door.outcome(kind="resume_task", token=token, task_id="t"))["status"] == "unknown"


async def test_the_catalog_withholds_delegation_where_it_is_switched_off() -> None:
    async with open_door() as door:
        assert "delegation" in (await door.outcome(kind="catalog", token=HOST_TOKEN))["groups"]
        door.parts.limits = Limits(enabled=False)
        assert (await door.outcome(kind="catalog", token=HOST_TOKEN))["groups"] == ["ask", "feedback"]


async def test_the_catalog_inside_an_agent_is_that_agents_own_even_before_hello() -> None:
    async with door_in_an_agent() as door:
        door.parts.sessions.add("root", "/w", depth=2)
        assert (await door.outcome(kind="catalog", token=HOST_TOKEN))["groups"] == ["ask", "feedback"]


async def test_foreign_tasks_can_neither_be_canceled_nor_resumed() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t", "somebody"))
        assert (await door.outcome(kind="cancel_task", task_id="t"))["status"] == "unknown"
        assert (await door.outcome(kind="resume_task", task_id="t"))["status"] == "unknown"
        assert door.broker.asked(CancelRequested)[0].readers == {"root"}
        assert door.broker.asked(ResumeRequested)[0].readers == {"root"}


async def test_a_canceled_task_comes_back_with_what_it_had_written() -> None:
    async with open_door() as door:
        door.broker.stored["t"] = view_of("t", "root", Status.CANCELED, text_bytes=4)
        door.broker.texts["t"] = b"half"
        assert (await door.outcome(kind="cancel_task", task_id="t"))["text"] == "half"


# ---- questions and notes


async def test_a_question_waits_for_its_answer() -> None:
    async with open_door() as door, await door.send(kind="ask", questions=[QUESTION]) as peer:
        await settle(lambda: door.parts.desk.questions)
        door.parts.desk.answered.set()
        assert (await receive(peer))["outcome"]["state"] == "answered"
        asker, questions, question_id, wait_s = door.parts.desk.questions[0]
        assert (asker, question_id, wait_s) == (("root",), None, None)
        assert questions[0]["options"][0] == {"label": "A", "description": ""}
        assert questions[0]["multiSelect"] is False


@pytest.mark.parametrize("half", [True, False])
async def test_a_question_whose_peer_goes_is_dropped(half: bool) -> None:
    async with open_door() as door:
        async with await door.send(kind="ask", questions=[QUESTION]) as peer:
            await settle(lambda: door.parts.desk.questions)
            if half:
                await peer.send_eof()
                assert await closed(peer)
        await settle(lambda: door.parts.desk.dropped == 1)


async def test_an_answer_that_is_there_with_the_close_still_goes() -> None:
    async with open_door() as door, await door.send(kind="ask", question_id="q1") as peer:
        await settle(lambda: door.parts.desk.questions)
        await peer.send_eof()
        door.parts.desk.answered.set()
        assert (await receive(peer))["outcome"]["state"] == "answered"


async def test_a_bounded_question_is_pending_and_a_foreign_one_refused() -> None:
    async with open_door() as door:
        assert (await door.outcome(kind="ask", question_id="q1", wait_ms=1_500))["state"] == "pending"
        assert door.parts.desk.questions[0][3] == 1.5
        assert (await door.outcome(kind="ask", question_id="foreign"))["error_code"] == "invalid_arguments"
        assert await door.error(kind="ask") == "invalid_request"
        assert await door.error(kind="ask", question_id="q", questions=[QUESTION]) == "invalid_request"


async def test_an_outside_session_is_told_to_ask_its_own_person_only_where_nobody_sees_the_question() -> None:
    async with open_door() as door:
        lease, told = await door.hello()
        token = told["session_token"]
        desk = door.parts.desk
        (began,) = door.broker.asked(LeaseBegan)
        desk.open["q1"] = (began.parent_id, (QUESTION,))
        async with lease:
            asked = await door.outcome(kind="ask", token=token, question_id="q1", wait_ms=1)
            assert (asked["elicit"], asked["questions"]) == (True, [QUESTION])
            door.parts.window = True
            asked = await door.outcome(kind="ask", token=token, question_id="q1", wait_ms=1)
            assert (asked["elicit"], asked["questions"]) == (False, [QUESTION])
            desk.open["q1"] = ("somebody else", (QUESTION,))
            asked = await door.outcome(kind="ask", token=token, question_id="q1", wait_ms=1)
            assert asked == {"state": "pending", "question_id": "q1", "answers": []}


async def test_only_an_outside_session_answers_and_only_its_own_question() -> None:
    async with open_door() as door:
        lease, told = await door.hello()
        token = told["session_token"]
        desk = door.parts.desk
        (began,) = door.broker.asked(LeaseBegan)
        desk.open |= {"q1": (began.parent_id, (QUESTION,)), "q2": ("root", (QUESTION,))}
        said = [{"question": QUESTION["question"], "selected": ["A"]}]
        async with lease:
            answered = await door.outcome(kind="answer_question", token=token, question_id="q1", answers=said)
            assert answered["state"] == "answered"
            assert answered["answers"][0]["selected"] == ["A"]
            declined = await door.outcome(kind="answer_question", token=token, question_id="q1", decline=True)
            assert declined["state"] == "declined"
            foreign = await door.outcome(kind="answer_question", token=token, question_id="q2", decline=True)
            assert foreign["error_code"] == "invalid_arguments"
            wrong: list[dict[str, Any]] = [{}, {"answers": said, "decline": True}, {"answers": []}, {"answers": [{}]}]
            for fields in wrong:
                error = await door.error(kind="answer_question", token=token, question_id="q1", **fields)
                assert error == "invalid_request"
        # An agent of ours would answer itself; the operator has a request of their own.
        for other in (door.token, HOST_TOKEN):
            refused = await door.error(kind="answer_question", token=other, question_id="q2", decline=True)
            assert refused == "not_authorized"
        assert [answer[0] for answer in desk.answers] == ["q1", "q1"]


async def test_a_companion_inside_an_agent_is_never_told_to_ask() -> None:
    async with open_door() as door:
        door.parts.desk.open["q1"] = ("root", (QUESTION,))
        asked = await door.outcome(kind="ask", question_id="q1", wait_ms=1)
        assert asked == {"state": "pending", "question_id": "q1", "answers": []}


async def test_notes_are_pulled_by_their_session_and_committed_by_id() -> None:
    async with open_door() as door:
        door.parts.desk.notes = [{"session": "root", "id": "n1"}, {"session": "other", "id": "n2"}]
        pulled = await door.outcome(kind="feedback")
        assert (pulled["count"], [note["id"] for note in pulled["feedback"]]) == (1, ["n1"])
        assert await door.outcome(kind="commit_feedback", ids=["n1"]) is None
        assert door.parts.desk.committed == [(("root",), ("n1",))]


async def test_two_sessions_reach_only_what_is_theirs() -> None:
    async with open_door() as door:
        door.parts.sessions.add("other", "/w")
        token, _ = door.tokens.lend("other", "c2")
        door.broker.add(view_of("mine", "other"))
        for seen_by, status in ((token, "running"), (door.token, "unknown")):
            tasks = (await door.outcome(kind="status", token=seen_by, task_ids=["mine"]))["tasks"]
            assert tasks[0]["status"] == status
