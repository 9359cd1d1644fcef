"""The table: every pair of phase and event is a row that does what it says, or illegal and changes nothing."""

import pickle
import re
from collections.abc import Callable

import pytest

from codeg.broker import rows
from codeg.broker.codes import BlockKind, Code, Phase
from codeg.broker.events import (
    CallWithdrawn,
    CancelRequested,
    ChildBlocked,
    ChildFailed,
    ChildGone,
    ChildSpawned,
    ChildStartFailed,
    ChildUnblocked,
    FolderAnswered,
    FollowUpRequested,
    HostStarted,
    HostStopping,
    LeaseBegan,
    LeaseEnded,
    ParentCanceled,
    ParentGone,
    PromptAccepted,
    ResumeRequested,
    SessionReady,
    StartRequested,
    TurnEnded,
)
from codeg.broker.ledger import Ledger
from codeg.broker.tasks import Block, Limits
from codeg.broker.transitions import (
    BIRTHS,
    TABLE,
    IllegalTransition,
    RunTimeUp,
    SlotDenied,
    SlotFreed,
    UnattendedTimeUp,
    mermaid,
)
from tests.broker.bench import PROCESS, Bench

TASK = "t9"
EVENTS: dict[type, Callable[[], object]] = {
    FolderAnswered: lambda: FolderAnswered(TASK, allowed=True),
    ChildSpawned: lambda: ChildSpawned(TASK, 1, PROCESS),
    SessionReady: lambda: SessionReady(TASK, 1, "s", "load"),
    PromptAccepted: lambda: PromptAccepted(TASK, 1),
    ChildStartFailed: lambda: ChildStartFailed(TASK, 1, Code.SPAWN_FAILED, "no"),
    TurnEnded: lambda: TurnEnded(TASK, 1, "end_turn", b"x"),
    ChildFailed: lambda: ChildFailed(TASK, 1, Code.AGENT_CRASHED, "no"),
    ChildGone: lambda: ChildGone(TASK, 1),
    ChildBlocked: lambda: ChildBlocked(TASK, 1, Block(BlockKind.QUESTION, "r9", "?", 1)),
    ChildUnblocked: lambda: ChildUnblocked(TASK, 1, "r9"),
    CancelRequested: lambda: CancelRequested(9_999, None, TASK),
    CallWithdrawn: lambda: CallWithdrawn("root", "h9"),
    ResumeRequested: lambda: ResumeRequested(9_999, None, TASK, None),
    FollowUpRequested: lambda: FollowUpRequested(9_999, TASK, "and then?", None),
    StartRequested: lambda: StartRequested(9_999, TASK),
    ParentCanceled: lambda: ParentCanceled("root"),
    ParentGone: lambda: ParentGone("root"),
    LeaseEnded: lambda: LeaseEnded("root"),
    LeaseBegan: lambda: LeaseBegan("root"),
    HostStopping: HostStopping,
    HostStarted: HostStarted,
    SlotFreed: SlotFreed,
    SlotDenied: SlotDenied,
    RunTimeUp: lambda: RunTimeUp(5),
    UnattendedTimeUp: lambda: UnattendedTimeUp(5),
}
INTERNAL = {SlotFreed, SlotDenied, RunTimeUp, UnattendedTimeUp, HostStarted}
"""Applied to the task itself: they do not come from outside, or (HostStarted) bring their task along."""


def bench_in(phase: Phase) -> Bench:
    bench = Bench(Limits(live_per_parent=1))
    if phase is Phase.QUEUED:
        bench.call()
    asked = "q9" if phase is Phase.ASKING else None
    bench.call(task_id=TASK, child_id="c9", external_handle="h9", folder_question=asked)
    if phase in (Phase.STARTING, Phase.RUNNING, Phase.STOPPING, Phase.DRAINING, Phase.ENDED):
        bench.prompted(TASK)
    if phase in (Phase.RUNNING, Phase.STOPPING, Phase.DRAINING, Phase.ENDED):
        bench.accepted(TASK)
    if phase is Phase.STOPPING:
        bench.cancel(TASK)
    if phase in (Phase.DRAINING, Phase.ENDED):
        bench.end_turn(TASK, b"half", "max_tokens")
    if phase is Phase.ENDED:
        bench.gone(TASK)
    bench.advance(0)
    assert bench.phase(TASK) is phase
    return bench


def state(ledger: Ledger) -> bytes:
    return pickle.dumps(ledger._book)  # pyright: ignore[reportPrivateUsage]  # the whole state, to see that nothing moved


def apply(bench: Bench, event: object) -> None:
    if type(event) in INTERNAL:
        book = bench.ledger._book  # pyright: ignore[reportPrivateUsage]  # internal events have no way in from outside
        rows.step(book, book.cells[TASK], event)
    else:
        bench.apply(event)  # pyright: ignore[reportArgumentType]  # each is an event, by the table above


def test_every_kind_of_event_that_a_row_names_is_walked() -> None:
    assert {kind for row in TABLE.values() for kind in row} == set(EVENTS)
    assert set(TABLE) == set(Phase)


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("kind", list(EVENTS), ids=lambda kind: kind.__name__)
def test_a_pair_is_listed_or_illegal_and_then_nothing_changes(phase: Phase, kind: type) -> None:
    bench = bench_in(phase)
    row = TABLE[phase].get(kind)
    if row is None:
        before = state(bench.ledger)
        with pytest.raises(IllegalTransition):
            apply(bench, EVENTS[kind]())
        assert state(bench.ledger) == before
    else:
        apply(bench, EVENTS[kind]())
        assert bench.phase(TASK) in row.goes
        if row.act == "drop":
            assert row.goes == (phase,)


def test_every_handler_is_named_by_a_row_and_every_row_names_one() -> None:
    assert {row.act for table in TABLE.values() for row in table.values()} == set(rows.HANDLERS)


def test_no_row_leads_from_a_shown_end_to_anything_but_its_rest_or_a_resume() -> None:
    for phase in (Phase.DRAINING, Phase.ENDED):
        for kind, row in TABLE[phase].items():
            moves = set(row.goes) - {phase, Phase.ENDED}
            assert not moves or kind in (ResumeRequested, FollowUpRequested, ChildGone)


def test_the_diagram_shows_every_move_of_the_table_once() -> None:
    diagram = mermaid()
    assert diagram.startswith("stateDiagram-v2\n")
    edges = re.findall(r"^    (\w+) --> (\w+): (.+)$", diagram, re.MULTILINE)
    drawn = {(a, b, kind) for a, b, kinds in edges for kind in kinds.split(", ")}
    moves = {
        (phase.value, goes.value, kind.__name__)
        for phase, table in TABLE.items()
        for kind, row in table.items()
        for goes in row.goes
        if goes is not phase
    }
    assert drawn == moves
    assert diagram.count("[*] -->") == len(BIRTHS)
    assert len(edges) == len({(a, b) for a, b, _ in edges})


def test_the_diagram_is_the_same_each_time() -> None:
    assert mermaid() == mermaid()
