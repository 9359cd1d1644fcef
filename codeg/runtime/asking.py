"""Questions and answers as data: what is accepted, and how it reads to the agent (contract 6, ask_user_question).

Pure: owns rules, no state. Refusals are one sentence that names the field and what it takes.
"""

from collections.abc import Sequence
from typing import Any, cast

from codeg.runtime.services import UserError

MAX_TEXT = 4096
"""Characters of one question, label, description, free answer or note."""
MAX_HEADER = 12
MAX_QUESTIONS = 4
MAX_TITLE = 120

Json = dict[str, Any]


def invalid(message: str) -> UserError:
    """A refusal that the caller can mend."""
    return UserError("invalid_arguments", message)


def title_line(text: str) -> str:
    """The first line that is not blank, 120 characters at most."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


def checked_questions(raw: object) -> tuple[Json, ...]:
    """Questions as they are kept: trimmed, every field there.

    Raises:
        UserError: `invalid_arguments`.
    """
    if not isinstance(raw, (list, tuple)) or not 1 <= len(cast("Sequence[Any]", raw)) <= MAX_QUESTIONS:
        raise invalid(f"questions takes a list of 1 to {MAX_QUESTIONS} questions.")
    checked = tuple(_question(f"questions[{at}]", item) for at, item in enumerate(cast("Sequence[Any]", raw)))
    if len({question["question"] for question in checked}) != len(checked):
        raise invalid("questions: two of them have the same text, so their answers could not be told apart.")
    return checked


def _question(where: str, raw: object) -> Json:
    if not isinstance(raw, dict):
        raise invalid(f"{where} takes an object with question, header, multiSelect and options.")
    item = cast("Json", raw)
    multiple = item.get("multiSelect", False)
    if not isinstance(multiple, bool):
        raise invalid(f"{where}.multiSelect takes true or false.")
    options = item.get("options")
    if not isinstance(options, (list, tuple)) or not 2 <= len(cast("Sequence[Any]", options)) <= 4:
        raise invalid(f"{where}.options takes a list of 2 to 4 options.")
    offered = [_option(f"{where}.options[{at}]", option) for at, option in enumerate(cast("Sequence[Any]", options))]
    if len({option["label"] for option in offered}) != len(offered):
        raise invalid(f"{where}.options: two of them have the same label.")
    return {
        "question": _text(f"{where}.question", item.get("question"), MAX_TEXT),
        "header": _text(f"{where}.header", item.get("header"), MAX_HEADER),
        "multiSelect": multiple,
        "options": offered,
    }


def _option(where: str, raw: object) -> Json:
    if not isinstance(raw, dict):
        raise invalid(f"{where} takes an object with label and description.")
    item = cast("Json", raw)
    description = item.get("description", "")
    if not isinstance(description, str) or len(description) > MAX_TEXT:
        raise invalid(f"{where}.description takes a text of at most {MAX_TEXT} characters.")
    return {"label": _text(f"{where}.label", item.get("label"), MAX_TEXT), "description": description}


def _text(where: str, raw: object, limit: int) -> str:
    text = raw.strip() if isinstance(raw, str) else ""
    if not text or len(text) > limit:
        raise invalid(f"{where} takes a text of 1 to {limit} characters.")
    return text


def checked_answers(questions: Sequence[Json], raw: object) -> tuple[Json, ...]:
    """The person's answers in the order of the questions: `question`, `header`, `selected`, and `other` for free text.

    Raises:
        UserError: a question without answer, a label that was not offered, more than one answer to a single choice.
    """
    if not isinstance(raw, (list, tuple)):
        raise invalid("answers takes a list of objects with question, selected and, for free text, other.")
    given: dict[str, Json] = {}
    for item in cast("Sequence[Any]", raw):
        answer = cast("Json", item) if isinstance(item, dict) else {}
        asked = answer.get("question")
        if not isinstance(asked, str) or asked.strip() not in {question["question"] for question in questions}:
            raise invalid("answers: each names the question that it answers by its exact text.")
        given.setdefault(asked.strip(), answer)
    return tuple(_answer(question, given.get(question["question"])) for question in questions)


def _answer(question: Json, given: Json | None) -> Json:
    header = question["header"]
    if given is None:
        raise invalid(f"answers: the question “{header}” has no answer.")
    selected = given.get("selected", [])
    if not isinstance(selected, (list, tuple)):
        raise invalid(f"answers: selected of “{header}” takes a list of labels.")
    labels = [option["label"] for option in question["options"]]
    chosen = [label.strip() if isinstance(label, str) else "" for label in cast("Sequence[Any]", selected)]
    if any(label not in labels for label in chosen):
        raise invalid(f"answers: “{header}” offers only: {', '.join(labels)}. Anything else goes into other.")
    chosen = [label for label in labels if label in chosen]
    other = given.get("other")
    if other is not None and (not isinstance(other, str) or len(other) > MAX_TEXT):
        raise invalid(f"answers: other of “{header}” takes a text of at most {MAX_TEXT} characters.")
    free = other.strip() if isinstance(other, str) else ""
    if not question["multiSelect"] and len(chosen) + bool(free) != 1:
        raise invalid(f"answers: “{header}” takes exactly one label, or free text in other.")
    answer: Json = {"question": question["question"], "header": header, "selected": chosen}
    return answer | {"other": free} if free else answer


def answers_text(answers: Sequence[Json]) -> str:
    """The answers as an agent reads them; free text is marked as such."""
    lines: list[str] = []
    for answer in answers:
        parts = list(answer["selected"])
        if answer.get("other"):
            parts.append(f"(other) {answer['other']}")
        lines.append(f"{answer['question']} → {'; '.join(parts) if parts else '(nothing selected)'}")
    return "\n".join(lines)
