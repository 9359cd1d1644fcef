"""The list of sessions as the person keeps it: titles, marks, deletion, and a front end's own memory."""

from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import Status
from codeg.runtime import shelf as module
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import SessionChanged, SessionDeleted, TaskChanged
from codeg.store.records import SessionRecord
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import until

pytestmark = pytest.mark.anyio


def told(rig: Rig, session_id: str) -> SessionRecord:
    found = [what.record for what in rig.changes if isinstance(what, SessionChanged)]
    return [record for record in found if record.session_id == session_id][-1]


async def stored(rig: Rig, session_id: str) -> SessionRecord | None:
    return await rig.database.run(lambda store: store.session(session_id))


async def outside(rig: Rig, state: str = "gone") -> str:
    record = SessionRecord("guest", "outside", str(rig.folder), state, 1, 1, "guest", host="claude-code")
    await rig.core.sessions.save(record)
    return record.session_id


async def ended_root(rig: Rig) -> str:
    session_id = await rig.root()
    await rig.core.roots.close(session_id)
    return session_id


# ---- titles and marks


async def test_the_persons_title_is_durable_told_and_one_line(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        record = await rig.core.shelf.rename(session_id, "  My \n title ")
        assert record.custom_title == "My title"
        assert told(rig, session_id) == record == rig.core.sessions.get(session_id)
    async with open_rig(tmp_path) as rig:
        assert (await rig.core.shelf.rename(session_id, "")).custom_title == ""


async def test_what_the_host_saves_later_keeps_the_marks(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        stale = rig.core.sessions.get(session_id)
        assert stale is not None
        await rig.core.shelf.rename(session_id, "Mine")
        await rig.core.shelf.mark(session_id, pinned=True, archived=None, seen=True)
        await rig.core.sessions.save(stale)
        for record in (rig.core.sessions.get(session_id), told(rig, session_id), await stored(rig, session_id)):
            assert record is not None
            assert (record.custom_title, record.pinned, record.archived) == ("Mine", True, False)
            assert record.seen_ms > 0
        await rig.core.roots.close(session_id)
        record = await rig.core.shelf.mark(session_id, pinned=False, archived=True, seen=False)
        assert (record.custom_title, record.pinned, record.archived, record.seen_ms) == ("Mine", False, True, 0)
        assert told(rig, session_id).state == "ended"


async def test_a_mark_that_is_set_while_the_session_ends_meets_its_last_state(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.database.hold()
        async with anyio.create_task_group() as group:
            group.start_soon(rig.core.shelf.rename, session_id, "Mine")
            await until(lambda: rig.database.waiting, "the mark is on its way")
            await rig.core.roots.close(session_id)
            rig.database.release()
        assert (told(rig, session_id).custom_title, told(rig, session_id).state) == ("Mine", "ended")
        assert await stored(rig, session_id) == told(rig, session_id)


async def test_what_cannot_be_marked_is_said(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        with pytest.raises(UserError, match="There is no session nobody"):
            await rig.core.shelf.rename("nobody", "x")
        with pytest.raises(UserError, match="at most 200 characters"):
            await rig.core.shelf.rename(await rig.root(), "x" * 201)


# ---- deletion


async def test_a_live_root_goes_with_everything_below_it(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id, other = await rig.root(), await rig.root()
        outer = await rig.call(rig.held("outer"), session_id)
        await rig.launcher.prompted(2)
        inner = await rig.call(rig.held("inner"), outer.record.child_id)
        await rig.launcher.prompted(3)
        done = await rig.call("@say Done.", session_id)
        await rig.ended(done.record.task_id)
        rig.core.desk.open_asks.shown()
        await rig.core.shelf.delete(session_id)
        assert rig.launcher.live == 1, "only the other root's agent"
        tree = {session_id, outer.record.child_id, inner.record.child_id, done.record.child_id}
        gone = [what.session_id for what in rig.changes if isinstance(what, SessionDeleted)]
        assert (set(gone), gone[-1], len(gone)) == (tree, session_id, 4)
        for each in tree:
            assert await stored(rig, each) is None
            assert await rig.database.run(lambda store, each=each: store.entry_count(each)) == 0
        left = await rig.database.run(lambda store: (store.tasks_page(10), store.sessions_page(10)))
        assert (left[0], [record.session_id for record in left[1]]) == ((), [other])
        for view in (outer, inner, done):
            await rig.core.broker.recall((view.record.task_id,))
            assert rig.core.broker.view(view.record.task_id) is None
        ends = [what.view for what in rig.changes if isinstance(what, TaskChanged)]
        assert {view.record.task_id for view in ends if view.status is Status.CANCELED} == {
            outer.record.task_id,
            inner.record.task_id,
        }
        with pytest.raises(UserError, match="no session"):
            await rig.core.shelf.delete(session_id)
        with pytest.raises(UserError, match="no root session"):
            await rig.core.roots.reopen(session_id)
        with pytest.raises(UserError, match="no session"):
            await rig.core.desk.note(session_id, "hello")
    async with open_rig(tmp_path) as rig:
        assert [record.session_id for record in await rig.core.sessions.page()] == [other]


async def test_an_ended_session_goes_without_a_start(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await ended_root(rig)
        await rig.core.shelf.delete(session_id)
        assert await stored(rig, session_id) is None
        assert rig.core.snapshots.take().sessions == ()


async def test_an_outside_session_goes_once_it_is_gone_and_nothing_late_brings_it_back(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        await outside(rig, "connected")
        with pytest.raises(UserError, match="is connected; end claude-code first"):
            await rig.core.shelf.delete("guest")
        late = told(rig, "guest")
        await outside(rig)
        await rig.core.shelf.delete("guest")
        await rig.core.sessions.save(late)
        rig.core.sessions.put(late)
        await rig.settled()
        assert await stored(rig, "guest") is None
        assert rig.core.sessions.get("guest") is None
        assert rig.core.sessions.parent("guest") is None


async def test_what_a_deleted_session_asked_or_wrote_is_nowhere_any_more(tmp_path: Path) -> None:
    question = {
        "question": "Which?",
        "header": "Which",
        "multiSelect": False,
        "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}],
    }
    async with open_rig(tmp_path) as rig:
        await outside(rig)
        view = await rig.call("@say A secret.", "guest")
        await rig.ended(view.record.task_id)
        assert (await rig.core.desk.ask(["guest"], [question], None, 0))["state"] == "pending"
        assert await rig.text(view.record.task_id) == "A secret."
        await rig.core.shelf.delete("guest")
        assert rig.core.desk.asks() == []
        assert await rig.text(view.record.task_id) == ""
        assert await rig.database.run(lambda store: store.questions()) == ()


async def test_a_child_is_not_deleted_alone(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        view = await rig.call("@say Done.", session_id)
        await rig.ended(view.record.task_id)
        with pytest.raises(UserError, match="delete that one"):
            await rig.core.shelf.delete(view.record.child_id)
        with pytest.raises(UserError, match="There is no session nobody"):
            await rig.core.shelf.delete("nobody")


async def test_while_it_is_deleted_nothing_begins_in_it(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        await rig.call(rig.held("a"), session_id)
        await rig.launcher.prompted(1)
        rig.launcher.end_gate = anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(rig.core.shelf.delete, session_id)
            await until(lambda: rig.core.sessions.is_deleted(session_id), "the deletion began")
            assert rig.core.sessions.parent(session_id) is None
            for again in (rig.core.shelf.delete(session_id), rig.core.shelf.rename(session_id, "x")):
                with pytest.raises(UserError, match="no session"):
                    await again
            rig.launcher.end_gate.set()
        assert await stored(rig, session_id) is None


async def test_a_session_that_is_about_to_be_opened_again_is_not(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await ended_root(rig)
        rig.database.hold()
        async with anyio.create_task_group() as group:

            async def reopen() -> None:
                with pytest.raises(UserError, match="There is no root session"):
                    await rig.core.roots.reopen(session_id)

            group.start_soon(reopen)
            await until(lambda: rig.database.waiting, "its new state is on its way")
            group.start_soon(rig.core.shelf.delete, session_id)
            await until(lambda: rig.core.sessions.is_deleted(session_id), "the deletion began")
            rig.database.release()
        assert await stored(rig, session_id) is None
        assert rig.core.sessions.get(session_id) is None
        assert rig.launcher.live == 0


async def test_a_deletion_that_cannot_be_leaves_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "END_S", 0.05)
    async with open_rig(tmp_path) as rig:
        session_id = await ended_root(rig)
        view = await rig.call(rig.held("a"), session_id)
        await rig.launcher.prompted(1)
        rig.launcher.end_gate = anyio.Event()
        with pytest.raises(UserError, match="delete it again in a moment"):
            await rig.core.shelf.delete(session_id)
        assert not rig.core.sessions.is_deleted(session_id)
        assert await stored(rig, session_id) is not None
        rig.launcher.end_gate.set()
        await rig.ended(view.record.task_id)
        monkeypatch.setattr(module, "END_S", 20)
        await rig.core.shelf.delete(session_id)
        assert await stored(rig, session_id) is None


async def test_a_deletion_that_is_given_up_leaves_the_session(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.launcher.end_gate = anyio.Event()
        with anyio.move_on_after(0.05) as given_up:
            await rig.core.shelf.delete(session_id)
        assert given_up.cancelled_caught
        assert not rig.core.sessions.is_deleted(session_id)
        rig.launcher.end_gate.set()
        await rig.core.shelf.delete(session_id)
        assert await stored(rig, session_id) is None


async def test_a_long_conversation_is_erased_in_portions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ERASED_AT_ONCE", 1)
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, "@say One.")
        await until(lambda: not rig.core.roots.facts(session_id) or told(rig, session_id).state == "idle", "idle")
        await rig.core.shelf.delete(session_id)
        assert await rig.database.run(lambda store: store.entry_count(session_id)) == 0


# ---- a front end's own memory


async def test_what_is_kept_comes_back_after_a_restart(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        assert await rig.core.shelf.kept("layout") is None
        await rig.core.shelf.keep("layout", '{"panes": 2}')
        for name, text, why in (("", "x", "a name"), ("n" * 201, "x", "a name"), ("n", "x" * (2**22 + 1), "at most")):
            with pytest.raises(UserError, match=why):
                await rig.core.shelf.keep(name, text)
    async with open_rig(tmp_path) as rig:
        assert await rig.core.shelf.kept("layout") == '{"panes": 2}'
