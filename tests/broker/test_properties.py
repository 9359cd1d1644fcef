"""Any order of events: what the ledger promises holds after each, and everything comes to its end."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.broker.shell import LIMITS, Shell

WORDS = (
    ["call"] * 5
    + ["child"] * 12
    + ["gone"] * 3
    + ["cancel", "resume", "resume", "wait", "wait", "close", "folder", "parent", "withdraw", "limits", "time", "tool"]
    + ["late", "crash", "follow", "follow", "start", "start", "delete"]
)
STORIES = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 10_000)), max_size=120)


def tell(story: list[tuple[str, int]], first: int) -> Shell:
    shell = Shell(LIMITS[first])
    for word, number in story:
        shell.step(word, number)
    return shell


@settings(max_examples=150)
@given(STORIES, st.integers(0, 2))
def test_as_long_as_leaves_end_every_task_ends_and_every_asker_is_answered_once(
    story: list[tuple[str, int]], first: int
) -> None:
    tell(story, first).settle()


@settings(max_examples=60)
@given(STORIES, st.integers(0, 2))
def test_a_host_that_ends_answers_everyone_and_leaves_no_child(story: list[tuple[str, int]], first: int) -> None:
    tell(story, first).stop()


@settings(max_examples=60)
@given(STORIES, st.integers(0, 2))
def test_after_a_crash_every_end_that_was_shown_is_the_same(story: list[tuple[str, int]], first: int) -> None:
    shell = tell(story, first)
    shell.do_crash(0)
    shell.settle()


@pytest.mark.parametrize("seed", range(40))
def test_long_stories_come_to_their_end(seed: int) -> None:
    chance = random.Random(seed)
    story = [(chance.choice(WORDS), chance.randrange(10_000)) for _ in range(200)]
    shell = tell(story, seed % len(LIMITS))
    shell.stop() if seed % 4 == 0 else shell.settle()
