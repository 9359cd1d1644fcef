"""What one entry of a conversation is for the feed: text, a plain tool call, or a call of one of our tools.

Owns the reading of entries, each by itself; pure, no Qt, never raises. What follows from its neighbours, from tasks and
from question sets is added by the fold.
"""

from dataclasses import dataclass
from typing import Any, cast

from codeg.api import (
    Answers,
    Entry,
    QuestionRecord,
    answers_of,
    failure_of,
    legacy_outcome,
    recognise,
    reports_of,
    task_id_of,
)
from ui.viewmodels.rows import (
    AnsweredRow,
    Check,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    Step,
    ThoughtRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.transcript.tools import images_of, output_of, status_of, tool_row

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Delegating:
    """A call of `delegate_to_agent`. `task_id`: as its answer names it, "" = it does not."""

    seq: int
    call_id: str
    agent: str
    task: str
    task_id: str
    failure: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Polling:
    """A call of `get_delegation_status`. `open`: it waits now."""

    seq: int
    checks: tuple[Check, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """A call of `ask_user_question`: its questions, and `row` as the call alone tells it.

    `pending`: the call returned, nobody has answered.
    """

    seq: int
    question_id: str
    questions: tuple[str, ...]
    row: AnsweredRow
    pending: bool


Part = (
    UserRow
    | NoteRow
    | MessageRow
    | ThoughtRow
    | PlanRow
    | NoticeRow
    | ToolRow
    | DelegationRow
    | AnsweredRow
    | Delegating
    | Polling
    | Asking
)


def part_of(entry: Entry, over: bool = False) -> Part | None:
    """What an entry is; None = nothing to show. `over`: its turn has ended, so that what is open stays undone."""
    match entry.kind:
        case "tool":
            return _tool(entry, over)
        case "message":
            return MessageRow(f"entry-{entry.seq}", entry.text, entry.created_ms, images=images_of(entry.content))
        case "thought":
            return ThoughtRow(f"entry-{entry.seq}", entry.text)
        case "user":
            return UserRow(f"entry-{entry.seq}", entry.text, entry.created_ms, images_of(entry.content))
        case "plan":
            return PlanRow(f"entry-{entry.seq}", tuple(_step(step) for step in entry.plan))
        case _:
            return NoticeRow(f"entry-{entry.seq}", entry.text, entry.status or "info", entry.created_ms)


def answered_row(record: QuestionRecord) -> AnsweredRow:
    """A question set as the store has it, at its own place."""
    return AnsweredRow(
        key=f"ask-{record.question_id}",
        picks=_picks(record.questions, answers_of(record.questions, {"answers": list(record.answers)})),
        state=record.state,
        at_ms=record.closed_ms or record.created_ms,
    )


def _step(step: Json) -> Step:
    return Step(_text(step.get("content")), _text(step.get("status")))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _tool(entry: Entry, over: bool) -> Part | None:
    own = recognise(entry.title, entry.raw_input, name=entry.tool_name)
    if own is None:
        return tool_row(entry, over)
    match own.tool:
        case "delegate_to_agent":
            return _delegating(entry, own.arguments)
        case "get_delegation_status":
            return _polling(entry, own.arguments, over)
        case "ask_user_question":
            return _asking(entry, own.arguments, over)
        case "check_user_feedback":
            return None  # its notes stand as rows of their own
        case _:
            return _steering(entry, over)


def _delegating(entry: Entry, arguments: Json) -> Delegating:
    return Delegating(
        seq=entry.seq,
        call_id=entry.tool_call_id,
        agent=_text(arguments.get("agent_type")),
        task=_text(arguments.get("task")),
        task_id=task_id_of(entry.raw_output, entry.content),
        failure=_why_refused(entry),
        at_ms=entry.created_ms,
    )


def _why_refused(entry: Entry) -> str:
    """Why the call came to nothing; "" = it did not fail, as far as it says. An acknowledgement is no failure."""
    reports = reports_of(entry.raw_output, entry.content)
    if reports and (reports[0].status != "failed" or reports[0].task_id):
        return ""
    report = reports[0] if reports else legacy_outcome(entry.raw_output, entry.content)
    if report is not None and report.status == "failed":
        return report.message or report.error_code or output_of(entry)
    said = failure_of(entry.raw_output, entry.content)
    return said or (output_of(entry) if status_of(entry) == "failed" else "")


def _polling(entry: Entry, arguments: Json, over: bool) -> Polling | None:
    """A poll; None while it waits and nobody knows for what."""
    asked = [each for each in _listed(arguments.get("task_ids")) if isinstance(each, str) and each]
    asked += [one] if (one := _text(arguments.get("task_id"))) else []
    reports = reports_of(entry.raw_output, entry.content)
    known = {report.task_id: report.status for report in reports if report.task_id}
    if len(reports) == 1 and not reports[0].task_id and len(asked) == 1:
        known = {asked[0]: reports[0].status}
    if not asked:
        asked = list(known)
    is_open = status_of(entry, over) == "running"
    if is_open and not asked:
        return None
    checks = tuple(Check(entry.created_ms, task_id, known.get(task_id, "")) for task_id in dict.fromkeys(asked))
    return Polling(entry.seq, checks, is_open)


def _steering(entry: Entry, over: bool) -> ToolRow | None:
    """A cancel or a resume: the child's card shows what came of it. One that never reached us stays to be seen."""
    if status_of(entry, over) != "failed" or reports_of(entry.raw_output, entry.content):
        return None
    return tool_row(entry, over) if output_of(entry) or failure_of(entry.raw_output, entry.content) else None


def _asking(entry: Entry, arguments: Json, over: bool) -> Asking | None:
    """A question set; None until its questions are told: a call that only waits on shows nothing of its own."""
    questions = tuple(cast("Json", each) for each in _listed(arguments.get("questions")) if isinstance(each, dict))
    questions = tuple(each for each in questions if _text(each.get("question")) or _text(each.get("header")))
    if not questions:
        return None
    answers = answers_of(questions, entry.raw_output, entry.content)
    row = AnsweredRow(
        key=f"entry-{entry.seq}",
        picks=_picks(questions, answers),
        state=_state(answers, is_open=status_of(entry, over) == "running", over=over),
        at_ms=entry.created_ms,
    )
    texts = tuple(_text(each.get("question")) for each in questions)
    return Asking(entry.seq, answers.question_id, texts, row, answers.state == "pending")


def _state(answers: Answers, *, is_open: bool, over: bool) -> Any:
    if answers.state in {"answered", "declined", "withdrawn"}:
        return answers.state
    if is_open or (answers.state == "pending" and not over):
        return "open"
    return "withdrawn"


def _picks(questions: "tuple[Json, ...]", answers: Answers) -> "tuple[tuple[str, str], ...]":
    picks: list[tuple[str, str]] = []
    for question, choice in zip(questions, answers.choices, strict=True):
        chosen = [*choice.selected, *([choice.other] if choice.other else [])]
        picks.append((_text(question.get("header")) or _text(question.get("question")), ", ".join(chosen)))
    return tuple(picks)
