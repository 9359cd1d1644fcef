"""The operator's commands on the socket: what the command line and a second desktop ask of a running host (contract 5).

Owns the ops, their fields and their outcomes; the parts of the host do the work. Who may come here was judged before.
What was understood but cannot be done is an outcome `{status: failed, error_code, message}`; wrong fields are an
`invalid_request`. Optional fields are marked `?`, with their default in brackets.

* sessions, `limit?` (500), `before?` (id of the last one seen): `[{id, agent_type or host, folder, state, title,
  parent, created_at}]`, newest first; a page shorter than `limit` is the last
* tasks, `limit?` (200), `before?`: reports without text, newest first, in pages likewise
* show, `task_id`, `max_bytes?` (1 MiB): one report
* wait, `task_ids`, `wait_ms?` (0): reports, when `status` of contract 5 would answer
* result, `task_id`, `offset?` (0), `limit?` (1 MiB): `{task_id, status, offset, next_offset (null at the end),
  text_bytes, data (base64)}`
* cancel and resume, `task_id`: one report
* asks: what waits for the person
* answer, `request_id` and one of `option`, `answers`, `decline`: `{request_id, answered: true}`
* note, `session_id`, `text`: `{id}`
* raise: `{raised, kind: desktop/serve, pid}`
* stop: `{stopping: true, pid}`
* run, `agent`, `cwd`, `prompt`, `yes?`, `person?`: `{session_id}`
* run, `session_id`, `after?` (0), `wait_ms?` (0): `{events, next, ended}`
* run, `session_id`, `cancel: true`: `{session_id, canceled: true}`
"""

import base64
import os
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from codeg.broker.report_fit import MOST_BYTES
from codeg.broker.reports import bare, report_of, text_size
from codeg.broker.tasks import Unknown
from codeg.runtime.exchange import Exchange
from codeg.runtime.operator_fields import Fields
from codeg.runtime.replies import Replies, Wish
from codeg.runtime.scoped import Scoped
from codeg.runtime.services import Services
from codeg.runtime.stored import shown_session, stored_view
from codeg.runtime.tasks_door import StatusQuestion, TasksDoor, one
from codeg.runtime.working import Work
from codeg.wire.models import MAX_IDS, WireFault

SESSIONS_PAGE, TASKS_PAGE = 500, 200
RESULT_PAGE, MOST_RESULT = 1024 * 1024, 8 * 1024 * 1024
MOST_WAIT_MS = 60_000

_ALL = Wish(max_bytes=MOST_BYTES)


class OperatorDoor:
    """Answers `operator` requests whose right to ask was established."""

    def __init__(self, services: Services, tasks: TasksDoor, work: Work) -> None:
        self._services = services
        self._tasks = tasks
        self._work = work
        self._replies = Replies(services.broker)
        self._replying: dict[str, Callable[[Fields], Awaitable[Any]]] = {
            "sessions": self._sessions,
            "tasks": self._list,
            "result": self._result,
            "asks": self._asks,
            "answer": self._answer,
            "note": self._note,
            "raise": self._raise,
            "stop": self._stop,
        }

    def take(self, exchange: Exchange, op: str, args: dict[str, Any]) -> None:
        """Answer one command, now or later.

        Raises:
            WireFault: a field is missing or wrong.
        """
        fields = Fields(args)
        match op:
            case "show":
                wish = Wish(max_bytes=fields.count("max_bytes", MOST_BYTES, most=MOST_BYTES))
                self._tasks.status(exchange, StatusQuestion(None, (fields.text("task_id"),), wish=wish), one)
            case "wait":
                ids = fields.texts("task_ids", most=MAX_IDS)
                asked = StatusQuestion(None, ids, fields.count("wait_ms", 0), _ALL)
                self._tasks.status(exchange, asked, lambda reports: reports)
            case "cancel":
                self._tasks.cancel(exchange, None, fields.text("task_id"), _ALL)
            case "resume":
                self._tasks.resume(exchange, None, fields.text("task_id"), _ALL)
            case "run":
                self._run(exchange, fields)
            case _:
                self._later(exchange, self._replying[op], fields)

    def _later(self, exchange: Exchange, act: Callable[[Fields], Awaitable[Any]], fields: Fields) -> None:
        async def work() -> None:
            exchange.reply(await act(fields))

        self._work.start(exchange, work)

    # ---- looking

    async def _sessions(self, fields: Fields) -> list[dict[str, Any]]:
        limit, before = fields.count("limit", SESSIONS_PAGE, most=SESSIONS_PAGE), fields.maybe_text("before")
        stored = await self._services.database.run(lambda store: store.sessions_page(limit, before))
        return [shown_session(self._services.sessions.get(record.session_id) or record) for record in stored]

    async def _list(self, fields: Fields) -> list[dict[str, Any]]:
        limit, before = fields.count("limit", TASKS_PAGE, most=TASKS_PAGE), fields.maybe_text("before")
        stored = await self._services.database.run(lambda store: store.tasks_page(limit, before))
        views = [self._services.broker.view(record.task_id) or stored_view(record) for record in stored]
        return await self._replies.whole(views, Wish(max_bytes=MOST_BYTES, texts=False))

    async def _result(self, fields: Fields) -> dict[str, Any]:
        task_id, offset = fields.text("task_id"), fields.count("offset", 0)
        limit = max(1, fields.count("limit", RESULT_PAGE, most=MOST_RESULT))
        await self._services.broker.recall((task_id,))
        view = self._services.broker.view(task_id)
        if view is None:
            return report_of(Unknown(task_id))
        data = await self._services.broker.result(task_id, offset, limit)
        size = max(text_size(view), offset + len(data))
        following = offset + len(data) if data and offset + len(data) < size else None
        return {
            **bare(view),
            "offset": offset,
            "next_offset": following,
            "text_bytes": size,
            "data": base64.b64encode(data).decode("ascii"),
        }

    async def _asks(self, _: Fields) -> list[dict[str, Any]]:
        return self._services.desk.asks()

    # ---- acting

    async def _answer(self, fields: Fields) -> dict[str, Any]:
        request_id, option = fields.text("request_id"), fields.maybe_text("option")
        answers, decline = fields.maybe_objects("answers"), fields.flag("decline")
        if (option is not None) + (answers is not None) + decline != 1:
            raise WireFault("invalid_request", "An answer takes exactly one of the fields option, answers and decline.")
        await self._services.desk.answer(request_id, option, answers, decline=decline)
        return {"request_id": request_id, "answered": True}

    async def _note(self, fields: Fields) -> dict[str, Any]:
        return {"id": await self._services.desk.note(fields.text("session_id"), fields.any_text("text"))}

    async def _raise(self, _: Fields) -> dict[str, Any]:
        raised = self._services.raise_window()
        return {"raised": raised, "kind": "desktop" if raised else "serve", "pid": os.getpid()}

    async def _stop(self, _: Fields) -> dict[str, Any]:
        await self._services.stop_host()
        return {"stopping": True, "pid": os.getpid()}

    def _run(self, exchange: Exchange, fields: Fields) -> None:
        if not fields.has("session_id"):
            self._later(exchange, self._begin_run, fields)
        elif fields.flag("cancel"):
            self._later(exchange, self._cancel_run, fields)
        else:
            self._follow_run(exchange, fields)

    async def _begin_run(self, fields: Fields) -> dict[str, Any]:
        cwd = fields.text("cwd")
        if not os.path.isabs(cwd):
            raise WireFault("invalid_request", "The field cwd must be an absolute path.")
        agent, prompt = fields.text("agent"), fields.text("prompt")
        yes, person = fields.flag("yes"), fields.flag("person")
        return {"session_id": await self._services.runs.start(agent, cwd, prompt, yes=yes, person=person)}

    async def _cancel_run(self, fields: Fields) -> dict[str, Any]:
        session_id = fields.text("session_id")
        await self._services.runs.cancel(session_id)
        return {"session_id": session_id, "canceled": True}

    def _follow_run(self, exchange: Exchange, fields: Fields) -> None:
        session_id, after = fields.text("session_id"), fields.count("after", 0)
        wait_s = fields.count("wait_ms", 0, most=MOST_WAIT_MS) / 1000
        scope = anyio.CancelScope()
        exchange.watch(Scoped(scope))

        async def work() -> None:
            with scope:
                events, following, ended = await self._services.runs.events(session_id, after, wait_s)
                exchange.reply({"events": events, "next": following, "ended": ended})
            if scope.cancelled_caught:
                exchange.drop()

        self._work.start(exchange, work)
