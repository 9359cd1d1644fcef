"""Which tool call of the parent is which task (contract 6, Parent's tool call; broker.md 4.9 and 6.G)."""

import pytest

from codeg.broker.codes import Code
from codeg.broker.effects import Announce, Persist
from codeg.broker.events import CallWithdrawn, ParentCanceled, ParentGone, ToolCallSeen
from codeg.broker.matching import MOST_ANNOUNCED, MOST_CALLS, MOST_PARENTS, MOST_USED, Matcher
from codeg.broker.tasks import Limits, Parent
from tests.broker.bench import OTHER, OUTSIDE, ROOT, Bench, of


def announce(bench: Bench, call_id: str, task: str | None = "do it", **more: object) -> None:
    known: dict[str, object] = {
        "parent_id": "root",
        "tool_call_id": call_id,
        "agent_type": None if task is None else "demo",
        "task_text": task,
        "explicit_dir": None,
    }
    bench.apply(ToolCallSeen(**(known | more)))  # pyright: ignore[reportArgumentType]  # keywords of the test


def card(bench: Bench, task_id: str) -> str:
    return bench.record(task_id).tool_use_id


def test_a_call_finds_the_announcement_that_came_before_it() -> None:
    bench = Bench()
    announce(bench, "a")
    assert card(bench, bench.call()) == "a"


def test_an_announcement_finds_the_call_that_came_before_it_and_the_card_moves() -> None:
    bench = Bench()
    task_id = bench.running()
    before = len(bench.stream)
    announce(bench, "a")
    assert card(bench, task_id) == "a"
    assert [type(effect) for effect in bench.stream[before:]] == [Persist, Announce]


def test_a_call_without_any_announcement_works_all_the_same() -> None:
    bench = Bench()
    assert card(bench, bench.finish(bench.running())) == ""


def test_a_late_announcement_moves_the_card_of_a_task_that_has_ended() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    announce(bench, "a")
    assert card(bench, task_id) == "a"


def test_parallel_calls_bind_by_their_arguments_in_either_order() -> None:
    for order in (("one", "two"), ("two", "one")):
        bench = Bench()
        announce(bench, "a", "one")
        announce(bench, "b", "two")
        cards = {task: card(bench, bench.call(task=task)) for task in order}
        assert cards == {"one": "a", "two": "b"}
        assert card(bench, bench.call(task="one")) == "", "an announcement is claimed once"


def test_the_same_text_for_different_agents_does_not_swap() -> None:
    bench = Bench()
    announce(bench, "a", agent_type="codex")
    announce(bench, "b", agent_type="demo")
    assert card(bench, bench.call(agent="demo")) == "b"


def test_the_same_text_in_different_explicit_folders_does_not_swap() -> None:
    bench = Bench()
    announce(bench, "a", explicit_dir="/x")
    announce(bench, "b", explicit_dir="/y")
    announce(bench, "c")
    cards = [card(bench, bench.call(explicit_dir=folder)) for folder in ("/y", None, "/x")]
    assert cards == ["b", "c", "a"]


def test_equal_calls_take_equal_announcements_oldest_first() -> None:
    bench = Bench()
    announce(bench, "a")
    announce(bench, "b")
    assert [card(bench, bench.call()) for _ in range(3)] == ["a", "b", ""]


def test_equal_announcements_take_equal_calls_oldest_first() -> None:
    bench = Bench()
    tasks = [bench.call(), bench.call()]
    announce(bench, "a")
    announce(bench, "b")
    assert [card(bench, task_id) for task_id in tasks] == ["a", "b"]


def test_a_call_never_takes_a_siblings_announcement_but_waits_for_its_own() -> None:
    bench = Bench()
    announce(bench, "a", "sibling")
    task_id = bench.call(task="mine")
    assert card(bench, task_id) == ""
    announce(bench, "b", "mine")
    assert card(bench, task_id) == "b"
    assert card(bench, bench.call(task="sibling")) == "a"


@pytest.mark.parametrize("count", [1, 3])
def test_announcements_without_arguments_are_never_claimed_at_any_age(count: int) -> None:
    bench = Bench()
    for number in range(count):
        announce(bench, f"a{number}", None)
    bench.advance(3600)
    assert card(bench, bench.call()) == ""


def test_half_of_the_arguments_is_none() -> None:
    bench = Bench()
    announce(bench, "a", None, agent_type="demo")
    assert card(bench, bench.call(task="")) == ""


def test_arguments_that_come_later_make_the_right_call_bind() -> None:
    bench = Bench()
    announce(bench, "older", None)
    announce(bench, "newer", None)
    announce(bench, "newer", "do it")
    assert card(bench, bench.call()) == "newer"


def test_the_age_of_an_announcement_is_that_of_its_first_sight() -> None:
    bench = Bench()
    announce(bench, "older", None)
    announce(bench, "newer")
    announce(bench, "older")
    assert card(bench, bench.call()) == "older"


def test_a_second_sight_without_arguments_keeps_those_of_the_first() -> None:
    bench = Bench()
    announce(bench, "a")
    announce(bench, "a", None)
    assert [card(bench, bench.call()) for _ in range(2)] == ["a", ""]


def test_a_later_update_that_adds_a_folder_replaces_the_arguments() -> None:
    bench = Bench()
    announce(bench, "a")
    announce(bench, "a", explicit_dir="/x")
    assert card(bench, bench.call()) == ""
    assert card(bench, bench.call(explicit_dir="/x")) == "a"


def test_an_explicit_id_uses_up_its_announcement_whichever_comes_first() -> None:
    bench = Bench()
    announce(bench, "a")
    assert card(bench, bench.call(tool_use_id="a")) == "a"
    announce(bench, "a")
    assert card(bench, bench.call()) == ""
    assert card(bench, bench.call(task="other", tool_use_id="b")) == "b"
    announce(bench, "b", "other")
    assert card(bench, bench.call(task="other")) == ""


def test_an_announcement_that_found_its_call_is_used_up() -> None:
    bench = Bench()
    bench.call()
    announce(bench, "a")
    announce(bench, "a")
    assert card(bench, bench.call()) == ""


def test_a_claimed_id_that_is_announced_again_and_again_stays_used_up() -> None:
    bench = Bench()
    for _ in range(200):
        announce(bench, "a")
        bench.call(tool_use_id="a") if card_free(bench) else None
    bench.advance(36_000)
    announce(bench, "a")
    assert card(bench, bench.call()) == ""
    announce(bench, "b", "new")
    assert card(bench, bench.call(task="new")) == "b"


def card_free(bench: Bench) -> bool:
    return not bench.ledger.views()


def test_used_up_ids_outlive_many_more_claims() -> None:
    bench = Bench(Limits(queue_limit=1_000))
    for number in range(129):
        announce(bench, f"a{number}", f"t{number}")
        bench.call(task=f"t{number}")
    announce(bench, "a0", "again")
    assert card(bench, bench.call(task="again")) == ""


def test_many_announcements_are_all_kept() -> None:
    bench = Bench(Limits(queue_limit=1_000))
    for number in range(256):
        announce(bench, f"a{number}", f"t{number}")
    bench.advance(3600)
    assert [card(bench, bench.call(task=f"t{number}")) for number in range(256)] == [f"a{n}" for n in range(256)]


def test_parents_do_not_share_announcements() -> None:
    bench = Bench()
    announce(bench, "a", parent_id="other")
    assert card(bench, bench.call()) == ""
    assert card(bench, bench.call(OTHER)) == "a"


def test_a_finished_announcement_that_nobody_claimed_is_not_taken_for_a_later_call() -> None:
    bench = Bench()
    for call_id in ("before", "dead", "after"):
        announce(bench, call_id)
    announce(bench, "dead", finished=True)
    announce(bench, "dead")
    assert [card(bench, bench.call()) for _ in range(3)] == ["before", "after", ""]


def test_after_a_finished_one_a_call_with_the_same_arguments_takes_the_fresh_one() -> None:
    bench = Bench()
    announce(bench, "dead")
    announce(bench, "dead", finished=True)
    announce(bench, "fresh")
    assert card(bench, bench.call()) == "fresh"


def test_the_end_of_a_tool_call_never_seen_does_not_use_it_up() -> None:
    bench = Bench()
    announce(bench, "a", None, finished=True)
    announce(bench, "a", finished=True)
    announce(bench, "a")
    assert card(bench, bench.call()) == "a"


def test_a_call_that_waits_takes_an_announcement_that_comes_already_finished() -> None:
    bench = Bench()
    task_id = bench.call()
    announce(bench, "a", finished=True)
    assert card(bench, task_id) == "a"


def test_a_refused_call_uses_up_its_announcement() -> None:
    bench = Bench()
    announce(bench, "a")
    bench.apply(CallWithdrawn("root", "h"))
    bench.refuse(external_handle="h")
    assert card(bench, bench.call()) == ""


def test_a_conflict_uses_up_its_announcement() -> None:
    bench = Bench()
    bench.call(task="one", idempotency_key="k")
    announce(bench, "a", "two")
    assert bench.refuse(task="two", idempotency_key="k").code is Code.CONFLICT
    assert card(bench, bench.call(task="two")) == ""


def test_a_repeat_under_its_key_gives_its_card_to_a_task_that_has_none() -> None:
    bench = Bench()
    task_id = bench.call(idempotency_key="k")
    assert bench.call(idempotency_key="k", tool_use_id="second") == task_id
    assert card(bench, task_id) == "second"
    announce(bench, "third")
    assert bench.call(idempotency_key="k") == task_id
    assert card(bench, task_id) == "second"
    assert card(bench, bench.call()) == ""


def test_a_call_sent_twice_by_handle_does_not_take_a_siblings_announcement() -> None:
    bench = Bench()
    announce(bench, "a")
    bench.call(external_handle="h")
    announce(bench, "b")
    bench.call(external_handle="h")
    assert card(bench, bench.call(external_handle="h2")) == "b"


def test_a_canceled_turn_uses_up_what_it_announced_and_forgets_what_it_called() -> None:
    bench = Bench()
    claimed = bench.call(tool_use_id="claimed")
    waiting = bench.call(task="waiting")
    announce(bench, "open", "open")
    bench.apply(ParentCanceled("root"))
    for call_id, task in (("claimed", "do it"), ("open", "open"), ("new", "waiting")):
        announce(bench, call_id, task)
    assert [card(bench, task_id) for task_id in (claimed, waiting)] == ["claimed", ""]
    assert [card(bench, bench.call(task=task)) for task in ("do it", "open", "waiting")] == ["", "", "new"]


def test_a_parent_that_is_gone_takes_its_ids_with_it() -> None:
    bench = Bench()
    bench.call(tool_use_id="a")
    announce(bench, "b")
    bench.apply(ParentGone("root"))
    assert card(bench, bench.call()) == "", "the announcement is gone"
    announce(bench, "a", "again")
    assert card(bench, bench.call(task="again")) == "a", "the id may be used again"


def test_a_task_that_has_ended_announces_nothing_any_more() -> None:
    bench = Bench()
    above = bench.finish(bench.running())
    child = bench.record(above).child_id
    announce(bench, "a", parent_id=child)
    reopened = bench.call(Parent(child, child, 0, "/work"))
    assert card(bench, reopened) == ""


def test_what_a_child_announced_or_withdrew_ends_with_its_attempt() -> None:
    bench = Bench()
    above = bench.running()
    child = bench.child(above)
    announce(bench, "a", parent_id=child.parent_id)
    bench.apply(CallWithdrawn(child.parent_id, "h"))
    bench.end_turn(above, b"", "max_tokens")
    bench.gone(above)
    bench.resume(above)
    bench.run(above)
    assert card(bench, bench.call(child, external_handle="h")) == ""


def test_calls_of_outside_sessions_wait_for_no_announcement() -> None:
    bench = Bench()
    task_id = bench.call(OUTSIDE)
    announce(bench, "a", parent_id="outside")
    assert card(bench, task_id) == ""


def test_a_task_that_was_let_go_is_not_looked_for() -> None:
    bench = Bench(keep_ended=0)
    bench.finish(bench.running(ROOT, "do it"))
    bench.advance(10)
    announce(bench, "a")
    assert card(bench, bench.call()) == "a"


def test_memory_is_bounded_in_all_directions() -> None:
    matcher = Matcher()
    for number in range(MOST_ANNOUNCED + 1):
        matcher.announce("p", f"a{number}", ("x", str(number), None), finished=False)
    assert matcher.claim("p", ("x", "0", None), "") == ""
    assert matcher.claim("p", ("x", "1", None), "") == "a1"
    for number in range(MOST_CALLS + 1):
        matcher.expect("p", ("y", str(number), None), f"t{number}")
    assert matcher.announce("p", "b0", ("y", "0", None), finished=False) is None
    assert matcher.announce("p", "b1", ("y", "1", None), finished=False) == "t1"
    for number in range(MOST_USED):
        matcher.claim("p", ("z", "z", None), f"u{number}")
    assert matcher.announce("p", "a1", ("y", "2", None), finished=False) == "t2", "the oldest used id is forgotten"
    for number in range(MOST_PARENTS):
        matcher.claim(f"q{number}", ("z", "z", None), "")
    assert matcher.announce("p", "b2", ("y", "3", None), finished=False) is None


def test_the_parent_that_was_silent_for_longest_is_forgotten_first() -> None:
    matcher = Matcher()
    for number in range(MOST_PARENTS):
        matcher.announce(f"p{number}", "a", ("x", "x", None), finished=False)
    matcher.announce("p0", "b", ("y", "y", None), finished=False)
    matcher.announce("new", "a", ("x", "x", None), finished=False)
    assert matcher.claim("p0", ("x", "x", None), "") == "a"
    assert matcher.claim("p1", ("x", "x", None), "") == ""


def test_unknown_parents_are_nothing_to_release_or_to_end() -> None:
    matcher = Matcher()
    matcher.release("p", "t")
    matcher.turn_canceled("p")
    matcher.forget("p")
    assert matcher.claim("p", ("x", "x", None), "") == ""


def test_no_announcement_for_a_late_match_of_nothing() -> None:
    bench = Bench()
    announce(bench, "a", None)
    assert of(bench.stream, Announce) == []
