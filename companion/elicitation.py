"""Questions of `ask_user_question` as one MCP form, and what a client's person filled in (protocols 6).

Owns the shape of the form: one flat object, a field for each question and one for free text beside it. Pure: questions
in, schema out; content in, answers out. The host judges the answers (contract 6); here only what cannot be read is
refused, so that the person is asked again instead of being misread.

Revision 2025-06-18 has no lists and no titled choices: there a multiple choice is a switch for each option.
"""

from __future__ import annotations

from companion.shapes import is_list, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    Fields = dict[str, Any]

MAX_TEXT: Final = 4096
"""Characters of a free answer (the host's limit)."""
MOST_TIMES: Final = 3
"""Times that one form is put; one that comes back unreadable as often is left to the host."""
AGAIN: Final = "Please choose an answer, or write your own."
_OTHER: Final = "Other"


def form(questions: Sequence[Fields], note: str, plain: bool) -> Fields:
    """The params of `elicitation/create`. `note`: a sentence in front; `plain`: by the rules of 2025-06-18."""
    properties: Fields = {}
    required: list[str] = []
    lines = [note] if note else []
    for at, question in enumerate(questions, 1):
        name = f"q{at}"
        lines += _lines(at, question)
        if not question["multiSelect"]:
            required.append(name)
        properties |= _fields(name, question, plain)
        properties[f"{name}_other"] = {
            "type": "string",
            "title": f"{question['header']}: in your own words",
            "description": f"Needed with {_other(question)}, else optional.",
            "maxLength": MAX_TEXT,
        }
    schema: Fields = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    shape: Fields = {"message": "\n".join(lines), "requestedSchema": schema}
    return shape if plain else {"mode": "form", **shape}


def answers(questions: Sequence[Fields], content: Any) -> list[Fields] | None:
    """What a submitted form says, in the shape of `answer_question`; None when a question has no answer in it."""
    filled: Fields = content if is_object(content) else {}
    found: list[Fields] = []
    for at, question in enumerate(questions, 1):
        answer = _many(question, f"q{at}", filled) if question["multiSelect"] else _one(question, f"q{at}", filled)
        if answer is None:
            return None
        found.append({"question": question["question"], **answer})
    return found


def questions_in(value: Any) -> list[Fields]:
    """The host's copy of questions; empty when it is not one."""
    given: list[Any] = value if is_list(value) else []
    found = [question for item in given if (question := _question(item)) is not None]
    return found if len(found) == len(given) else []


def _question(item: Any) -> Fields | None:
    if not is_object(item) or not all(isinstance(item.get(name), str) for name in ("question", "header")):
        return None
    given: Any = item.get("options")
    options = [option for option in given if is_object(option)] if is_list(given) else []
    if not options or not all(isinstance(option.get("label"), str) for option in options):
        return None
    return {**item, "options": options, "multiSelect": item.get("multiSelect") is True}


def _lines(at: int, question: Fields) -> list[str]:
    lines = [f"{at}. [{question['header']}] {question['question']}"]
    for option in question["options"]:
        said = option.get("description")
        lines.append(f"   - {option['label']}: {said}" if said else f"   - {option['label']}")
    return lines


def _fields(name: str, question: Fields, plain: bool) -> Fields:
    about = {"title": question["header"], "description": question["question"]}
    labels = [*_labels(question), _other(question)]
    if plain and question["multiSelect"]:
        return {
            f"{name}_{at}": {"type": "boolean", "title": f"{question['header']}: {label}", "default": False}
            for at, label in enumerate(labels[:-1], 1)
        }
    if plain:
        return {name: {"type": "string", **about, "enum": labels, "enumNames": labels}}
    choices = [{"const": label, "title": label} for label in labels]
    if question["multiSelect"]:
        return {name: {"type": "array", **about, "items": {"anyOf": choices}}}
    return {name: {"type": "string", **about, "oneOf": choices}}


def _labels(question: Fields) -> list[str]:
    return [option["label"] for option in question["options"]]


def _other(question: Fields) -> str:
    """The choice that stands for free text, told from every label."""
    labels, other = _labels(question), _OTHER
    while other in labels:
        other += " (my own words)"
    return other


def _text(name: str, filled: Fields) -> str:
    text = filled.get(f"{name}_other")
    return text.strip() if isinstance(text, str) else ""


def _one(question: Fields, name: str, filled: Fields) -> Fields | None:
    chosen, text = filled.get(name), _text(name, filled)
    if chosen not in _labels(question):
        return {"selected": [], "other": text} if text else None
    # Exactly one of label and text is an answer; what was written beside a choice must not be lost.
    return {"selected": [], "other": f"{chosen}: {text}"} if text else {"selected": [chosen]}


def _many(question: Fields, name: str, filled: Fields) -> Fields | None:
    given, text, labels = filled.get(name), _text(name, filled), _labels(question)
    chosen: list[Any] = given if is_list(given) else []
    marked = [label for at, label in enumerate(labels, 1) if label in chosen or filled.get(f"{name}_{at}") is True]
    if not marked and not text and _other(question) in chosen:
        return None
    return {"selected": marked, "other": text} if text else {"selected": marked}
