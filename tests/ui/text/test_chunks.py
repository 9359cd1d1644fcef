"""A text in chunks is the same text, and a text that grows changes its last chunks only."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.text.chunks import PROSE_LEAST, Chunk, definitions, split

_LONG = "words and words " * 100
_LINES = st.sampled_from(
    [
        "",
        "",
        "text",
        "- item",
        "1. item",
        "   more of it",
        "```",
        "```py",
        "~~~~",
        "    code",
        "> quote",
        "|a|b|",
        _LONG,
    ]
)


def test_prose_and_code_take_turns() -> None:
    chunks = split("Look:\n\n```Python title\n\nx = 1\n\n```\nDone.\n")
    assert [(chunk.kind, chunk.text, chunk.language) for chunk in chunks] == [
        ("prose", "Look:\n\n", ""),
        ("code", "\nx = 1\n", "python"),
        ("prose", "Done.\n", ""),
    ]


def test_a_fence_that_is_still_open_is_code_to_the_end() -> None:
    assert [chunk.kind for chunk in split("a\n```\nb\n")] == ["prose", "code"]
    assert split("```sh\nls")[0].text == "ls"


def test_only_a_fence_as_long_closes() -> None:
    (chunk,) = split("````\n```\nx\n```\n````\n")
    assert chunk.text == "```\nx\n```"


def test_two_blocks_of_code_stay_two() -> None:
    assert [chunk.text for chunk in split("```py\na\n```\n```py\nb\n```\n")] == ["a", "b"]


def test_code_in_a_list_is_left_to_the_list() -> None:
    chunks = split("- one\n\n  ```sh\n  ls\n  ```\n- two\n")
    assert [chunk.kind for chunk in chunks] == ["prose"]


def test_back_ticks_in_a_line_are_no_fence() -> None:
    assert [chunk.kind for chunk in split("``` not `a` fence ```\ntext\n")] == ["prose"]


def test_prose_is_cut_only_where_nothing_hangs_together() -> None:
    first = "word " * 300 + "\n\n"
    assert len(first) > PROSE_LEAST
    assert len(split(first + "A new paragraph.\n")) == 2
    assert len(split(first + "- an item\n")) == 1
    assert len(split(first + "    of a list before\n")) == 1


def test_long_code_and_long_lines_are_cut() -> None:
    chunks = split("```\n" + "line of code\n" * 5_000 + "```\n")
    assert len(chunks) > 3
    assert (chunks[0].opens, chunks[0].closes) == (True, False)
    assert (chunks[-1].opens, chunks[-1].closes) == (False, True)
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(["line of code"] * 5_000)
    assert max(len(chunk.text) for chunk in split("word " * 20_000)) <= 4_000


def test_definitions_of_links_are_found() -> None:
    assert definitions("see [a][1]\n\n[1]: https://example.org\n") == "[1]: https://example.org"
    assert definitions("no such thing: [x]") == ""


@given(st.lists(_LINES, max_size=25))
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    joined = "\n".join(chunk.text for chunk in split(text))
    for word in ("item", "more", "quote", "words", "text"):
        assert joined.count(word) == text.count(word)


@given(st.lists(_LINES, max_size=25), st.integers(0, 400))
def test_going_on_from_a_chunk_gives_the_same(lines: list[str], cut: int) -> None:
    text = "\n".join(lines)
    before = split(text[: min(cut * 7, len(text))])
    start = before[-1].start if before else 0
    whole = split(text)
    kept = [chunk for chunk in before if chunk.start < start]
    if kept != whole[: len(kept)]:
        return  # the cut fell into a line: the chunks before it are not the same
    assert _words(kept + split(text, start)) == _words(whole)


def _words(chunks: list[Chunk]) -> list[tuple[str, str]]:
    return [(chunk.kind, word) for chunk in chunks for word in chunk.text.split()]
