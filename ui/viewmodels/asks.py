"""What waits for the person, in one typed shape.

Owns the reading of the host's JSON form (contract 2, `codeg asks --json`); pure, no Qt, never raises on odd input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, cast

Json = dict[str, Any]
AskKind = Literal["permission", "question", "plan_approval"]
_KINDS = frozenset({"permission", "question", "plan_approval"})


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
    kind = _text(shown.get("kind"))
    return Ask(
        request_id=_text(shown.get("request_id")),
        kind=cast("AskKind", kind) if kind in _KINDS else "permission",
        session_id=_text(shown.get("session_id")),
        title=_text(shown.get("title")),
        since_ms=_epoch_ms(shown.get("since")),
        task_id=_text(shown.get("task_id")) or None,
        options=tuple(_option(option) for option in _objects(shown.get("options"))),
        questions=tuple(_question(question) for question in _objects(shown.get("questions"))),
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


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _objects(value: object) -> list[Json]:
    items = cast("list[Any]", value) if isinstance(value, list | tuple) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def _option(shown: Json) -> AskOption:
    return AskOption(_text(shown.get("id")), _text(shown.get("name")), _text(shown.get("kind")))


def _question(shown: Json) -> Question:
    choices = tuple(
        Choice(_text(option.get("label")), _text(option.get("description")))
        for option in _objects(shown.get("options"))
    )
    return Question(
        text=_text(shown.get("question")),
        header=_text(shown.get("header")),
        choices=choices,
        many=shown.get("multiSelect") is True,
    )


def _epoch_ms(since: object) -> int:
    try:
        return int(datetime.fromisoformat(str(since)).timestamp() * 1000)
    except ValueError:
        return 0
