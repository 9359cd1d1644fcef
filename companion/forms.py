"""Forms that a client of the older revisions shows its person for us: requests of ours beside the wait at the host.

Owns which forms are open, by question, and what becomes of what was filled in: it is brought to the host, whose answer
to the waiting call tells how the question ended. Never answers a call. A form ends by its response, by `withdraw` once
the question is settled elsewhere, or by `close`; one that was closed unanswered is not shown again by this companion.

A program without a person before it may decline by itself (measured: `codex exec` 0.171, within milliseconds). What no
person can have read is no word of a person: it closes the form, and the question goes on waiting at the host.
"""

from __future__ import annotations

from codeg.wire import requests
from companion import elicitation, revisions
from companion.shapes import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from codeg.jsonrpc.messages import Response
    from companion.link import Access
    from companion.mcp import Core
    from companion.opened import Call

    Fields = dict[str, Any]

MOST_OPEN: Final = 16
MOST_KEPT: Final = 256
"""Questions of which it is known when their form was shown, or that it was shut."""
HASTY_S: Final = 1.0
"""A form that is declined sooner was not read by anybody."""
NOT_BROUGHT: Final = "The answer could not be brought to Codeg; please give it once more."


class Form:
    """One open form. `request_id`: of our request, 0 while its answer is under way; `times`: how often it was put.

    `calls`: that wait for its question now.
    """

    __slots__ = ("calls", "framed", "plain", "question_id", "questions", "request_id", "times")

    def __init__(self, question_id: str, questions: list[Fields], framed: bool, plain: bool) -> None:
        self.question_id = question_id
        self.questions = questions
        self.framed = framed
        self.plain = plain
        self.request_id = 0
        self.times = 0
        self.calls = 1


class Forms:
    """The forms of one companion. `bring`: sends one request to the host and tells its outcome, None = it failed.

    `clock`: seconds of the loop.
    """

    def __init__(
        self,
        core: Core,
        bring: Callable[[Callable[[Access], Fields], Callable[[Any], None]], None],
        clock: Callable[[], float],
    ) -> None:
        self._core = core
        self._bring = bring
        self._clock = clock
        self._shown: dict[str, float] = {}
        """When the form of a question was shown last."""
        self._open: dict[str, Form] = {}
        self._shut: dict[str, None] = {}
        self._closed = False

    def offered(self, call: Call) -> bool:
        """Whether the client of this call can be asked to have a form filled in."""
        client = call.client
        known = client.revision in revisions.FORM_VERSIONS and (client.revision == revisions.MODERN) == call.modern
        offers = known and not self._closed and revisions.takes_forms(client.capabilities)
        return offers and not _is_unattended(call.meta)

    def is_shut(self, question_id: str) -> bool:
        """The person has closed the form of this question without an answer."""
        return question_id in self._shut

    def shut(self, question_id: str) -> None:
        """The person has closed it: the question goes on waiting at the host, and is not shown here again."""
        self._shut[question_id] = None
        _keep_newest(self._shut)

    def note_shown(self, question_id: str) -> None:
        """The form of this question goes out now."""
        self._shown.pop(question_id, None)
        self._shown[question_id] = self._clock()
        _keep_newest(self._shown)

    def is_hasty(self, question_id: str) -> bool:
        """Whether an answer now comes sooner than anybody can have read the form."""
        shown = self._shown.get(question_id)
        return shown is not None and self._clock() - shown < HASTY_S

    def put(self, call: Call, question_id: str, questions: list[Fields]) -> None:
        """Shows the questions, unless they are shown already; `leave` when the call waits no longer."""
        if question_id in self._open:
            self._open[question_id].calls += 1
            return
        if len(self._open) >= MOST_OPEN:
            self.withdraw(next(iter(self._open)))
        self._show(Form(question_id, questions, call.framed, call.client.revision == revisions.PLAIN_FORMS), "")

    def leave(self, question_id: str) -> None:
        """A call waits no longer. The form stays: who is typing must not lose it to the time limit of a call."""
        form = self._open.get(question_id)
        if form is not None and form.calls:
            form.calls -= 1

    def withdraw(self, question_id: str) -> None:
        """The question is settled, or nobody asks any more."""
        form = self._open.pop(question_id, None)
        if form is not None:
            self._core.withdraw(form.request_id, "the question is settled", form.framed)

    def close(self) -> None:
        """The companion ends: no form stays open, none is shown any more."""
        self._closed = True
        for question_id in list(self._open):
            self.withdraw(question_id)

    def _show(self, form: Form, note: str) -> None:
        if self._closed or form.times >= elicitation.MOST_TIMES:
            self._open.pop(form.question_id, None)
            self.shut(form.question_id)
            return
        form.times += 1
        params = elicitation.form(form.questions, note, form.plain)
        said: Callable[[Response], None] = lambda response: self._said(form, response)  # noqa: E731  # typed
        form.request_id = self._core.ask_client("elicitation/create", params, form.framed, said)
        self.note_shown(form.question_id)
        self._open[form.question_id] = form

    def _said(self, form: Form, response: Response) -> None:
        form.request_id = 0
        result: Fields = response.result if response.error is None and is_object(response.result) else {}
        action = result.get("action")
        if action == "decline" and not self.is_hasty(form.question_id):
            self._tell(form, None)
        elif action != "accept":
            self._open.pop(form.question_id, None)
            # Without a call that waits it was the program that closed it (measured: Codex does at the end of a turn).
            if form.calls or response.error is not None:
                self.shut(form.question_id)
        elif (answers := elicitation.answers(form.questions, result.get("content"))) is None:
            self._show(form, elicitation.AGAIN)
        else:
            self._tell(form, answers)

    def _tell(self, form: Form, answers: list[Fields] | None) -> None:
        def build(access: Access) -> Fields:
            return requests.answer_question(access.token, form.question_id, answers)

        def told(outcome: Any) -> None:
            if self._open.pop(form.question_id, None) is None:
                return
            if not is_object(outcome):
                self._show(form, NOT_BROUGHT)
            elif outcome.get("status") == "failed":
                self._show(form, str(outcome.get("message") or elicitation.AGAIN))

        self._bring(build, told)


def _keep_newest(held: dict[str, Any]) -> None:
    if len(held) > MOST_KEPT:
        del held[next(iter(held))]


def _is_unattended(meta: Fields) -> bool:
    """Whether the program says of itself that it runs without a person before it (measured: `codex exec` 0.171)."""
    turn = meta.get("x-codex-turn-metadata")
    return is_object(turn) and turn.get("turn_trigger") == "exec"
