"""What agents spent: rows of turns and attempts, and the sum of the day."""

from datetime import datetime
from pathlib import Path

import pytest

from codeg.runtime.snapshots import DayUsageChanged
from codeg.runtime.spending import midnight_ms
from codeg.sessions.types import TurnUsage
from codeg.store.records import DayUsage
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import until

pytestmark = pytest.mark.anyio


def told(rig: Rig) -> list[DayUsage]:
    return [what.usage for what in rig.changes if isinstance(what, DayUsageChanged)]


def test_the_day_begins_at_local_midnight() -> None:
    noon = datetime(2025, 3, 9, 12, 30, 5)  # noqa: DTZ001  # the machine's own day
    assert midnight_ms(int(noon.timestamp() * 1000)) == int(datetime(2025, 3, 9).timestamp() * 1000)  # noqa: DTZ001


async def test_turns_of_roots_and_attempts_of_tasks_are_summed_and_told(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        assert await rig.core.spending.today() == DayUsage()
        rig.core.roots.prompt(session_id, "@usage 10 100 @say One.")
        await until(lambda: told(rig), "the root's turn was told")
        first = told(rig)[-1]
        assert first == await rig.core.spending.today()
        view = await rig.call("@usage 10 100 @say Two.", session_id)
        await rig.ended(view.record.task_id)
        await until(lambda: dict(told(rig)[-1].cost) == {"USD": 1.0}, "the task was told")
        assert first.cost == (("USD", 0.5),)
    async with open_rig(tmp_path) as rig:
        assert dict((await rig.core.spending.today()).cost) == {"USD": 1.0}


async def test_a_failed_attempt_spent_what_it_told_once(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@usage 10 100 @exit 3")
        await rig.ended(view.record.task_id)
        await until(lambda: told(rig), "it was told")
        assert (await rig.core.spending.today()).cost == (("USD", 0.5),)


async def test_nothing_reported_is_nothing_written(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        rig.core.spending.turn_over("a", TurnUsage(context_used=5, cost_amount=1.0))
        assert await rig.core.spending.today() == DayUsage()
        rig.core.spending.turn_over("a", TurnUsage(input_tokens=3))
        rig.core.spending.turn_over("a", TurnUsage(output_tokens=4, cost_amount=0.25, cost_currency="EUR"))
        assert await rig.core.spending.today() == DayUsage(7, (("EUR", 0.25),))
