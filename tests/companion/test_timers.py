"""Order, cancelling, and nothing that piles up."""

from companion.timers import Timer, Timers


def test_timers_run_in_order_of_their_time_and_at_most_once() -> None:
    timers = Timers(0.0)
    ran: list[str] = []
    timers.at(2, lambda: ran.append("late"))
    timers.at(1, lambda: ran.append("early"))
    timers.at(1, lambda: ran.append("early too"))
    assert timers.wait_s() == 1
    timers.run(1)
    assert ran == ["early", "early too"]
    timers.run(5)
    assert ran == ["early", "early too", "late"]
    assert timers.wait_s() is None


def test_a_cancelled_timer_neither_runs_nor_wakes_the_loop() -> None:
    timers = Timers(0.0)
    ran: list[int] = []
    first = timers.at(1, lambda: ran.append(1))
    timers.at(9, lambda: ran.append(9))
    first.cancel()
    assert timers.wait_s() == 9
    timers.run(3)
    assert ran == []


def test_a_callback_may_cancel_another_of_the_same_moment() -> None:
    timers = Timers(0.0)
    ran: list[int] = []
    later: list[Timer] = []

    def first() -> None:
        later[0].cancel()

    timers.at(1, first)
    later.append(timers.at(1, lambda: ran.append(2)))
    timers.run(1)
    assert ran == []


def test_soon_means_the_next_turn() -> None:
    timers = Timers(0.0)
    ran: list[str] = []

    def first() -> None:
        ran.append("first")
        timers.soon(lambda: ran.append("second"))

    timers.soon(first)
    assert timers.wait_s() == 0
    timers.run(0)
    assert ran == ["first"]
    timers.run(0)
    assert ran == ["first", "second"]


def test_cancelled_timers_do_not_pile_up() -> None:
    timers = Timers(0.0)
    for at in range(10_000):
        timers.at(1_000, lambda: None).cancel()
        if at % 100 == 0:
            timers.run(0)
    assert len(timers._heap) < 2_000
