"""The steps of `ask_user_question` (contract 6): named first, then waited for, and never asked twice.

Owns where the answer may come from. The host always waits. Where it says that nobody sits before it (`elicit`), and the
client offers forms, the client's own person is asked as well (protocols 6): by 2026-07-28 rules the call is answered
with the form and comes again with what was filled in, by older ones the form is a request of ours beside the wait. The
first answer wins; that is decided at the host alone. A form that is closed answers nothing.
"""

from __future__ import annotations

from codeg.jsonrpc import messages
from codeg.jsonrpc.messages import RpcError
from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion import elicitation, rendering
from companion.arguments import Wrong
from companion.link import Unreachable
from companion.rendering import Malformed, Plain
from companion.shapes import is_object
from companion.work import MARGIN_S, Ask, Expired, Lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, Final

    from companion.link import Access
    from companion.rendering import Result
    from companion.work import Steps, Task

    Fields = dict[str, Any]
    Asked = Generator[Ask, Any, "Result"]

NAMING_MS: Final = 1
"""The first wait for questions: it brings their id, with which the real wait can be repeated and gone on with."""
_KEY: Final = "answers"
"""Of the one form in `inputRequests`."""


def ask(task: Task, arguments: Fields) -> Steps:
    """The steps of a call.

    Raises:
        Wrong: its arguments cannot be taken.
    """
    question_id: str = arguments.get("question_id", "").strip()
    given: list[Fields] = arguments.get("questions", [])
    if bool(given) == bool(question_id):
        raise Wrong(
            "Give either questions (a list of 1 to 4) or the question_id of questions asked before, one of the two."
        )
    if task.call.state is not None:
        return _repeated(task, task.call.state, question_id)
    return _asked(task, [_question(item, f"questions[{at}]") for at, item in enumerate(given)], question_id)


def _question(item: Fields, path: str) -> Fields:
    options = [
        {"label": option["label"].strip(), "description": option.get("description", "")} for option in item["options"]
    ]
    if len({option["label"] for option in options}) < len(options):
        raise Wrong(f"{path}.options takes different labels; got one of them twice.")
    return {
        "question": item["question"].strip(),
        "header": item["header"].strip(),
        "multiSelect": item.get("multiSelect", False),
        "options": options,
    }


def _asked(task: Task, questions: list[Fields], question_id: str) -> Steps:
    """Naming new questions is short, so that even at the end of the companion their id reaches the client."""
    offers = task.forms.offered(task.call)
    if questions or offers:
        outcome, result = yield from _named(task, questions or None, question_id)
        if not _is_pending(result) or not result.fields.get("question_id"):
            return result
        question_id = result.fields["question_id"]
        asked = _to_elicit(outcome) if offers and not task.forms.is_shut(question_id) else []
        if asked and task.call.modern:
            return _form(task, question_id, asked, "", 1)
        if asked:
            task.forms.put(task.call, question_id, asked)
    return (yield from _waited(task, question_id))


def _named(task: Task, questions: list[Fields] | None, question_id: str) -> Generator[Ask, Any, tuple[Any, Result]]:
    """The state of questions now, new ones put first. Whatever happens behind it, the result names them."""
    build = _ask_request(questions, question_id or None, NAMING_MS)
    try:
        outcome = yield Ask(build, task.short(), repeatable=not questions)
        return outcome, rendering.answers(outcome)
    except (Expired, Unreachable, RemoteError, Malformed) as error:
        if questions and not isinstance(error, (Expired, Lost)):
            # They never came to be.
            raise
        return None, _lost(question_id, error)


def _waited(task: Task, question_id: str) -> Asked:
    try:
        result = yield from _wait(task, question_id)
    except GeneratorExit:
        # The client wants no answer any more.
        task.forms.withdraw(question_id)
        raise
    finally:
        task.forms.leave(question_id)
    if result.fields.get("state") not in (None, "pending"):
        task.forms.withdraw(question_id)
    return result


def _wait(task: Task, question_id: str) -> Asked:
    """The host ends the waits itself. Whatever happens, the result names the questions, so nobody needs to ask anew."""
    while True:
        started = task.clock()
        build = _ask_request(None, question_id, max(int((task.due - started) * 1000), NAMING_MS))
        try:
            result = rendering.answers((yield Ask(build, task.due + MARGIN_S, waits=True)))
        except Expired:
            return rendering.answers({"state": "pending", "question_id": question_id})
        except (Unreachable, RemoteError, Malformed) as error:
            return _lost(question_id, error)
        early = task.clock() - started < MARGIN_S
        if not _is_pending(result) or early or task.due - task.clock() < MARGIN_S:
            return result


def _repeated(task: Task, state: str, named: str) -> Steps:
    """The call came again with what the person filled in. The state names the question; the host judges whose it is."""
    question_id, _, count = state.rpartition("/")
    if not question_id or len(count) != 1 or not count.isdecimal() or named not in ("", question_id):
        return RpcError(messages.INVALID_PARAMS, "requestState is not what this server gave out for this call.")
    given: Any = task.call.inputs.get(_KEY)
    said: Fields = given if is_object(given) else {}
    if said.get("action") == "decline" and not task.forms.is_hasty(question_id):
        return (yield from _said(task, question_id, None))
    if said.get("action") in ("cancel", "decline"):
        task.forms.shut(question_id)
        return (yield from _waited(task, question_id))
    outcome, result = yield from _named(task, None, question_id)
    if not _is_pending(result):
        return result
    asked = elicitation.questions_in(outcome.get("questions"))
    answers = elicitation.answers(asked, said.get("content")) if asked and said.get("action") == "accept" else None
    note = elicitation.AGAIN
    if answers is not None:
        result = yield from _said(task, question_id, answers)
        if result.fields.get("error_code") != "invalid_arguments":
            return result
        note = result.fields["message"]
    if asked and int(count) < elicitation.MOST_TIMES and task.forms.offered(task.call):
        return _form(task, question_id, asked, note, int(count) + 1)
    task.forms.shut(question_id)
    return (yield from _waited(task, question_id))


def _said(task: Task, question_id: str, answers: list[Fields] | None) -> Asked:
    """Brings the person's word (None = declined) to the host; the result is what counts there."""

    def build(access: Access) -> Fields:
        return requests.answer_question(access.token, question_id, answers)

    try:
        return rendering.answers((yield Ask(build, task.short())))
    except (Expired, Unreachable, RemoteError, Malformed) as error:
        return _lost(question_id, error)


def _lost(question_id: str, error: Exception) -> Result:
    """The result that still names the questions."""
    if isinstance(error, (Unreachable, RemoteError)):
        return rendering.lost_answers(question_id, error.code, error.message)
    text = "The host did not answer in time." if isinstance(error, Expired) else rendering.UNREADABLE
    return rendering.lost_answers(question_id, "host_unavailable", text)


def _form(task: Task, question_id: str, asked: list[Fields], note: str, count: int) -> Plain:
    task.forms.note_shown(question_id)
    params = elicitation.form(asked, note, plain=False)
    wanted = {_KEY: {"method": "elicitation/create", "params": params}}
    return Plain({"inputRequests": wanted, "requestState": f"{question_id}/{count}"}, "input_required")


def _to_elicit(outcome: Any) -> list[Fields]:
    """The questions to put to the client's person; none where somebody sits before the host."""
    return elicitation.questions_in(outcome.get("questions")) if outcome.get("elicit") is True else []


def _is_pending(result: Result) -> bool:
    return result.fields.get("state") == "pending"


def _ask_request(questions: list[Fields] | None, question_id: str | None, wait_ms: int) -> Callable[[Access], Fields]:
    return lambda access: requests.ask(access.token, questions, question_id, wait_ms)
