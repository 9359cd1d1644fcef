"""The scripted model itself, asked by hand in each dialect."""

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.realclients.model import Model, Seen, Turn, call, in_turns, marked, say
from tests.realclients.model.script import Json, Offered
from tests.support import until

PATHS = {
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "anthropic": "/v1/messages?beta=true",
    "gemini": "/v1beta/models/g:generateContent",
}
GEMINI_STREAM = "/v1beta/models/g:streamGenerateContent?alt=sse"


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as running:
        running.script("hello", in_turns(call("look", at="x"), say("Saw {result}.")))
        yield running


def asked(dialect: str, prompt: str, *results: str) -> Json:
    """A request with these results behind the prompt, and one tool on offer."""
    if dialect == "responses":
        outputs = [{"type": "function_call_output", "call_id": "c", "output": each} for each in results]
        words = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}
        spaced: Json = {"type": "namespace", "name": "mcp__codeg", "tools": [{"name": "look", "parameters": {}}]}
        return {"model": "m", "input": [words, *outputs], "tools": [spaced]}
    if dialect == "chat":
        outputs = [{"role": "tool", "tool_call_id": "c", "content": each} for each in results]
        tool: Json = {"type": "function", "function": {"name": "codeg_look", "parameters": {}}}
        return {"model": "m", "messages": [{"role": "user", "content": prompt}, *outputs], "tools": [tool]}
    if dialect == "anthropic":
        blocks = [{"type": "tool_result", "tool_use_id": "c", "content": each} for each in results]
        messages: list[Json] = [{"role": "user", "content": prompt}]
        messages += [{"role": "user", "content": blocks}] if blocks else []
        return {"model": "m", "messages": messages, "tools": [{"name": "mcp__codeg__look", "input_schema": {}}]}
    parts = [{"functionResponse": {"name": "look", "response": {"output": each}}} for each in results]
    contents: list[Json] = [{"role": "user", "parts": [{"text": prompt}]}]
    contents += [{"role": "user", "parts": parts}] if parts else []
    return {"contents": contents, "tools": [{"functionDeclarations": [{"name": "mcp_codeg_look"}]}]}


def post(model: Model, path: str, body: Json) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
    try:
        connection.request("POST", path, json.dumps(body))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def ask(model: Model, dialect: str, *results: str) -> str:
    status, said = post(model, PATHS[dialect], asked(dialect, f"do {marked('hello')}", *results))
    assert status == 200, said
    return said


NAMES = {"responses": "look", "chat": "codeg_look", "anthropic": "mcp__codeg__look", "gemini": "mcp_codeg_look"}


@pytest.mark.parametrize("dialect", PATHS)
def test_a_script_goes_on_with_each_result(model: Model, dialect: str) -> None:
    first = ask(model, dialect)
    assert f'"name": "{NAMES[dialect]}"' in first
    assert "Saw" not in first
    assert "Saw 42." in ask(model, dialect, "42")
    assert model.results("hello") == ("42",)


def test_a_call_carries_the_namespace_of_its_tool(model: Model) -> None:
    item = json.loads(ask(model, "responses"))["output"][0]
    assert (item["namespace"], item["name"], json.loads(item["arguments"])) == ("mcp__codeg", "look", {"at": "x"})
    assert model.asked("hello")[0].offered == ("mcp__codeg__look",)


def test_tools_that_a_search_found_can_be_called(model: Model) -> None:
    model.script("search", in_turns(call("tool_search", query="x"), call("look")))
    body = asked("responses", marked("search"))
    spaced, body["tools"] = body["tools"][0], [{"type": "tool_search", "execution": "client"}]
    found = json.loads(post(model, PATHS["responses"], body)[1])["output"][0]
    assert (found["type"], found["arguments"]) == ("tool_search_call", {"query": "x"})
    body["input"].append({"type": "tool_search_output", "call_id": found["call_id"], "tools": [spaced]})
    found = json.loads(post(model, PATHS["responses"], body)[1])["output"][0]
    assert (found["namespace"], found["name"]) == ("mcp__codeg", "look")


def events(said: str) -> list[Any]:
    return [json.loads(line[6:]) for line in said.splitlines() if line.startswith("data: {")]


def words_of(dialect: str, event: Json) -> str:
    if dialect == "responses":
        return event.get("delta", "")
    if dialect == "chat":
        return "".join(choice["delta"].get("content") or "" for choice in event["choices"])
    if dialect == "anthropic":
        return event.get("delta", {}).get("text", "")
    parts: list[Json] = event["candidates"][0]["content"]["parts"]
    return "".join(part["text"] for part in parts if "thought" not in part)


@pytest.mark.parametrize("dialect", PATHS)
def test_a_stream_brings_the_same(model: Model, dialect: str) -> None:
    model.script("long", in_turns(Turn(text="word " * 20, thought="hm")))
    path = GEMINI_STREAM if dialect == "gemini" else PATHS[dialect]
    body = asked(dialect, marked("long")) | ({} if dialect == "gemini" else {"stream": True})
    status, said = post(model, path, body)
    assert status == 200
    found = events(said)
    assert "".join(words_of(dialect, each) for each in found) == "word " * 20
    assert "hm" in said


def test_a_tool_that_is_not_offered_is_called_by_its_full_name(model: Model) -> None:
    model.script("hidden", in_turns(call("secret", full="mcp__codeg__secret")))
    said = post(model, PATHS["chat"], asked("chat", marked("hidden")))[1]
    assert '"name": "mcp__codeg__secret"' in said


def test_requests_beside_the_conversation_do_not_follow_the_script(model: Model) -> None:
    body = asked("chat", marked("hello"))
    del body["tools"]
    assert "A scripted title" in post(model, PATHS["chat"], body)[1]
    side = asked("gemini", marked("hello")) | {"generationConfig": {"responseMimeType": "application/json"}}
    assert "next_speaker" in post(model, PATHS["gemini"], side)[1]
    assert "There is no script" in post(model, PATHS["chat"], asked("chat", "no mark"))[1]
    assert post(model, "/v1/elsewhere", {})[0] == 404
    assert json.loads(post(model, "/v1/messages/count_tokens", {})[1])["input_tokens"] == 100


def test_the_newest_prompt_with_a_mark_chooses(model: Model) -> None:
    model.script("other", in_turns(say("Other.")))
    body = asked("chat", marked("hello"), "1")
    body["messages"] += [{"role": "user", "content": marked("other")}, {"role": "user", "content": "a reminder"}]
    assert "Other." in post(model, PATHS["chat"], body)[1]


def test_a_gate_holds_an_answer_until_it_is_opened(model: Model) -> None:
    model.script("held", in_turns(Turn(text="late", gate="g")))
    answers: list[tuple[int, str]] = []
    asking = threading.Thread(target=lambda: answers.append(post(model, PATHS["chat"], asked("chat", marked("held")))))
    asking.start()
    model.reached("g")
    assert not answers
    model.release("g")
    asking.join(20)
    assert "late" in answers[0][1]


@pytest.mark.parametrize("held", [Turn(gate="never"), Turn(hang="never")])
def test_a_client_that_leaves_is_counted(model: Model, held: Turn) -> None:
    model.script("held", in_turns(held))
    connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
    body = asked("chat", marked("held")) | {"stream": True}
    connection.request("POST", PATHS["chat"], json.dumps(body))
    model.reached("never")
    connection.close()
    until(lambda: model.dropped("held"), "the client's end is seen")


def test_an_end_of_the_server_waits_for_nobody() -> None:
    before = threading.active_count()
    connection = None
    with Model() as model:
        model.script("held", in_turns(Turn(gate="never")))
        connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
        connection.request("POST", PATHS["chat"], json.dumps(asked("chat", marked("held"))))
        model.reached("never")
    connection.close()
    assert threading.active_count() == before


def test_errors_of_the_service_and_of_a_script(model: Model) -> None:
    model.script("busy", in_turns(Turn(status=429)))
    model.script("broken", lambda seen: call("x", id=seen.results[7]))
    assert post(model, PATHS["anthropic"], asked("anthropic", marked("busy")))[0] == 429
    assert post(model, PATHS["chat"], asked("chat", marked("broken")))[0] == 500
    assert "IndexError" in model.failures[0]


def test_steps_may_decide_by_what_came_and_make_several_calls() -> None:
    both = Turn(calls=(*call("a").calls, *call("b").calls))
    script = in_turns(both, lambda seen: call("c", of=seen.last), say("end"))
    assert script(Seen(("1",))) == both
    assert script(Seen(("1", "2"))) == call("c", of="2")
    assert script(Seen(("1", "2", "3"))) == say("end")


def test_a_tool_is_found_by_the_end_of_its_name_only_at_a_separator() -> None:
    from tests.realclients.model.script import Call, resolved

    offered = (Offered("relook"), Offered("x_look"))
    assert resolved(Call("look", {}), offered).name == "x_look"
    assert resolved(Call("relook", {}), offered).name == "relook"
    assert resolved(Call("gone", {}), offered).name == "gone"
