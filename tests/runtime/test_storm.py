"""Many tasks at once, ended in every way at every moment: nothing is left, and every start is accounted for once."""

import random
from collections import Counter
from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import END_STATUSES
from codeg.broker.effects import Effect, SpawnChild
from codeg.broker.events import ChildGone, Event
from codeg.broker.tasks import Limits, TaskView
from codeg.sessions.connection import AgentFailure
from tests.runtime.rig import Rig, open_rig

pytestmark = pytest.mark.anyio

SCRIPTS = (
    "@say Done.",
    "@noreply",
    "@ignorecancel @noreply",
    "@exit 1",
    "@error -32603 no",
    "@perm 1",
    "@sleep 0.01 @say x",
)


class Accounts:
    """Counts starts and ends of attempts."""

    def __init__(self, rig: Rig) -> None:
        self.spawned: Counter[tuple[str, int]] = Counter()
        self.gone: Counter[tuple[str, int]] = Counter()
        broker = rig.core.broker
        perform, post = broker._perform, rig.core.around.post
        assert perform is not None

        def performing(effect: Effect) -> None:
            if isinstance(effect, SpawnChild):
                self.spawned[effect.record.task_id, effect.record.attempt] += 1
            perform(effect)

        def posting(event: Event) -> None:
            if isinstance(event, ChildGone):
                self.gone[event.task_id, event.attempt] += 1
            post(event)

        broker._perform = performing
        object.__setattr__(rig.core.around, "post", posting)


async def one_task(rig: Rig, chance: random.Random) -> None:
    await anyio.sleep(chance.random() * 0.2)
    parent = chance.choice(["one", "two", "three"])
    answer = await rig.try_call(chance.choice(SCRIPTS), parent, agent=chance.choice(["demo", "codex"]))
    if not isinstance(answer, TaskView):
        return
    task_id = answer.record.task_id
    for _ in range(chance.randrange(6)):
        for _ in range(chance.randrange(20)):
            await anyio.lowlevel.checkpoint()
        await chance.choice([rig.cancel, rig.resume, rig.resume, rig.snapshot])(task_id)


async def disturb(rig: Rig, chance: random.Random) -> None:
    while True:
        await anyio.sleep(0.005)
        match chance.randrange(4):
            case 0:
                rig.database.hold()
                await anyio.sleep(0.003)
                rig.database.release()
            case 1 if rig.launcher.stub.connections:
                await chance.choice(rig.launcher.stub.connections).crash(AgentFailure("agent_crashed", "It exited."))
            case 2:
                rig.launcher.stub.refusal = chance.choice([None, None, AgentFailure("agent_start_timeout", "No.")])
            case _:
                pass


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_every_start_has_one_end_and_nothing_is_left(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    limits = Limits(live_per_parent=8, live_per_root=8, queue_limit=20)
    async with open_rig(tmp_path, limits, starts_at_once=3) as rig:
        accounts = Accounts(rig)
        async with anyio.create_task_group() as disturbing:
            disturbing.start_soon(disturb, rig, chance)
            async with anyio.create_task_group() as tasks:
                for _ in range(40):
                    tasks.start_soon(one_task, rig, chance)
            disturbing.cancel_scope.cancel()
        rig.database.release()
        launcher, tokens, desk, core = rig.launcher, rig.tokens, rig.core.desk, rig.core
    assert accounts.spawned == accounts.gone
    assert any(attempt > 1 for _, attempt in accounts.spawned), "some were resumed"
    assert max(accounts.spawned.values(), default=1) == 1
    assert (launcher.live, launcher.starting, tokens.live, desk.asks()) == (0, 0, {}, [])
    assert core.snapshots.take().tasks == ()
    assert core.sessions.processes() == ()
    async with open_rig(tmp_path) as rig:
        stored = await rig.database.run(lambda store: store.tasks_page(1000))
        assert all(record.end is not None and record.end.status in END_STATUSES for record in stored)
        assert await rig.database.run(lambda store: store.live_tasks()) == ()
        assert await rig.database.run(lambda store: store.processes()) == ()
        assert rig.leftovers.ended == []
        assert all(session.state in {"ended", "failed"} for session in await rig.core.sessions.page())
