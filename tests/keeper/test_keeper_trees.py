"""Who belongs to a tree, on tables made by hand: (pid, start, parent, session)."""

from codeg.keeper.linux import Process
from codeg.keeper.trees import of_session, orphans, with_descendants


def table(*rows: tuple[int, int, int, int]) -> dict[int, Process]:
    return {row[0]: Process(*row, "S") for row in rows}


def pids(found: list[Process]) -> list[int]:
    return [each.pid for each in found]


def test_descendants_come_after_their_parents_and_strangers_not_at_all() -> None:
    seen = table((1, 0, 0, 1), (10, 5, 1, 10), (11, 6, 10, 10), (12, 7, 11, 12), (20, 5, 1, 20), (21, 6, 20, 20))
    assert pids(with_descendants(seen, [seen[10]])) == [10, 11, 12]


def test_a_root_whose_pid_has_passed_to_another_process_is_no_root() -> None:
    seen = table((10, 50, 1, 10), (11, 60, 10, 10))
    assert with_descendants(seen, [Process(10, 5, 1, 10, "S")]) == []


def test_a_child_older_than_its_parent_is_not_its_child() -> None:
    seen = table((10, 50, 1, 10), (11, 40, 10, 10), (12, 50, 10, 10))
    assert pids(with_descendants(seen, [seen[10]])) == [10, 12]


def test_a_process_reached_twice_is_named_once() -> None:
    seen = table((10, 5, 1, 10), (11, 6, 10, 10))
    assert pids(with_descendants(seen, [seen[10], seen[11], seen[10]])).count(11) == 1


def test_a_loop_in_a_torn_table_ends() -> None:
    seen = table((10, 5, 11, 10), (11, 5, 10, 10))
    assert pids(with_descendants(seen, [seen[10]])) == [10, 11]


def test_the_session_of_a_leader_is_named_also_when_the_leader_has_gone() -> None:
    leader = Process(10, 5, 1, 10, "S")
    seen = table((11, 6, 1, 10), (12, 4, 1, 10), (13, 6, 1, 13))
    assert pids(of_session(seen, leader)) == [11]
    assert pids(of_session({**seen, 10: leader}, leader)) == [11]


def test_the_session_of_another_leader_with_the_same_pid_is_not_ours() -> None:
    seen = table((10, 50, 1, 10), (11, 60, 10, 10))
    assert of_session(seen, Process(10, 5, 1, 10, "S")) == []


def test_only_marked_processes_without_a_parent_of_their_own_are_orphans_of_ours() -> None:
    seen = table((1, 0, 0, 1), (10, 50, 1, 10), (11, 50, 10, 10), (12, 50, 1, 12), (13, 4, 1, 13))
    marks = {10: "ours", 11: "ours", 12: "theirs", 13: "ours"}
    found = orphans(seen, {1}, {"ours": 5}, lambda process: marks.get(process.pid, ""))
    assert pids(found) == [10]
