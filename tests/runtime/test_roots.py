"""Root sessions over stub agents: turns, cancel, close, crash, notes, reopening."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import Code, Status
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import NotesOffered, TurnFinished
from codeg.sessions.connection import AgentFailure
from codeg.sessions.types import Image, TurnResult
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import until

pytestmark = pytest.mark.anyio


def turns(rig: Rig) -> list[TurnFinished]:
    return [what for what in rig.changes if isinstance(what, TurnFinished)]


async def turns_over(rig: Rig, count: int) -> None:
    await until(lambda: len(turns(rig)) == count, f"{count} turns are over")


def state(rig: Rig, session_id: str) -> str:
    record = rig.core.sessions.get(session_id)
    return record.state if record is not None else "not held"


async def test_a_session_is_opened_prompted_and_closed(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        assert state(rig, session_id) == "idle"
        for number in (1, 2):
            rig.core.roots.prompt(session_id, f"@say Answer {number}.")
            await turns_over(rig, number)
        assert [turn.result.text for turn in turns(rig) if turn.result] == ["Answer 1.", "Answer 2."]
        record = rig.core.sessions.get(session_id)
        assert record is not None
        assert (record.title, record.agent_session_id, record.state) == ("@say Answer 1.", "stub-1", "idle")
        await rig.core.roots.close(session_id)
        assert rig.launcher.live == 0
        assert state(rig, session_id) == "not held"
        await rig.core.roots.close(session_id)


async def test_an_ordinary_end_of_turn_leaves_tasks_at_work(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        view = await rig.call(rig.held("a"), session_id)
        await rig.launcher.prompted(1)
        for stop_reason in ("end_turn", "max_tokens", "refusal"):
            rig.core.roots.prompt(session_id, f"@say x @stop {stop_reason}")
            await turns_over(rig, len(turns(rig)) + 1)
        rig.let("a")
        assert (await rig.ended(view.record.task_id)).status is Status.COMPLETED


async def test_a_cancelled_turn_cancels_its_tasks_at_any_depth(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, rig.held("never"))
        await rig.launcher.prompted()
        outer = await rig.call(rig.held("outer"), session_id)
        await rig.launcher.prompted(1)
        inner = await rig.call(rig.held("inner"), outer.record.child_id)
        await rig.launcher.prompted(2)
        await rig.core.roots.cancel(session_id)
        for view in (outer, inner):
            assert (await rig.ended(view.record.task_id)).status is Status.CANCELED
        await until(lambda: turns(rig), "the turn is over")
        assert [turn.result.stop_reason for turn in turns(rig) if turn.result] == ["cancelled"]
        assert state(rig, session_id) == "idle"
        assert rig.launcher.live == 1


@pytest.mark.parametrize("how", ["close", "crash", "crash in a turn"])
async def test_when_a_session_goes_its_tasks_go(tmp_path: Path, how: str) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        connection = await rig.launcher.connection()
        view = await rig.call(rig.held("a"), session_id)
        await rig.launcher.prompted(1)
        if how == "close":
            await rig.core.roots.close(session_id)
        elif how == "crash":
            await connection.crash(AgentFailure(Code.AGENT_CRASHED, "It exited.", stderr=("bye",)))
        else:
            rig.core.roots.prompt(session_id, "@say x @exit 1")
        end = await rig.ended(view.record.task_id)
        assert end.record.end is not None
        assert end.record.end.code is Code.PARENT_GONE
        await until(lambda: rig.launcher.live == 0, "both agents are ended")
        await rig.settled()
        record = await rig.database.run(lambda store: store.session(session_id))
        assert record is not None
        assert record.state == ("ended" if how == "close" else "failed")
        with pytest.raises(UserError, match="is not open"):
            rig.core.roots.prompt(session_id, "more")


async def test_a_session_can_be_closed_while_it_opens(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.gate = anyio.Event()
        session_id = await rig.core.roots.begin("demo", str(tmp_path))
        await until(lambda: rig.launcher.starting, "it starts")
        await rig.core.roots.close(session_id)
        assert rig.launcher.live == 0


async def test_a_session_can_be_closed_in_its_turn(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, "@ignorecancel @noreply")
        connection = await rig.launcher.prompted()
        await rig.core.roots.close(session_id)
        assert connection.stopped


async def test_an_agent_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.launcher.stub.refusal = AgentFailure(Code.AUTH_REQUIRED, "Sign in first.")
        session_id = await rig.core.roots.begin("demo", str(tmp_path))
        with pytest.raises(AgentFailure, match="Sign in first"):
            await rig.core.roots.opened(session_id)
        await rig.settled()
        record = await rig.database.run(lambda store: store.session(session_id))
        assert record is not None
        assert record.state == "failed"


@pytest.mark.parametrize(
    ("agent", "folder", "code"),
    [
        ("nobody", ".", "invalid_agent_type"),
        ("codex", ".", "agent_disabled"),
        ("custom:quiet", ".", "agent_not_installed"),
        ("demo", "", "invalid_working_dir"),
        ("demo", "no/such", "invalid_working_dir"),
    ],
)
async def test_what_cannot_be_opened_is_refused_at_once(tmp_path: Path, agent: str, folder: str, code: str) -> None:
    async with open_rig(tmp_path) as rig:
        rig.catalogue.disabled.add("codex")
        rig.catalogue.missing.add("custom:quiet")
        cwd = str(tmp_path) if folder == "." else folder
        with pytest.raises(UserError) as refused:
            await rig.core.roots.begin(agent, cwd)
        assert refused.value.code == code


async def test_one_turn_at_a_time_and_never_an_empty_one(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        with pytest.raises(UserError, match="needs a text"):
            rig.core.roots.prompt(session_id, "  ")
        rig.core.roots.prompt(session_id, rig.held("a"))
        with pytest.raises(UserError, match="works on a turn"):
            rig.core.roots.prompt(session_id, "more")
        await rig.launcher.prompted()
        with pytest.raises(UserError, match="works on a turn"):
            rig.core.roots.prompt(session_id, "more")


async def test_a_prompt_cancelled_before_it_was_sent_is_over_all_the_same(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, "@say x")
        await rig.core.roots.cancel(session_id)
        assert [turn.code for turn in turns(rig)] == ["canceled"]
        assert rig.launcher.stub.prompts == []


@pytest.mark.parametrize("how", ["close", "crash"])
async def test_a_prompt_whose_session_goes_before_its_turn_is_over_all_the_same(tmp_path: Path, how: str) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        connection = await rig.launcher.connection()
        if how == "crash":
            await connection.crash(AgentFailure(Code.AGENT_CRASHED, "It exited."))
        rig.core.roots.prompt(session_id, "@say x")
        if how == "close":
            rig.core.roots.begin_close(session_id)
        await until(lambda: not rig.core.roots.is_live(session_id), "it has gone")
        assert [turn.code for turn in turns(rig)] == ["canceled" if how == "close" else "agent_crashed"]
        assert rig.launcher.stub.prompts == []


async def test_what_a_cancelled_turn_delegates_before_its_end_is_cancelled_too(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, f"@ignorecancel {rig.held('a')}")
        await rig.launcher.prompted()
        await rig.core.roots.cancel(session_id)
        late = await rig.call(rig.held("late"), session_id)
        rig.let("a")
        assert (await rig.ended(late.record.task_id)).status is Status.CANCELED
        await until(lambda: turns(rig), "the turn is over")
        rig.core.roots.prompt(session_id, "@say x")
        kept = await rig.call(rig.held("kept"), session_id)
        await turns_over(rig, 2)
        await rig.settled()
        assert (await rig.snapshot(kept.record.task_id)).status is Status.RUNNING


async def test_of_two_reopenings_at_once_one_drives_the_agent(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        await rig.core.roots.close(session_id)
        refused: list[UserError] = []

        async def reopen() -> None:
            try:
                await rig.core.roots.reopen(session_id)
            except UserError as error:
                refused.append(error)

        async with anyio.create_task_group() as group:
            group.start_soon(reopen)
            group.start_soon(reopen)
        assert [error.code for error in refused] == ["conflict"]
        await rig.core.roots.opened(session_id)
        assert rig.launcher.live == 1


async def test_a_session_that_is_begun_while_all_are_closed_does_not_start(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.database.hold()
        refused: list[UserError] = []

        async def begin() -> None:
            try:
                await rig.core.roots.begin("demo", str(tmp_path))
            except UserError as error:
                refused.append(error)

        async with anyio.create_task_group() as group:
            group.start_soon(begin)
            await anyio.wait_all_tasks_blocked()
            await rig.core.roots.close_all()
            rig.database.release()
        assert [error.code for error in refused] == ["host_unavailable"]
        assert rig.launcher.specs == []
        (record,) = await rig.database.run(lambda store: store.sessions_page(10))
        assert record.state == "ended"


async def test_notes_that_were_not_pulled_are_offered_and_delivered_with_the_next_prompt(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, rig.held("a"))
        await rig.launcher.prompted()
        note_id = await rig.core.desk.note(session_id, " Mind the tests. ")
        rig.let("a")
        await until(lambda: turns(rig), "the turn is over")
        offered = await until(
            lambda: [what for what in rig.changes if isinstance(what, NotesOffered)], "the note is offered"
        )
        assert [(note.note_id, note.text) for note in offered[0].notes] == [(note_id, "Mind the tests.")]
        rig.core.roots.prompt(session_id, "Mind the tests.", [note_id])
        await until(lambda: len(turns(rig)) == 2, "the turn is over")
        assert await rig.core.desk.feedback([session_id]) == []


async def test_notes_are_delivered_with_a_turn_that_is_over_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        note_id = await rig.core.desk.note(session_id, "Mind the tests.")
        connection = await rig.launcher.connection()

        async def instantly(_text: str, *, images: tuple[Image, ...], written: Callable[[], None]) -> TurnResult:
            assert images == ()
            written()
            return connection.result("end_turn")

        monkeypatch.setattr(connection, "prompt", instantly)
        rig.core.roots.prompt(session_id, "Mind the tests.", [note_id])
        await until(lambda: turns(rig), "the turn is over")
        assert await rig.core.desk.feedback([session_id]) == []
        assert not [what for what in rig.changes if isinstance(what, NotesOffered)]


async def test_an_ended_session_is_reopened_with_its_agents_memory(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, "@say One.")
        await until(lambda: turns(rig), "the turn is over")
        with pytest.raises(UserError, match="open already"):
            await rig.core.roots.reopen(session_id)
        await rig.core.roots.close(session_id)
        await rig.core.roots.reopen(session_id)
        await rig.core.roots.opened(session_id)
        assert rig.launcher.specs[1].resume_session_id == "stub-1"
        assert rig.launcher.specs[1].first_seq == 2
        with pytest.raises(UserError, match="no root session"):
            await rig.core.roots.reopen("nobody")


async def test_modes_and_facts_of_a_live_session(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        await rig.core.roots.set_mode(session_id, "plan")
        with pytest.raises(UserError):
            await rig.core.roots.set_mode(session_id, "no such mode")
        rig.core.roots.prompt(session_id, "@title A better title @usage 5 50 @say Done.")
        await until(lambda: turns(rig), "the turn is over")
        facts = rig.core.roots.facts(session_id)
        assert facts is not None
        assert (facts.mode, facts.usage.context_used, facts.live_line) == ("plan", 5, "Done.")
        record = rig.core.sessions.get(session_id)
        assert record is not None
        assert record.title == "A better title"
        assert rig.core.roots.facts("nobody") is None


async def test_a_refused_prompt_leaves_the_session_open(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, "@error -32603 no")
        await until(lambda: turns(rig), "the turn is over")
        assert turns(rig)[0].code == Code.SUBAGENT_ERROR
        await until(lambda: state(rig, session_id) == "idle", "it is idle again")
