"""What the model gets: one text block, the structured object, and whether it is an error (contract 4, results).

Owns the wording; both copies carry the same facts, since some host programs show one and some the other. Never talks to
the host. What is made here fits the declared output schema; an outcome that cannot fit raises `Malformed`.
"""

from __future__ import annotations

from codeg.jsonrpc import codec
from companion.shapes import is_list, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, TypeAlias

    Fields = dict[str, Any]
    Answer: TypeAlias = "Result | Plain"

ENDS: Final = frozenset({"completed", "failed", "canceled", "interrupted"})
_STATUSES: Final = ENDS | {"queued", "running", "unknown"}
_STATES: Final = frozenset({"answered", "pending", "declined", "withdrawn"})
CALL_AGAIN: Final = "Not finished yet; call get_delegation_status again with the same task_ids and wait_ms 0."
UNREADABLE: Final = "The host's answer cannot be read; is it of another version?"
ENDING: Final = "The session is ending; there is no answer any more."


class Result:
    """A tool's result, and the ids to commit once its text was written. `text` None: it is the JSON of `fields`."""

    __slots__ = ("_text", "commit", "fields", "is_error")
    result_type = "complete"

    def __init__(self, text: str | None, fields: Fields, is_error: bool = False, commit: Sequence[str] = ()) -> None:
        self._text = text
        self.fields = fields
        self.is_error = is_error
        self.commit = commit

    def to_bytes(self, tail: bytes = b"") -> bytes:
        """As `tools/call` returns it, `fields` encoded once. `tail`: more members, each behind a comma."""
        fields = codec.encode(self.fields)
        text = codec.encode(fields.decode() if self._text is None else self._text)
        error = b"true" if self.is_error else b"false"
        return b'{"content":[{"type":"text","text":%b}],"structuredContent":%b,"isError":%b%b}' % (
            text,
            fields,
            error,
            tail,
        )

    def to_object(self) -> Fields:
        """The same for a result that stands inside another one."""
        text = _json(self.fields) if self._text is None else self._text
        content = [{"type": "text", "text": text}]
        return {"content": content, "structuredContent": self.fields, "isError": self.is_error}


class Plain:
    """The result of a request that is no tool's, or not yet: members as they are. `result_type` as in 2026-07-28."""

    __slots__ = ("fields", "result_type")
    is_error = False
    commit: Sequence[str] = ()

    def __init__(self, fields: Fields, result_type: str = "complete") -> None:
        self.fields = fields
        self.result_type = result_type

    def to_bytes(self, tail: bytes = b"") -> bytes:
        """As a response carries it. `tail`: more members, each behind a comma."""
        head = codec.encode(self.fields)[:-1]
        return head + (tail if self.fields else tail[1:]) + b"}"


class Malformed(Exception):
    """The host's outcome is not what this tool returns."""


def failure(tool: str, code: str, message: str) -> Result:
    """A call that did not happen: `code` is one of contract 6, `message` one or two sentences."""
    fields: Fields = {"error_code": code, "message": message}
    if tool == "get_delegation_status":
        return Result(None, {"tasks": [], **fields}, is_error=True)
    if tool == "ask_user_question":
        fields = {"answers": [], **fields}
    elif tool == "check_user_feedback":
        fields = {"count": 0, "feedback": [], **fields}
    else:
        fields = {"status": "failed", **fields}
    return Result(f"{code}: {message}", fields, is_error=True)


def acknowledgement(outcome: Any) -> Result:
    """Of `delegate_to_agent`. The text starts with `task_id=<id>` (contract 6); a refusal has no id."""
    report = report_in(outcome)
    task_id, status = report.get("task_id"), report["status"]
    if not task_id:
        return _refusal(report)
    head = f"task_id={task_id} status={status}."
    if status in ENDS:
        return Result(_with_facts(head, report), report)
    if "get_delegation_status" not in str(report.get("message", "")):
        head += f' Call get_delegation_status with task_ids ["{task_id}"] and wait_ms 0 for its result.'
    return Result(_with_facts(head, report), report)


def one_task(outcome: Any, tool: str) -> Result:
    """Of `cancel_delegation` and `resume_delegation`."""
    report = report_in(outcome)
    task_id, status, code = report.get("task_id"), report["status"], report.get("error_code")
    if not task_id:
        return _refusal(report)
    head = f"task_id={task_id} status={status}."
    if status == "unknown":
        return Result(_with_facts(f"{head} No such task in this session.", report), report, is_error=True)
    if tool == "resume_delegation":
        # A resumed task is live again; one that had ended stays refused, whatever its own end was.
        refused = status in ENDS
        if status not in ENDS:
            head += f' Call get_delegation_status with task_ids ["{task_id}"] and wait_ms 0 for its result.'
        elif code == "resume_unavailable":
            head += " It cannot be resumed."
        return Result(_with_facts(head, report), report, is_error=refused)
    if report.get("stopping"):
        head += " It is being stopped; get_delegation_status tells when its processes are gone."
    return Result(_with_facts(head, report), report)


def statuses(outcome: Any, waited: bool) -> Result:
    """Of `get_delegation_status`: the text is the JSON of the structured part. `waited`: without news it says so."""
    if (refused := _refused(outcome, "get_delegation_status")) is not None:
        return refused
    tasks = reports_in(outcome)
    if waited and tasks and not any(report["status"] in ENDS or report.get("blocked_on") for report in tasks):
        # Once is enough: a note in each of a thousand reports would break the size of the reply.
        for report in tasks:
            if report["status"] in ("queued", "running"):
                report["message"] = f"{report['message']} {CALL_AGAIN}" if report.get("message") else CALL_AGAIN
                break
    unknown = bool(tasks) and all(task["status"] == "unknown" for task in tasks)
    return Result(None, {"tasks": tasks}, is_error=unknown)


def answers(outcome: Any) -> Result:
    """Of `ask_user_question`. Answered and declined are committed by their id; silence is never an answer (B21)."""
    if (refused := _refused(outcome, "ask_user_question")) is not None:
        return refused
    if not is_object(outcome) or outcome.get("state") not in _STATES:
        raise Malformed
    found = _answers(outcome.get("answers"))
    state: str = outcome["state"]
    question_id: Any = outcome.get("question_id")
    fields: Fields = {"state": state, "answers": found}
    if isinstance(question_id, str) and question_id:
        fields["question_id"] = question_id
    tail = f" (question_id={fields['question_id']})" if "question_id" in fields else ""
    if state == "answered":
        text = f"The user answered{tail}:\n" + _answer_lines(found)
    elif state == "pending":
        text = (
            f"Nobody has answered yet{tail}. The question stays open: do not assume an answer. Call ask_user_question"
            " with this question_id to go on waiting; otherwise the answer comes with check_user_feedback."
        )
    elif state == "declined":
        text = f"The user dismissed the question without an answer{tail}. Go on by your own judgement, or stop."
    else:
        text = f"The question was withdrawn before anybody answered it{tail}."
    done = state in ("answered", "declined") and "question_id" in fields
    return Result(text, fields, commit=[fields["question_id"]] if done else ())


def lost_answers(question_id: str, code: str, message: str) -> Result:
    """Of `ask_user_question` when the host cannot be asked on.

    `question_id` "": whether it has the questions is not known. What is known must not be lost here: to ask anew would
    show the user the same questions twice.
    """
    if question_id:
        more = f"The question may still be open: call again with question_id={question_id}, do not ask it anew."
    else:
        more = "The user may see the questions all the same: their answer would come with check_user_feedback."
    message = f"{message} {more}"
    fields: Fields = {"answers": [], "error_code": code, "message": message}
    if question_id:
        fields["question_id"] = question_id
    return Result(f"{code}: {message}", fields, is_error=True)


def notes(outcome: Any) -> Result:
    """Of `check_user_feedback`."""
    if (refused := _refused(outcome, "check_user_feedback")) is not None:
        return refused
    given: Any = outcome.get("feedback") if is_object(outcome) else None
    if not is_list(given):
        raise Malformed
    items = [_note(item) for item in given if is_object(item) and isinstance(item.get("id"), str)]
    fields: Fields = {"count": len(items), "feedback": items}
    if not items:
        return Result("No new feedback. Go on with your work.", fields)
    lines = [f"{len(items)} new from the user. This has priority over your plan; act on it now."]
    lines += [_note_line(at, item) for at, item in enumerate(items, 1)]
    return Result("\n".join(lines), fields, commit=[item["id"] for item in items])


def _refused(outcome: Any, tool: str) -> Result | None:
    """A call that was understood and refused is a failed report without an id, whatever was asked (contract 5)."""
    if not is_object(outcome) or outcome.get("status") != "failed":
        return None
    code, message = outcome.get("error_code"), outcome.get("message")
    if not isinstance(code, str) or not isinstance(message, str):
        raise Malformed
    return failure(tool, code, message)


def reports_in(outcome: Any) -> list[Fields]:
    """The reports of a `status`.

    Raises:
        Malformed: it has none.
    """
    given: Any = outcome.get("tasks") if is_object(outcome) else None
    if not is_list(given):
        raise Malformed
    return [report_in(item) for item in given]


def report_in(value: Any) -> Fields:
    """A report of the host (contract 6), without what is null.

    Raises:
        Malformed: it is none.
    """
    if not is_object(value) or value.get("status") not in _STATUSES:
        raise Malformed
    return {name: item for name, item in value.items() if item is not None}


def _refusal(report: Fields) -> Result:
    code, message = report.get("error_code", report["status"]), report.get("message", "It was not started.")
    return Result(f"{code}: {message}", report, is_error=report["status"] not in ("canceled", "completed"))


def _with_facts(head: str, report: Fields) -> str:
    facts = {name: value for name, value in report.items() if name not in ("task_id", "status", "message", "text")}
    lines = [head]
    # The host's own message may open with the id as well, for hosts that show the structured part alone.
    message = str(report.get("message", "")).removeprefix(f"task_id={report.get('task_id')}").strip()
    if message:
        lines.append(message)
    if facts:
        lines.append(_json(facts))
    if report.get("text"):
        lines.append(str(report["text"]))
    return "\n".join(lines)


def _answers(given: Any) -> list[Fields]:
    return [_answer(item) for item in given if is_object(item)] if is_list(given) else []


def _answer(item: Fields) -> Fields:
    selected: Any = item.get("selected")
    chosen: list[Any] = selected if is_list(selected) else []
    found: Fields = {"question": str(item.get("question", "")), "selected": [str(label) for label in chosen]}
    for name in ("header", "other"):
        if isinstance(item.get(name), str):
            found[name] = item[name]
    return found


def _answer_lines(found: list[Fields]) -> str:
    lines: list[str] = []
    for at, item in enumerate(found, 1):
        header = f"[{item['header']}] " if item.get("header") else ""
        chosen = ", ".join(item["selected"])
        if item.get("other"):
            chosen += f"{'; ' if chosen else ''}Other (in the user's own words): {item['other']}"
        lines.append(f"{at}. {header}{item['question']}\n   -> {chosen or '(nothing chosen)'}")
    return "\n".join(lines)


def _note(item: Fields) -> Fields:
    found: Fields = {"id": item["id"], "kind": "answer" if item.get("kind") == "answer" else "note"}
    for name in ("text", "created_at", "question_id"):
        if isinstance(item.get(name), str):
            found[name] = item[name]
    if "answers" in item:
        found["answers"] = _answers(item["answers"])
    return found


def _note_line(at: int, item: Fields) -> str:
    when = f", {item['created_at']}" if "created_at" in item else ""
    if item["kind"] == "note":
        return f"{at}. {item.get('text', '')} (note {item['id']}{when})"
    about = f" to question_id={item['question_id']}" if "question_id" in item else ""
    lines = _answer_lines(item.get("answers", []))
    return f"{at}. Answer{about} (id {item['id']}{when}): {item.get('text', '')}\n{lines}".rstrip()


def _json(value: Any) -> str:
    return codec.encode(value).decode()
