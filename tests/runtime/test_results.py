"""The cache of result texts: bounded per task, per parent and over all; the store is the source."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.broker.codes import Phase, Status
from codeg.broker.tasks import End, TaskRecord
from codeg.runtime.database import open_database
from codeg.runtime.results import PER_TASK, ResultCache
from codeg.store.records import SaveTask
from tests.runtime.stubs import HeldDatabase

pytestmark = pytest.mark.anyio
T = TypeVar("T")


def cache(per_parent: int = 2**29, overall: int = 2**26) -> ResultCache:
    return ResultCache(_NoStore(), lambda: per_parent, overall)


class _NoStore(HeldDatabase):
    """A store that may not be asked."""

    def __init__(self) -> None:
        pass


def held(results: ResultCache) -> dict[str, int]:
    return {task_id: len(text) for task_id, (_, _, text, _) in results._held.items()}


async def test_a_text_is_read_from_memory_in_slices() -> None:
    results = cache()
    results.put("a", "p", b"0123456789")
    assert await results.read("a", 0, 4) == b"0123"
    assert await results.read("a", 8, 4) == b"89"
    assert await results.read("a", 20, 4) == b""


async def test_a_longer_text_is_read_on_from_the_store(tmp_path: Path) -> None:
    text = bytes(range(256)) * 2048
    end = End(Status.COMPLETED, text_bytes=len(text))
    record = TaskRecord("a", "p", "p", 1, "demo", "x", "/", None, "c", Phase.ENDED, 1, 1, ended_ms=2, end=end)
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveTask(record, text)])
        results = ResultCache(database, lambda: 2**29)
        assert await results.read("a", 0, 10) == text[:10], "not held: the store is the source"
        results.put("a", "p", text)
        assert results.total == PER_TASK
        assert await results.read("a", PER_TASK - 5, 10) == text[PER_TASK - 5 : PER_TASK + 5]
        assert await results.read("a", 0, PER_TASK) == text[:PER_TASK]


async def test_many_slices_cost_one_turn_of_the_database_and_none_where_all_are_held() -> None:
    turns: list[None] = []

    def told(task_id: str, offset: int, limit: int) -> bytes:
        return f"{task_id}{offset}{limit}".encode()

    class Counted(_NoStore):
        async def run(self, work: Callable[[Any], T]) -> T:
            turns.append(None)
            return work(SimpleNamespace(result=told))

    results = ResultCache(Counted(), lambda: 2**29)
    results.put("b", "p", b"0123456789")
    assert await results.read_many([("a", 1, 2), ("b", 3, 2), ("c", 5, 6)]) == [b"a12", b"34", b"c56"]
    assert len(turns) == 1
    assert await results.read_many([("b", 0, 1), ("b", 20, 1)]) == [b"0", b""]
    assert await results.read_many([]) == []
    assert len(turns) == 1


def test_the_oldest_texts_of_a_parent_go_first_and_the_newest_never() -> None:
    results = cache(per_parent=10)
    for name in "abc":
        results.put(name, "p", b"1234")
    results.put("other", "q", b"1234")
    assert held(results) == {"b": 4, "c": 4, "other": 4}
    results.put("huge", "p", b"x" * 100)
    assert held(results) == {"other": 4, "huge": 100}


def test_over_all_parents_the_oldest_go_first() -> None:
    results = cache(overall=10)
    for number in range(5):
        results.put(str(number), f"p{number}", b"1234")
    assert held(results) == {"3": 4, "4": 4}
    assert set(results._parents) == {"p3", "p4"}


def test_a_new_text_replaces_the_old_one_and_an_empty_one_costs_nothing() -> None:
    results = cache()
    results.put("a", "p", b"old")
    results.put("a", "p", b"newer")
    assert (held(results), results.total) == ({"a": 5}, 5)
    results.put("a", "p", b"")
    assert (held(results), results.total, results._parents) == ({}, 0, {})


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("pqr"), st.integers(0, 40)), max_size=60))
def test_totals_and_bounds_hold_whatever_is_put(puts: list[tuple[str, str, int]]) -> None:
    results = cache(per_parent=50, overall=90)
    parents: dict[str, str] = {}
    for task_id, parent, size in puts:
        results.put(task_id, parents.setdefault(task_id, parent), b"x" * size)
        assert results.total == sum(held(results).values()) <= 90
        for name, of_parent in results._parents.items():
            owned = [size for task, size in held(results).items() if parents[task] == name]
            assert of_parent.total == sum(owned) <= 50
            assert len(of_parent.order) <= len(puts)
        if size:
            assert task_id in held(results)


def test_ten_thousand_long_results_stay_within_the_bound() -> None:
    results = cache()
    text = b"x" * PER_TASK
    for number in range(10_000):
        results.put(f"task-{number}", f"parent-{number % 7}", text)
    assert results.total <= 64 * 1024 * 1024
    assert len(results._order) <= 2 * len(held(results))


async def test_texts_of_parents_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    async with open_database(str(tmp_path / "codeg.db")) as database:
        cache = ResultCache(database, lambda: 1_000)
        cache.put("a1", "a", b"one")
        cache.put("a2", "a", b"two")
        cache.put("a2", "b", b"moved")
        cache.put("b1", "b", b"three")
        cache.forget(["a", "nobody"])
        assert (cache.total, await cache.read("a1", 0, 10), await cache.read("a2", 0, 10)) == (10, b"", b"moved")
        cache.forget(["b"])
        assert cache.total == 0
