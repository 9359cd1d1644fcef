"""Delegated children over stub agents: from the call to the end, and every way to stop one."""

from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import BlockKind, Code, Status
from codeg.broker.tasks import Limits, Refused
from codeg.runtime.children import CONTINUE
from codeg.runtime.snapshots import AsksChanged
from codeg.sessions.connection import AgentFailure
from codeg.store.records import SaveTask
from tests.runtime.rig import open_rig
from tests.runtime.stubs import until

pytestmark = pytest.mark.anyio


async def test_a_call_becomes_an_agent_a_result_and_an_end(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@say The answer.")
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.COMPLETED
        assert await rig.text(view.record.task_id) == "The answer."
        assert rig.launcher.stub.prompts == [("stub-1", "@say The answer.")]
        assert rig.statuses(view.record.task_id) == [Status.RUNNING, Status.COMPLETED]
        await until(lambda: rig.launcher.live == 0, "the agent is ended")
        await until(lambda: not rig.tokens.live, "its token is dead")
        await rig.settled()
        assert await rig.database.run(lambda store: store.processes()) == ()


async def test_what_a_child_is_started_with(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.catalogue.disabled.add("codex")
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        spec = rig.launcher.specs[0]
        server = spec.mcp_servers[0]
        assert (spec.cwd, spec.attempt, spec.first_seq, spec.resume_session_id) == (str(tmp_path), 1, 0, None)
        assert server.name == "codeg"
        assert server.env == ()
        assert server.args[:3] == ("-I", "-m", "companion")
        flags = dict(zip(server.args[3::2], server.args[4::2], strict=True))
        assert flags == {
            "--socket-path": "/run/broker.sock",
            "--parent-connection-id": view.record.child_id,
            "--parent-pid": "77",
            "--features": "delegation,ask,feedback",
            "--custom-agents": "custom:quiet",
            "--disabled-agents": "codex",
            "--token-file": "/tokens/1.token",
        }
        assert rig.tokens.live == {"/tokens/1.token": view.record.child_id}


@pytest.mark.parametrize(("agent", "depth_limit"), [("demo", 1), ("custom:quiet", 2)])
async def test_delegation_is_withheld_at_the_last_level_and_from_agents_told_so(
    tmp_path: Path, agent: str, depth_limit: int
) -> None:
    async with open_rig(tmp_path, Limits(depth_limit=depth_limit)) as rig:
        view = await rig.call(rig.held("a"), agent=agent)
        await rig.launcher.prompted()
        args = rig.launcher.specs[0].mcp_servers[0].args
        assert args[args.index("--features") + 1] == "ask,feedback"
        assert rig.core.sessions.groups(view.record.child_id) == ("ask", "feedback")
        assert rig.core.sessions.groups("nobody") == ()


async def test_the_processes_identity_is_durable_before_the_prompt_is_sent(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.gate = anyio.Event()
        view = await rig.call(rig.held("a"))
        await rig.launcher.connection()
        await rig.settled()
        rig.database.hold()
        rig.launcher.gate.set()
        await until(lambda: rig.database.waiting, "a commit is under way")
        await anyio.wait_all_tasks_blocked()
        assert rig.launcher.stub.prompts == []
        rig.database.release()
        await rig.launcher.prompted()
        saved = await rig.database.run(lambda store: store.processes())
        assert [(each.session_id, each.process.agent_pid) for each in saved] == [(view.record.child_id, 3)]
        assert [session_id for _, session_id in rig.core.sessions.processes()] == [view.record.child_id]
        stored = await rig.database.run(lambda store: store.task(view.record.task_id))
        assert stored is not None
        assert stored.process is not None


async def test_no_more_agents_start_at_once_than_allowed(tmp_path: Path) -> None:
    async with open_rig(tmp_path, Limits(live_per_parent=9), starts_at_once=2) as rig:
        rig.launcher.gate = anyio.Event()
        for _ in range(6):
            await rig.call("@say x")
        await until(lambda: rig.launcher.starting == 2, "two start")
        await anyio.wait_all_tasks_blocked()
        assert len(rig.launcher.specs) == 2
        rig.launcher.gate.set()
        await until(lambda: len(rig.launcher.specs) == 6, "all have started")
        assert rig.launcher.most_starting == 2


async def test_a_child_can_be_stopped_while_it_waits_to_start(tmp_path: Path) -> None:
    async with open_rig(tmp_path, starts_at_once=1) as rig:
        rig.launcher.gate = anyio.Event()
        first, second = await rig.call("@say 1"), await rig.call("@say 2")
        await until(lambda: rig.launcher.starting, "one starts")
        canceled = await rig.cancel(second.record.task_id)
        assert canceled.status is Status.CANCELED
        assert len(rig.launcher.specs) == 1
        rig.launcher.gate.set()
        assert (await rig.ended(first.record.task_id)).status is Status.COMPLETED


async def test_a_child_can_be_stopped_in_its_handshake(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.gate = anyio.Event()
        view = await rig.call("@say 1")
        await until(lambda: rig.launcher.starting, "it starts")
        canceled = await rig.cancel(view.record.task_id)
        assert canceled.status is Status.CANCELED
        assert rig.launcher.stub.prompts == []
        assert (rig.launcher.live, rig.tokens.live) == (0, {})


async def test_a_child_can_be_stopped_in_its_turn_and_keeps_what_it_said(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(f"@say Half of it. {rig.held('never')}")
        connection = await rig.launcher.prompted()
        await until(lambda: connection.live_line() == "Half of it.", "it has spoken")
        rig.launcher.end_gate = anyio.Event()
        stopping = await rig.cancel(view.record.task_id)
        assert (stopping.status, stopping.stopping) == (Status.RUNNING, True)
        assert rig.launcher.live == 1, "canceled is shown only when the processes are gone"
        rig.launcher.end_gate.set()
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.CANCELED
        assert await rig.text(view.record.task_id) == "Half of it."
        assert connection.stopped


async def test_an_agent_that_ignores_the_cancel_is_ended_all_the_same(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@ignorecancel @say Stubborn. @noreply")
        await rig.launcher.prompted()
        await rig.cancel(view.record.task_id)
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.CANCELED
        assert await rig.text(view.record.task_id) == "Stubborn."


async def test_stopping_twice_and_after_the_end_does_nothing(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("never"))
        await rig.launcher.prompted()
        await rig.cancel(view.record.task_id)
        again = await rig.cancel(view.record.task_id)
        assert again.status is Status.CANCELED
        assert rig.statuses(view.record.task_id) == [Status.RUNNING, Status.CANCELED]


@pytest.mark.parametrize("code", [Code.SPAWN_FAILED, Code.AGENT_START_TIMEOUT, Code.AUTH_REQUIRED])
async def test_a_start_that_fails_says_why_and_frees_everything(tmp_path: Path, code: Code) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.stub.refusal = AgentFailure(code, "Nobody is signed in.", stderr=("line one", "line two"))
        view = await rig.call("@say 1")
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.FAILED
        assert end.record.end is not None
        assert (end.record.end.code, end.record.end.message) == (code, "Nobody is signed in.")
        await until(lambda: not rig.tokens.live, "its token is dead")
        await rig.settled()
        assert await rig.database.run(lambda store: store.stderr_tail(view.record.child_id)) == ("line one", "line two")
        session = await rig.database.run(lambda store: store.session(view.record.child_id))
        assert session is not None
        assert (session.state, session.task_id, session.kind) == ("failed", view.record.task_id, "child")


async def test_a_crash_in_mid_turn_fails_the_task_with_its_text(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@say Half. @exit 0")
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.FAILED
        assert end.record.end is not None
        assert end.record.end.code is Code.AGENT_CRASHED
        assert await rig.text(view.record.task_id) == "Half."
        await until(lambda: rig.launcher.live == 0, "the agent is ended")


async def test_an_error_answer_fails_the_task(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@error -32603 it broke")
        end = await rig.ended(view.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.SUBAGENT_ERROR
        assert end.record.end.message is not None
        assert "it broke" in end.record.end.message


async def test_an_agent_that_vanishes_before_its_prompt_is_a_failed_start(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.gate = anyio.Event()
        view = await rig.call("@say 1")
        connection = await rig.launcher.connection()
        await rig.settled()
        rig.database.hold()
        rig.launcher.gate.set()
        await until(lambda: rig.database.waiting, "its session is being written")
        await connection.crash(AgentFailure(Code.AGENT_CRASHED, "It exited with code 3."))
        rig.database.release()
        end = await rig.ended(view.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.AGENT_CRASHED
        assert rig.launcher.stub.prompts == []


async def test_an_agent_that_vanishes_after_its_turn_changes_nothing(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        connection = await rig.launcher.prompted()
        await until(lambda: rig.prompt_accepted(view.record.task_id), "its prompt is accepted")
        await rig.settled()
        rig.database.hold()
        rig.let("a")
        await until(lambda: rig.database.waiting, "its end is being written")
        await connection.crash(AgentFailure(Code.AGENT_CRASHED, "It exited."))
        rig.database.release()
        assert (await rig.ended(view.record.task_id)).status is Status.COMPLETED


async def test_a_disabled_agent_is_not_started(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.catalogue.disabled.add("demo")
        view = await rig.call("@say 1")
        end = await rig.ended(view.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.AGENT_DISABLED
        assert rig.launcher.specs == []


async def test_a_fault_of_ours_fails_one_task_and_nobody_else(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:

        def broken() -> float:
            raise RuntimeError("ours")

        around = rig.core.around
        object.__setattr__(around, "start_timeout_s", broken)
        view = await rig.call("@say 1")
        end = await rig.ended(view.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.SUBAGENT_ERROR
        object.__setattr__(around, "start_timeout_s", lambda: 60.0)
        assert (await rig.ended((await rig.call("@say 2")).record.task_id)).status is Status.COMPLETED


async def test_a_canceled_task_goes_on_in_the_agents_own_session(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        await rig.cancel(view.record.task_id)
        resumed = await rig.resume(view.record.task_id)
        assert not isinstance(resumed, Refused)
        end = await rig.ended(view.record.task_id)
        assert (end.status, end.record.attempt) == (Status.COMPLETED, 2)
        assert rig.launcher.stub.prompts[1] == ("stub-1", CONTINUE)
        spec = rig.launcher.specs[1]
        assert (spec.resume_session_id, spec.attempt) == ("stub-1", 2)
        entries = await rig.database.run(lambda store: store.entries(view.record.child_id))
        assert [entry.seq for entry in entries] == list(range(len(entries)))
        assert {entry.attempt for entry in entries} == {1, 2}
        assert spec.first_seq == sum(entry.attempt == 1 for entry in entries)


async def test_a_task_whose_prompt_was_never_sent_starts_with_its_own_text(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.stub.refusal = AgentFailure(Code.AGENT_START_TIMEOUT, "Too slow.")
        view = await rig.call("@say At last.")
        await rig.ended(view.record.task_id)
        rig.launcher.stub.refusal = None
        await rig.resume(view.record.task_id)
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.COMPLETED
        assert rig.launcher.stub.prompts == [("stub-1", "@say At last.")]
        assert rig.launcher.specs[1].resume_session_id is None


async def test_a_session_that_cannot_be_re_attached_leaves_the_task_as_it_was(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        before = await rig.cancel(view.record.task_id)
        rig.launcher.stub.sessions.clear()
        answer = await rig.resume(view.record.task_id)
        assert isinstance(answer, Refused)
        assert answer.code is Code.RESUME_UNAVAILABLE
        after = await rig.snapshot(view.record.task_id)
        assert (after.status, after.record.attempt) == (before.status, before.record.attempt)


async def test_what_a_child_does_now_is_told_while_it_lives(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(f"@tool read @say Reading on. @usage 10 100 {rig.held('a')}")
        connection = await rig.launcher.prompted()
        await until(lambda: connection.live_line() == "Reading on.", "it has spoken")
        activity = rig.core.broker.activity(view.record.task_id)
        assert activity is not None
        assert (activity.line, activity.tool_calls) == ("Reading on.", 1)
        assert activity.usage is not None
        assert activity.usage.context_used == 10
        rig.let("a")
        await rig.ended(view.record.task_id)
        await until(lambda: rig.launcher.live == 0, "the agent is ended")
        assert rig.core.broker.activity(view.record.task_id) is None


async def test_a_childs_permission_blocks_its_task_until_it_is_answered(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@perm 1 @say Written.")
        await until(rig.core.desk.asks, "a permission waits")
        await rig.settled()
        blocked = await rig.snapshot(view.record.task_id)
        assert [block.kind for block in blocked.blocks] == [BlockKind.PERMISSION]
        (ask,) = rig.core.desk.asks()
        assert ask["task_id"] == view.record.task_id
        assert ask["session_id"] == view.record.child_id
        assert ask["request_id"] == blocked.blocks[0].request_id
        assert [option["kind"] for option in ask["options"]] == ["allow_always", "allow_once", "reject_once"]
        await rig.core.desk.answer(ask["request_id"], "once", None, decline=False)
        assert (await rig.ended(view.record.task_id)).status is Status.COMPLETED
        assert rig.core.desk.asks() == []


async def test_a_cancel_takes_every_open_permission_off_the_desk(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@perm 2 @lateperm")
        await until(lambda: len(rig.core.desk.asks()) == 2, "two permissions wait")
        shown = len([what for what in rig.changes if isinstance(what, AsksChanged)])
        end = await rig.cancel(view.record.task_id)
        assert end.status is Status.CANCELED
        assert rig.core.desk.asks() == []
        assert len([what for what in rig.changes if isinstance(what, AsksChanged)]) == shown + 2, "no late card"


async def test_the_parents_tool_call_is_found_in_its_thread(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        connection = await rig.launcher.connection()
        call = {"agent_type": "demo", "task": "@say 1"}
        for status in ("pending", "in_progress"):
            connection.update(
                {
                    "sessionUpdate": "tool_call",
                    "toolCallId": "t1",
                    "title": "mcp__codeg__delegate_to_agent",
                    "status": status,
                    "rawInput": call,
                }
            )
        view = await rig.call("@say 1", session_id)
        assert view.record.tool_use_id == "t1"


async def test_the_end_of_a_child_ends_its_own_tasks(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        outer = await rig.call(rig.held("outer"))
        await rig.launcher.prompted()
        inner = await rig.call(rig.held("inner"), outer.record.child_id)
        assert inner.record.parent_task_id == outer.record.task_id
        await rig.launcher.prompted(1)
        rig.let("outer")
        end = await rig.ended(inner.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.PARENT_GONE
        await until(lambda: rig.launcher.live == 0, "both agents are ended")


async def test_transcripts_are_written_in_batches(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@chunks 300 @say End.")
        await rig.ended(view.record.task_id)
        await until(lambda: rig.launcher.live == 0, "the agent is ended")
        await rig.settled()
        entries = await rig.database.run(lambda store: store.entries(view.record.child_id))
        assert [entry.kind for entry in entries][:2] == ["user", "message"]
        assert len(rig.database.commits) < 20


async def test_no_view_is_ahead_of_the_disk(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        task_id = view.record.task_id
        await until(lambda: rig.prompt_accepted(task_id), "its prompt is accepted")
        await rig.settled()

        def shown() -> Status:
            seen = rig.core.broker.view(task_id)
            assert seen is not None
            return seen.status

        for act, before, after in (
            (rig.cancel, Status.RUNNING, Status.CANCELED),
            (rig.resume, Status.CANCELED, Status.RUNNING),
        ):
            rig.database.hold()
            async with anyio.create_task_group() as group:
                group.start_soon(act, task_id)
                await until(lambda: rig.database.waiting, "the change is being written")
                await anyio.wait_all_tasks_blocked()
                assert shown() is before
                rig.database.release()
            await until(lambda after=after: shown() is after, "it is durable")
        rig.let("a")
        await rig.ended(task_id)


async def test_a_new_task_does_not_show_before_it_is_durable(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.database.hold()
        task_id = ""
        answers: list[object] = []
        async with anyio.create_task_group() as group:

            async def call() -> None:
                answers.append(await rig.call("@say x"))

            group.start_soon(call)
            await until(lambda: rig.database.waiting, "it is being written")
            (task_id,) = [w.record.task_id for w in rig.database.commits[-1] if isinstance(w, SaveTask)]
            assert rig.core.broker.view(task_id) is None
            assert answers == []
            assert rig.launcher.specs == []
            rig.database.release()
        assert len(answers) == 1
        assert rig.core.broker.view(task_id) is not None
