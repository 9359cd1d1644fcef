"""Of answer, cancel and the end of the connection exactly one wins, for every call."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.jsonrpc.calls import Closed, Incoming, Outgoing
from codeg.jsonrpc.messages import Response


def answer(call_id: Any) -> Response:
    return Response(call_id, None, None)


def test_each_request_of_ours_has_a_fresh_id_and_its_own_waiter() -> None:
    ours = Outgoing()
    first, second = ours.begin("a"), ours.begin("b")
    assert first != second
    assert len(ours) == 2
    assert ours.settle(answer(second)) == "b"
    assert ours.settle(answer(first)) == "a"
    assert len(ours) == 0
    assert ours.begin("c") not in (first, second)


@pytest.mark.parametrize("call_id", [2, 1.0, "1", True, None])
def test_a_response_to_no_request_of_ours_settles_nothing(call_id: Any) -> None:
    ours = Outgoing()
    assert ours.begin("a") == 1
    assert ours.settle(answer(call_id)) is None
    assert ours.settle(answer(1)) == "a"
    assert ours.settle(answer(1)) is None


def test_a_cancelled_request_of_ours_is_settled_by_nothing() -> None:
    ours = Outgoing()
    call_id = ours.begin("a")
    assert ours.cancel(call_id) == "a"
    assert ours.cancel(call_id) is None
    assert ours.settle(answer(call_id)) is None
    assert ours.closed() == []


def test_the_end_of_the_connection_gives_every_waiter_once() -> None:
    ours = Outgoing()
    ours.begin("a")
    gone = ours.begin("b")
    ours.begin("c")
    ours.cancel(gone)
    assert ours.closed() == ["a", "c"]
    assert ours.closed() == []
    assert ours.settle(answer(1)) is None
    with pytest.raises(Closed):
        ours.begin("late")


@given(
    steps=st.lists(st.tuples(st.sampled_from(["begin", "settle", "cancel", "closed"]), st.integers(1, 6)), max_size=30)
)
def test_every_waiter_is_handed_back_exactly_once(steps: list[tuple[str, int]]) -> None:
    ours = Outgoing()
    taken: list[object] = []
    back: list[object] = []
    for step, number in [*steps, ("closed", 0)]:
        if step == "begin":
            waiter = object()
            try:
                ours.begin(waiter)
            except Closed:
                continue
            taken.append(waiter)
        elif step == "closed":
            back += ours.closed()
        else:
            found = ours.settle(answer(number)) if step == "settle" else ours.cancel(number)
            back += [found] if found is not None else []
    assert sorted(map(id, back)) == sorted(map(id, taken))


def test_ids_of_different_kinds_are_different_requests() -> None:
    theirs = Incoming()
    ids: list[Any] = [42, "42", 42.0, 2**64 + 1]
    assert all(theirs.begin(call_id) for call_id in ids)
    assert len(theirs) == 4
    assert theirs.cancel(42.0)
    assert theirs.finish(42)
    assert theirs.finish("42")
    assert theirs.finish(2**64 + 1)


def test_a_second_request_with_an_open_id_is_refused_and_the_first_goes_on() -> None:
    theirs = Incoming()
    assert theirs.begin(1, "first")
    assert not theirs.begin(1, "second")
    assert theirs.get(1) == "first"
    assert theirs.finish(1, "first")
    assert theirs.begin(1, "third")


def test_of_answer_and_cancel_one_wins() -> None:
    theirs = Incoming()
    theirs.begin("a")
    assert theirs.cancel("a")
    assert not theirs.finish("a")
    theirs.begin("b")
    assert theirs.finish("b")
    assert not theirs.cancel("b")
    assert not theirs.finish("b")


@pytest.mark.parametrize("call_id", [None, True, [], {}, [1], "1", 1.0, 2])
def test_a_cancel_of_anything_unknown_does_nothing(call_id: Any) -> None:
    theirs = Incoming()
    theirs.begin(1)
    assert not theirs.cancel(call_id)
    assert len(theirs) == 1


def test_late_work_of_a_cancelled_request_cannot_answer_one_that_reuses_its_id() -> None:
    theirs = Incoming()
    old, new = object(), object()
    theirs.begin(1, old)
    theirs.cancel(1)
    theirs.begin(1, new)
    assert not theirs.finish(1, old)
    assert theirs.finish(1, new)


def test_the_end_of_the_connection_gives_the_open_calls_and_none_can_be_answered() -> None:
    theirs = Incoming()
    theirs.begin(1, "a")
    theirs.begin(2, "b")
    assert theirs.closed() == ["a", "b"]
    assert theirs.closed() == []
    assert not theirs.finish(1)
    assert theirs.get(2) is None
