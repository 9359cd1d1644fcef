"""What waits for the person, in one typed shape.

Owns the reading of the host's JSON form (contract 2, `codeg asks --json`); pure, no Qt, never raises on odd input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Json = dict[str, Any]
AskKind = Literal["permission", "question", "plan_approval"]


@dataclass(frozen=True, slots=True)
class AskOption:
    """One way to answer a permission; `kind`: allow_once, allow_always, reject_once, reject_always."""

    option_id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a question."""

    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set."""

    text: str
    header: str
    choices: tuple[Choice, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that waits. `since_ms`: epoch milliseconds; `task_id`: of the child that asks, None for a root."""

    request_id: str
    kind: AskKind
    session_id: str
    title: str
    since_ms: int
    task_id: str | None = None
    options: tuple[AskOption, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Picked:
    """An answer to one question, as `orders.answer` takes it."""

    question: str
    selected: tuple[str, ...] = ()
    other: str = ""


@dataclass(frozen=True, slots=True)
class AskDetail:
    """The tool call that a permission is about, as read (ACP).

    `raw` may hold kind, title, rawInput, content, locations.
    """

    request_id: str
    raw: Json = field(default_factory=dict[str, Any])


def ask_of(shown: Mapping[str, Any]) -> Ask:
    """Read one ask of the host."""
    kind = shown.get("kind")
    return Ask(
        request_id=str(shown.get("request_id", "")),
        kind=kind if kind in {"question", "plan_approval"} else "permission",
        session_id=str(shown.get("session_id", "")),
        title=str(shown.get("title", "")),
        since_ms=_epoch_ms(shown.get("since")),
        task_id=shown.get("task_id"),
        options=tuple(_option(option) for option in shown.get("options", ())),
        questions=tuple(_question(question) for question in shown.get("questions", ())),
    )


def answers_of(picked: "tuple[Picked, ...]") -> list[Json]:
    """As the host takes them (contract 2, `--answers`)."""
    shapes: list[Json] = []
    for one in picked:
        shape: Json = {"question": one.question, "selected": list(one.selected)}
        if one.other:
            shape["other"] = one.other
        shapes.append(shape)
    return shapes


def _option(shown: Mapping[str, Any]) -> AskOption:
    return AskOption(str(shown.get("id", "")), str(shown.get("name", "")), str(shown.get("kind", "")))


def _question(shown: Mapping[str, Any]) -> Question:
    choices = tuple(
        Choice(str(option.get("label", "")), str(option.get("description", ""))) for option in shown.get("options", ())
    )
    return Question(
        text=str(shown.get("question", "")),
        header=str(shown.get("header", "")),
        choices=choices,
        many=bool(shown.get("multiSelect", False)),
    )


def _epoch_ms(since: object) -> int:
    try:
        return int(datetime.fromisoformat(str(since)).timestamp() * 1000)
    except ValueError:
        return 0
