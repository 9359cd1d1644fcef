"""Asking the person in the terminal: permissions and questions, answered by number.

Owns the words of the prompt. Nothing is answered by a timer; an empty line asks again, `-` dismisses.
"""

import sys
from typing import Any

import anyio
from rich.console import Console

from codeg import api
from codeg.cli.feeds import Feed
from codeg.cli.words import safe

Json = dict[str, Any]


async def ask_person(console: Console, ask: Json, feed: Feed) -> None:
    """Put one ask to the person and send the answer; somebody else may have been faster."""
    try:
        if "options" in ask:
            chosen = await _choose(console, ask.get("title", ""), [option["name"] for option in ask["options"]])
            index = chosen[0] if chosen else None
            await feed.answer(ask["request_id"], None if index is None else ask["options"][index]["id"], None)
        else:
            await _questions(console, ask, feed)
    except api.UserError as error:
        console.print(safe(error.message))


async def _questions(console: Console, ask: Json, feed: Feed) -> None:
    answers: list[Json] = []
    for question in ask["questions"]:
        labels = [option["label"] for option in question["options"]]
        many = bool(question.get("multiSelect"))
        text = f"{question['header']}: {question['question']}"
        said = await _line(
            console, text, labels, "numbers with commas, or your own words" if many else "a number, or your own words"
        )
        if said == "-":
            await feed.answer(ask["request_id"], None, None)
            return
        picked = _numbers(said, len(labels), many=many)
        answer: Json = {"question": question["question"], "selected": [labels[i] for i in picked or []]}
        if picked is None:
            answer["other"] = said
        answers.append(answer)
    await feed.answer(ask["request_id"], None, answers)


async def _choose(console: Console, title: str, names: list[str]) -> list[int] | None:
    while True:
        said = await _line(console, title, names, "a number")
        if said == "-":
            return None
        picked = _numbers(said, len(names), many=False)
        if picked:
            return picked


def _numbers(said: str, count: int, *, many: bool) -> list[int] | None:
    """Indexes of the numbers said; None when it is something else."""
    parts = [part.strip() for part in said.split(",")] if many else [said]
    if not all(part.isdecimal() and 1 <= int(part) <= count for part in parts):
        return None
    return sorted({int(part) - 1 for part in parts})


async def _line(console: Console, title: str, names: list[str], how: str) -> str:
    console.print(f"[?] {safe(title)}", style="bold yellow")
    for number, name in enumerate(names, 1):
        console.print(f"    {number}  {safe(name)}")
    while True:
        console.print(f"    {how}; - dismisses > ", end="")
        await anyio.wait_readable(sys.stdin)
        line = sys.stdin.readline()
        if not line:
            return "-"
        if line.strip():
            return line.strip()
