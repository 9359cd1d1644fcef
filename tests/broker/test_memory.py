"""What is remembered, and for how long: early cancels and ended tasks."""

from codeg.broker.retention import GRACE_S, Retention
from codeg.broker.withdrawals import MOST_PER_PARENT, REMEMBER_S, Withdrawals


def never(_task_id: str) -> bool:
    return False


def test_an_early_cancel_is_remembered_with_its_reason_for_a_minute() -> None:
    memory = Withdrawals()
    memory.remember("p", "h", "why", 0.0)
    memory.remember("p", "h", "again", 30.0)
    assert memory.reason("p", "h", REMEMBER_S - 0.1) == "why"
    assert memory.reason("p", "h", REMEMBER_S) is None
    assert len(memory) == 0


def test_handles_belong_to_their_parent_and_go_with_it() -> None:
    memory = Withdrawals()
    memory.remember("p", "h", "", 0.0)
    assert memory.reason("q", "h", 0.0) is memory.reason("p", None, 0.0) is memory.reason("p", "i", 0.0) is None
    assert memory.reason("p", "h", 0.0) == ""
    memory.forget("p")
    memory.forget("p")
    assert memory.reason("p", "h", 0.0) is None


def test_over_256_the_oldest_of_that_parent_goes() -> None:
    memory = Withdrawals()
    memory.remember("q", "h0", "", 0.0)
    for number in range(MOST_PER_PARENT + 1):
        memory.remember("p", f"h{number}", "", 0.0)
    assert memory.reason("p", "h0", 0.0) is None
    assert memory.reason("p", "h1", 0.0) is not None
    assert memory.reason("q", "h0", 0.0) is not None
    assert len(memory) == MOST_PER_PARENT + 1


def test_old_handles_are_forgotten_though_their_parent_adds_new_ones() -> None:
    memory = Withdrawals()
    memory.remember("p", "old", "", 0.0)
    memory.remember("p", "new", "", 50.0)
    assert memory.reason("p", "old", 70.0) is None
    memory.remember("p", "newer", "", 70.0)
    assert len(memory) == 2


def test_parents_that_say_no_more_are_forgotten() -> None:
    memory = Withdrawals()
    for number in range(100):
        memory.remember(f"p{number}", "h", "", 0.0)
    memory.remember("q", "h", "", REMEMBER_S)
    assert len(memory) == 1


def test_the_oldest_end_is_let_go_first() -> None:
    retention = Retention(keep=2)
    for number in range(4):
        retention.add(f"t{number}", float(number))
    retention.add("t0", 4.0)
    assert retention.surplus(100.0, never) == ["t1", "t2"]
    assert len(retention) == 2


def test_what_was_recalled_a_moment_ago_stays_until_there_is_far_too_much() -> None:
    retention = Retention(keep=1, most=3)
    for number in range(3):
        retention.add(f"t{number}", 0.0)
    assert retention.surplus(GRACE_S - 0.1, never) == []
    retention.add("t3", 0.0)
    assert retention.surplus(0.0, never) == ["t0"]
    assert retention.surplus(GRACE_S, never) == ["t1", "t2"]


def test_what_is_open_again_or_pinned_is_not_let_go() -> None:
    retention = Retention(keep=0)
    retention.add("open", 0.0)
    retention.add("pinned", 0.0)
    retention.remove("open")
    retention.remove("never-was")
    assert retention.surplus(100.0, lambda task_id: task_id == "pinned") == []
    assert retention.surplus(105.0, never) == []
    assert retention.surplus(110.0, never) == ["pinned"]
