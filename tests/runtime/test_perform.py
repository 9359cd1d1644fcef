"""Effects that cannot be begun come back as events; the loop's own are left alone."""

from pathlib import Path

import pytest

from codeg.broker.codes import Code
from codeg.broker.effects import Persist, SendPrompt, SpawnChild, StopChild, WakeAt
from codeg.broker.events import ChildGone, ChildStartFailed, Event
from codeg.runtime.children import Children
from codeg.runtime.perform import Performer
from tests.runtime.rig import open_rig
from tests.runtime.test_loop import record

pytestmark = pytest.mark.anyio


async def test_a_child_that_cannot_be_begun_has_failed_and_is_gone(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        posted: list[Event] = []
        around = rig.core.around
        object.__setattr__(around, "post", posted.append)
        performer = Performer(around, Children(around))  # its group does not run: nothing can be started
        performer.perform(SpawnChild(record("a"), resume=False))
        failed, gone = posted
        assert isinstance(failed, ChildStartFailed)
        assert failed.code is Code.SPAWN_FAILED
        assert gone == ChildGone("a", 1)


async def test_what_is_late_or_the_loops_own_does_nothing(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        performer = Performer(rig.core.around, rig.core.children)
        for effect in (
            SendPrompt("gone", 1, "text"),
            StopChild("gone", 1, cancel_turn=True),
            WakeAt(1.0),
            Persist(record("a")),
        ):
            performer.perform(effect)
        await rig.settled()
        assert rig.changes == []
