"""The official MCP SDK's client with the tasks extension and with forms, at the real companion, host and agents."""

import json
import sys
from collections.abc import Sequence
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.extension import ClaimContext, ClientExtension, NotificationBinding, ResultClaim
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, Request, RequestParams, Result
from pydantic import BaseModel, ConfigDict, Field

from tests.e2e.rig import Companion, Json, Rig
from tests.support import until

pytestmark = [pytest.mark.e2e, pytest.mark.peer]
PATIENCE_S = 60
TASKS = "io.modelcontextprotocol/tasks"
QUESTION = {
    "question": "Which way?",
    "header": "Way",
    "multiSelect": False,
    "options": [{"label": "Left", "description": "l"}, {"label": "Right", "description": "r"}],
}


class TaskResult(Result):
    """`CreateTaskResult` of the extension."""

    result_type: Literal["task"] = Field(alias="resultType")
    task_id: str = Field(alias="taskId")
    status: str


class Note(BaseModel):
    """What `notifications/tasks` carries."""

    model_config = ConfigDict(extra="allow")
    taskId: str  # noqa: N815  # the extension's name
    status: str
    result: dict[str, Any] | None = None


class Named(RequestParams):
    """The params of every `tasks/*` request."""

    task_id: str = Field(alias="taskId")


class ListenParams(RequestParams):
    notifications: dict[str, Any]


class Tasks(ClientExtension):
    """Takes tasks, and learns of their end by a subscription: it asks for no status."""

    identifier = TASKS

    def __init__(self) -> None:
        self.created: list[TaskResult] = []
        self.notes: list[Note] = []
        self.heard = anyio.Event()
        self._moved = anyio.Event()

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return (ResultClaim(result_type="task", model=TaskResult, resolve=self._resolve),)

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        return (NotificationBinding(method="notifications/tasks", params_type=Note, handler=self._heard),)

    async def _heard(self, note: Note) -> None:
        self.notes.append(note)
        self.heard.set()
        self._moved.set()

    async def _resolve(self, created: TaskResult, context: ClaimContext) -> CallToolResult:
        self.created.append(created)
        params = ListenParams(notifications={"taskIds": [created.task_id]})
        listening = Request[ListenParams, str](method="subscriptions/listen", params=params)
        ended: list[Note] = []
        async with anyio.create_task_group() as group:
            group.start_soon(context.session.send_request, listening, Result)
            ended.append(await self._end_of(created.task_id))
            group.cancel_scope.cancel()
        (note,) = ended
        if note.result is None:
            text = f"{note.taskId} is {note.status}"
            return CallToolResult.model_validate({"content": [{"type": "text", "text": text}], "isError": True})
        return CallToolResult.model_validate(note.result)

    async def _end_of(self, task_id: str) -> Note:
        while True:
            for note in self.notes:
                if note.taskId == task_id and note.status in {"completed", "cancelled", "failed"}:
                    return note
            self._moved = anyio.Event()
            await self._moved.wait()


def server(rig: Rig, **env: str) -> StdioServerParameters:
    arguments = ["-I", "-m", "companion", "--home", str(rig.home)]
    return StdioServerParameters(command=sys.executable, args=arguments, cwd=str(rig.folder), env={**rig.env, **env})


@pytest.mark.anyio
async def test_a_client_that_speaks_tasks_gets_the_result_without_a_status_call(host: Rig) -> None:
    tasks = Tasks()
    with anyio.fail_after(PATIENCE_S):
        async with Client(server(host), mode="auto", extensions=[tasks]) as client:
            result = await client.call_tool(
                "delegate_to_agent", {"agent_type": "custom:fake", "task": "@say from afar"}
            )
            (created,) = tasks.created
            assert (created.status, result.is_error) == ("working", False)
            assert result.structured_content is not None
            assert (result.structured_content["task_id"], result.structured_content["text"]) == (
                created.task_id,
                "from afar",
            )
            refused = await client.call_tool("delegate_to_agent", {"agent_type": "nobody", "task": "x"})
            assert refused.is_error
            failed = await client.call_tool("delegate_to_agent", {"agent_type": "custom:fake", "task": "@exit 3"})
            assert failed.is_error
            assert failed.structured_content is not None
            assert failed.structured_content["error_code"] == "agent_crashed"
            # The plain tools know the same ids.
            plain = await client.call_tool("get_delegation_status", {"task_ids": [created.task_id]})
            assert plain.structured_content is not None
            assert plain.structured_content["tasks"][0]["text"] == "from afar"
    assert [task["status"] for task in host.codeg_json("task", "list")] == ["failed", "completed"]


@pytest.mark.anyio
async def test_a_task_that_is_cancelled_by_its_client_ends_as_cancelled(host: Rig) -> None:
    tasks = Tasks()
    with anyio.fail_after(PATIENCE_S):
        async with Client(server(host), mode="auto", extensions=[tasks]) as client, anyio.create_task_group() as group:
            call = {"agent_type": "custom:fake", "task": "@sleep 600"}
            group.start_soon(client.call_tool, "delegate_to_agent", call)
            await tasks.heard.wait()
            params = Named(taskId=tasks.created[0].task_id)
            await client.session.send_request(Request[Named, str](method="tasks/cancel", params=params), Result)
    assert tasks.notes[-1].status == "cancelled"
    assert host.codeg_json("task", "show", tasks.created[0].task_id)["status"] == "canceled"


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
async def test_a_question_reaches_the_person_at_the_clients_side(host: Rig, mode: Any, action: Any) -> None:
    asked: list[str] = []

    async def person(context: Any, params: ElicitRequestParams) -> ElicitResult:
        del context
        asked.append(params.message)
        if action == "decline":
            # To read takes a person longer than a moment; what is declined sooner is no word of a person.
            await anyio.sleep(1.1)
        return ElicitResult(action=action, content={"q1": "Right"} if action == "accept" else None)

    with anyio.fail_after(PATIENCE_S):
        given = server(host, CODEG_MCP_MAX_WAIT_MS="3000")
        async with Client(given, mode=mode, elicitation_callback=person) as client:
            result = await client.call_tool("ask_user_question", {"questions": [QUESTION]})
            outcome = result.structured_content
            assert outcome is not None
            assert outcome["state"] == {"accept": "answered", "decline": "declined", "cancel": "pending"}[action]
            assert len(asked) == 1
            assert "Which way?" in asked[0]
            if action == "accept":
                assert outcome["answers"] == [{"question": "Which way?", "header": "Way", "selected": ["Right"]}]
    waiting = host.codeg_json("asks")
    assert [ask["request_id"] for ask in waiting] == ([outcome["question_id"]] if action == "cancel" else [])


@pytest.mark.anyio
async def test_an_answer_from_the_shell_comes_first_and_the_form_at_the_client_is_withdrawn(host: Rig) -> None:
    withdrawn = anyio.Event()

    async def person(context: Any, params: ElicitRequestParams) -> ElicitResult:
        del context, params
        try:
            await anyio.sleep_forever()
        finally:
            withdrawn.set()
        raise AssertionError

    def answer_at_the_shell() -> None:
        (ask,) = until(lambda: host.codeg_json("asks"), "the question waits")
        answers = json.dumps([{"question": "Which way?", "selected": ["Left"]}])
        assert host.codeg("answer", ask["request_id"], "--answers", answers).returncode == 0

    with anyio.fail_after(PATIENCE_S):
        async with (
            Client(server(host), mode="legacy", elicitation_callback=person) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(anyio.to_thread.run_sync, answer_at_the_shell)
            result = await client.call_tool("ask_user_question", {"questions": [QUESTION]})
            assert result.structured_content is not None
            assert result.structured_content["answers"][0]["selected"] == ["Left"]
            await withdrawn.wait()


def modern(companion: Companion, method: str, **params: Any) -> int:
    """A request by 2026-07-28 rules of a client that takes tasks and forms."""
    meta: Json = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}, "elicitation": {}},
    }
    return companion.send(method, {**params, "_meta": meta})


def told(companion: Companion) -> list[Json]:
    """The notifications about tasks so far; a ping fetches what is under way."""
    companion.ask("ping", {})
    return [note["params"] for note in companion.notifications if note["method"] == "notifications/tasks"]


def test_a_watched_task_that_the_host_took_with_it_is_told_as_an_error_by_the_next_host(host: Rig) -> None:
    companion = host.companion()
    call = {"agent_type": "custom:fake", "task": "@sleep 600"}
    created = companion.answer(modern(companion, "tools/call", name="delegate_to_agent", arguments=call))["result"]
    assert created["resultType"] == "task"
    modern(companion, "subscriptions/listen", notifications={"taskIds": [created["taskId"]]})
    until(lambda: any(note.get("statusMessage", "").startswith("running") for note in told(companion)), "it runs")
    host.kill_host()
    host.start()
    end = until(lambda: [note for note in told(companion) if "result" in note], "the end is told")[0]
    assert (end["taskId"], end["status"], end["result"]["isError"]) == (created["taskId"], "completed", True)
    assert end["result"]["structuredContent"]["status"] == "interrupted"
    assert companion.close() == 0


def test_a_form_that_is_filled_in_after_the_host_has_restarted_still_answers_its_question(host: Rig) -> None:
    companion = host.companion()
    call = {"name": "ask_user_question", "arguments": {"questions": [QUESTION]}}
    asked = companion.answer(modern(companion, "tools/call", **call))["result"]
    assert asked["resultType"] == "input_required"
    host.kill_host()
    host.start()
    said = {"answers": {"action": "accept", "content": {"q1": "Other", "q1_other": "Straight on"}}}
    again = modern(companion, "tools/call", **call, inputResponses=said, requestState=asked["requestState"])
    outcome = companion.answer(again)["result"]["structuredContent"]
    assert (outcome["state"], outcome["answers"][0]["other"]) == ("answered", "Straight on")
    assert host.codeg_json("asks") == []


def test_a_session_answers_no_question_of_another_one(host: Rig) -> None:
    mine, other = host.companion(), host.guest(host.folder / "elsewhere")
    call = {"name": "ask_user_question", "arguments": {"questions": [QUESTION]}}
    state = mine.answer(modern(mine, "tools/call", **call))["result"]["requestState"]
    said = {"answers": {"action": "accept", "content": {"q1": "Left"}}}
    refused = other.answer(modern(other, "tools/call", **call, inputResponses=said, requestState=state))["result"]
    assert (refused["isError"], refused["structuredContent"]["error_code"]) == (True, "invalid_arguments")
    assert len(host.codeg_json("asks")) == 1
