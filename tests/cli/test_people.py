"""What the person says, before it goes to the host."""

import sys
from argparse import Namespace

import pytest

from codeg import api
from codeg.cli import people
from codeg.cli.arguments import build


@pytest.mark.parametrize("text", ["{", "", "[NaN]", "[-Infinity]", "[" * 100_000, "[1" + "0" * 10_000 + "]"])
def test_answers_that_are_no_json_are_one_sentence(text: str) -> None:
    with pytest.raises(api.UserError) as raised:
        people.answer(None, Namespace(option=None, answers=text, decline=False, request_id="x"))
    assert raised.value.message.startswith("--answers is n")
    assert "\n" not in raised.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="words are text there")
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["run", "\udcff"], "prompt"),
        (["run", "--agent", "\udcff", "x"], "agent"),
        (["note", "s", "\udcff"], "text"),
        (["note", "\udcff", "x"], "session_id"),
        (["answer", "\udcff", "--decline"], "request_id"),
        (["answer", "x", "--option", "\udcff"], "option"),
        (["answer", "x", "--answers", "\udcff"], "answers"),
        (["task", "show", "\udcff"], "task_id"),
    ],
)
def test_words_that_are_no_utf_8_are_told_on_as_text(words: list[str], name: str) -> None:
    assert getattr(build().parse_args(words), name) == "\ufffd"


def test_ids_that_are_no_utf_8_and_folders_of_any_bytes_keep_their_own_rules() -> None:
    assert build().parse_args(["task", "wait", "a", "\udcff"]).task_ids == ["a", "\ufffd"]
    found = build().parse_args(["run", "--home", "h\udcff", "--cwd", "\udcff", "ö漢"])
    assert (found.home, found.cwd, found.prompt) == ("h\udcff", "\udcff", "ö漢")
