"""What the person answered to `ask_user_question`, as host programs hand it back.

Owns the reading of our own answers in every envelope, of the native forms of two host programs, and of text alone;
pure, never raises. What was chosen is matched to the labels of the options first, so that a comma inside a label does
no harm; the rest is the person's own words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from codeg.sessions.envelopes import levels_in, texts_in
from codeg.sessions.reading import mapping, mappings, sequence, text
from codeg.sessions.types import Json

AnswerState = Literal["answered", "declined", "pending", "withdrawn", ""]

_STATES = frozenset({"answered", "declined", "pending", "withdrawn"})
_QUESTION_ID = re.compile(r"\bquestion_id=([\w.:-]*\w)")
_WORDS: tuple[tuple[str, AnswerState], ...] = (
    ("nobody has answered yet", "pending"),
    ("dismissed the question", "declined"),
    ("was withdrawn", "withdrawn"),
)
_ARROW = re.compile(r"\s*(?:->|→)\s*(.*)")
_OTHER = re.compile(r"(?:^|; )Other \(in the user's own words\): ")
_NOTHING = frozenset({"(nothing chosen)", "(no selection)"})
_MOST_SCANNED = 64 * 1024


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for one question. `other`: the person's own words."""

    selected: tuple[str, ...] = ()
    other: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """State of a question set, "" = not told, and a choice for each question that was asked, in their order."""

    state: AnswerState
    choices: tuple[Choice, ...]
    question_id: str = ""


def answers_of(questions: Sequence[Json], raw_output: Any, content: Any = ()) -> Answers:
    """Read the answers to these questions (as the call asked them) out of its output."""
    question_id = ""
    for found in (raw_output, content if not isinstance(content, tuple) else list(cast("tuple[Any, ...]", content))):
        for level in levels_in(found):
            for inner in (mapping(level.get("structuredContent")), level):
                question_id = question_id or text(inner.get("question_id"))
                state, choices = _at(inner, questions)
                if state:
                    return Answers(state, choices, question_id)
    return _in_words(questions, raw_output, content, question_id)


def matched(given: str, labels: Sequence[str]) -> Choice:
    """A list in one string, taken apart by the labels of the options."""
    chosen: list[str] = []
    own: list[str] = []
    rest = given.strip()
    while rest:
        label = next((each for each in sorted(labels, key=len, reverse=True) if _begins(rest, each)), None)
        if label is not None:
            chosen.append(label)
            rest = rest[len(label) :].lstrip(", ")
            continue
        word, _, rest = rest.partition(",")
        own.append(word.strip())
        rest = rest.lstrip()
    return Choice(tuple(chosen), ", ".join(word for word in own if word))


def _begins(rest: str, label: str) -> bool:
    return bool(label) and rest.startswith(label) and rest[len(label) :].lstrip()[:1] in {"", ","}


def _at(level: Json, questions: Sequence[Json]) -> tuple[AnswerState, tuple[Choice, ...]]:
    given = level.get("answers")
    if text(level.get("state")) in _STATES:
        return cast("AnswerState", level["state"]), _listed(mappings(given), questions)
    if level.get("declined") is True:
        return "declined", _none(questions)
    if isinstance(given, list):
        return "answered", _listed(mappings(cast("list[Any]", given)), questions)
    if isinstance(given, dict):
        return _mapped(cast("Json", given), questions)
    return "", ()


def _none(questions: Sequence[Json]) -> tuple[Choice, ...]:
    return tuple(Choice() for _ in questions)


def _listed(given: tuple[Json, ...], questions: Sequence[Json]) -> tuple[Choice, ...]:
    """Our own form: by the question's text, else by its place."""
    by_text = {text(answer.get("question")): answer for answer in given}
    choices: list[Choice] = []
    for at, question in enumerate(questions):
        answer = by_text.get(text(question.get("question")))
        if answer is None and at < len(given) and not text(given[at].get("question")):
            answer = given[at]
        picked = mapping(answer)
        selected = tuple(label for label in sequence(picked.get("selected")) if isinstance(label, str))
        choices.append(Choice(selected, text(picked.get("other"))))
    return tuple(choices)


def _mapped(given: Json, questions: Sequence[Json]) -> tuple[AnswerState, tuple[Choice, ...]]:
    """Native forms: `{id: {"answers": [...]}}`, `{question: "A, B"}`; an empty map = declined."""
    if not given:
        return "declined", _none(questions)
    choices: list[Choice] = []
    for at, question in enumerate(questions):
        names = (text(question.get("id")), text(question.get("question")), text(question.get("header")), f"q{at + 1}")
        value = next((given[name] for name in names if name and name in given), None)
        choices.append(_native(value, _labels(question)))
    return "answered", tuple(choices)


def _native(value: Any, labels: Sequence[str]) -> Choice:
    if isinstance(value, str):
        return matched(value, labels)
    listed = sequence(mapping(value).get("answers")) or sequence(value)
    words = [word for word in listed if isinstance(word, str)]
    own = [word for word in words if word not in labels]
    return Choice(tuple(word for word in words if word in labels), ", ".join(own))


def _labels(question: Json) -> tuple[str, ...]:
    return tuple(text(option.get("label")) for option in mappings(question.get("options")))


def _in_words(questions: Sequence[Json], raw_output: Any, content: Any, question_id: str) -> Answers:
    for whole in texts_in(raw_output, content):
        words = whole[:_MOST_SCANNED]
        named = _QUESTION_ID.search(words)
        question_id = question_id or (named[1] if named is not None else "")
        choices = _picked(words, questions)
        if choices is not None:
            return Answers("answered", choices, question_id)
        for phrase, state in _WORDS:
            if phrase in words.lower():
                return Answers(state, _none(questions), question_id)
    return Answers("", _none(questions), question_id)


def _picked(words: str, questions: Sequence[Json]) -> tuple[Choice, ...] | None:
    """Lines `1. [DB] Which?`, each with an arrow line behind it."""
    lines = words.splitlines()
    choices: list[Choice] = []
    for at, question in enumerate(questions):
        head = re.compile(rf"\s*{at + 1}\.\s+(?:\[[^\]]*\]\s+)?{re.escape(text(question.get('question')).strip())}\s*$")
        place = next((number for number, line in enumerate(lines) if head.match(line)), None)
        arrow = _ARROW.match(lines[place + 1]) if place is not None and place + 1 < len(lines) else None
        if arrow is None:
            return None
        choices.append(_chosen(arrow[1].strip(), _labels(question)))
    return tuple(choices) or None


def _chosen(said: str, labels: Sequence[str]) -> Choice:
    if said in _NOTHING:
        return Choice()
    own = _OTHER.search(said)
    if own is None:
        return matched(said, labels)
    return Choice(matched(said[: own.start()], labels).selected, said[own.end() :])
