"""The core as a whole: how it stops, what it finds of an earlier host, what a failing disk does."""

from pathlib import Path
from typing import cast

import anyio
import pytest

from codeg.broker.codes import Code, Status
from codeg.broker.tasks import Limits, ProcessIdentity, Refused
from codeg.runtime import core
from codeg.runtime.core import open_core
from codeg.runtime.database import open_database
from codeg.runtime.loop import HostFailed
from codeg.sessions.types import ProcessStarted
from codeg.store.records import SaveProcess, SaveSession, SaveTask, SessionRecord
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import HeldDatabase, until

pytestmark = pytest.mark.anyio


def leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for each in group.exceptions for leaf in leaves(each)]
    return [error]


async def test_a_stopped_host_leaves_no_agent_and_live_tasks_are_interrupted(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        running = await rig.call(f"@say Half. {rig.held('a')}")
        await rig.launcher.prompted()
        session_id = await rig.root()
        rig.launcher.gate = anyio.Event()
        starting = await rig.call(rig.held("b"), session_id)
        await until(lambda: rig.launcher.starting, "the second one starts")
        launcher, tokens = rig.launcher, rig.tokens
    assert (launcher.live, tokens.live) == (0, {})
    async with open_rig(tmp_path) as rig:
        await rig.core.broker.recall([running.record.task_id, starting.record.task_id])
        for view, text in ((running, "Half."), (starting, "")):
            end = await rig.snapshot(view.record.task_id)
            assert end.status is Status.INTERRUPTED
            assert await rig.text(view.record.task_id) == text
        root = await rig.database.run(lambda store: store.session(session_id))
        assert root is not None
        assert root.state == "ended"
        assert rig.leftovers.ended == []


async def test_a_disk_that_hangs_does_not_hold_up_the_end_of_the_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "SETTLE_S", 0.01)
    rigs: list[Rig] = []

    async def host() -> None:
        async with open_rig(tmp_path) as rig:
            await rig.call(rig.held("a"))
            await rig.launcher.prompted()
            await rig.settled()
            rig.database.hold()
            rigs.append(rig)

    async with anyio.create_task_group() as group:
        group.start_soon(host)
        await until(lambda: rigs, "a child works")
        await until(lambda: rigs[0].launcher.live == 0, "its agent is ended")
        rigs[0].database.release()
    async with open_database(str(tmp_path / "codeg.db")) as database:
        (task,) = await database.run(lambda store: store.tasks_page(10))
    assert task.end is not None
    assert task.end.status is Status.INTERRUPTED


async def test_an_interrupted_task_goes_on_in_the_next_host(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        sessions = rig.launcher.stub.sessions
    async with open_rig(tmp_path) as rig:
        rig.launcher.stub.sessions |= sessions
        await rig.core.broker.recall([view.record.task_id])
        assert not isinstance(await rig.resume(view.record.task_id), Refused)
        end = await rig.ended(view.record.task_id)
        assert (end.status, end.record.attempt) == (Status.COMPLETED, 2)


async def test_cancelling_the_host_ends_it_as_cleanly(tmp_path: Path) -> None:
    launchers: list[Rig] = []

    async def host() -> None:
        async with open_rig(tmp_path) as rig:
            launchers.append(rig)
            await rig.call(rig.held("a"))
            await rig.launcher.prompted()
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        group.start_soon(host)
        await until(lambda: launchers and launchers[0].launcher.stub.prompts, "a child works")
        group.cancel_scope.cancel()
    assert (launchers[0].launcher.live, launchers[0].tokens.live) == (0, {})
    async with open_database(str(tmp_path / "codeg.db")) as database:
        (task,) = await database.run(lambda store: store.tasks_page(10))
        assert task.end is not None
        assert task.end.status is Status.INTERRUPTED
        assert await database.run(lambda store: store.processes()) == ()


async def test_an_error_in_the_hosts_body_ends_it_as_cleanly(tmp_path: Path) -> None:
    rigs: list[Rig] = []
    with pytest.raises(BaseExceptionGroup) as caught:
        async with open_rig(tmp_path) as rig:
            rigs.append(rig)
            await rig.call(rig.held("a"))
            await rig.launcher.prompted()
            raise RuntimeError("the front end's own")
    assert [str(leaf) for leaf in leaves(caught.value)] == ["the front end's own"]
    assert rigs[0].launcher.live == 0


async def test_what_an_earlier_host_left_is_ended_before_anything_is_resumed(tmp_path: Path) -> None:
    process = ProcessIdentity("boot", 1, 2, 3, 4)
    child = SessionRecord("child", "child", "/", "running", 1, 1, "root", 1)
    outside = SessionRecord("outside", "outside", "/", "connected", 1, 1, "outside")
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveProcess("child", process), SaveSession(child), SaveSession(outside)])
    async with open_rig(tmp_path) as rig:
        assert rig.leftovers.ended == [ProcessStarted("boot", 1, 2, 3, 4)]
        await rig.settled()
        states = {record.session_id: record.state for record in await rig.core.sessions.page()}
        assert states == {"child": "ended", "outside": "gone"}
        assert await rig.database.run(lambda store: store.processes()) == ()


async def test_tasks_at_work_when_a_host_was_killed_are_interrupted(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        await rig.settled()
        record = await rig.database.run(lambda store: store.task(view.record.task_id))
        assert record is not None
    # The end that the clean stop wrote is taken back: the store is as a killed host leaves it.
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveTask(record)])
    async with open_rig(tmp_path) as rig:
        await rig.settled()
        end = await rig.ended(view.record.task_id)
        assert end.status is Status.INTERRUPTED


async def test_a_failing_disk_ends_the_host_with_one_sentence_and_all_agents(tmp_path: Path) -> None:
    rig = Rig(tmp_path, Limits(), 2)
    answers: list[object] = []
    with pytest.raises(BaseExceptionGroup) as caught:
        async with open_database(str(tmp_path / "codeg.db")) as real:
            rig.database = HeldDatabase(real)
            async with open_core(rig.database, rig.parts) as core:
                rig.core = core
                await rig.call(rig.held("a"))
                await rig.launcher.prompted()
                rig.database.fault = OSError("disk full")
                answers.append(await rig.try_call("@say 2"))
                await anyio.sleep_forever()
    (failure,) = leaves(caught.value)
    assert isinstance(failure, HostFailed)
    assert "disk full" in str(failure)
    assert [answer.code for answer in answers if isinstance(answer, Refused)] in ([Code.HOST_UNAVAILABLE], [])
    assert (rig.launcher.live, rig.tokens.live) == (0, {})
