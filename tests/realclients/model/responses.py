"""OpenAI Responses, as Codex and its adapters speak it."""

import json
from collections.abc import Iterator
from typing import Any

from tests.realclients.model.dialect import Told, event, flat, new_id, objects
from tests.realclients.model.script import Conversation, Json, Message, Offered, Role

_USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 5,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 15,
}


class Responses:
    def read(self, body: Json) -> Conversation:
        given = body.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else objects(given)
        found: list[Message] = []
        searched: list[Offered] = []
        for item in items:
            kind = str(item.get("type", "message"))
            if kind == "message":
                found.append(Message(_role(item), flat(item.get("content"))))
            elif kind == "tool_search_output":
                found.append(Message("tool", json.dumps(item.get("tools"))))
                searched += _tools(item)
            elif kind.endswith("_output"):
                found.append(Message("tool", flat(item.get("output"))))
        tools = (*_tools(body), *searched)
        return Conversation(tuple(found), tools, bool(body.get("stream")), str(body.get("model", "")))

    def whole(self, told: Told) -> Json:
        return {**_base(told), "status": "completed", "output": list(_items(told)), "usage": _USAGE}

    def opening(self, told: Told) -> bytes:
        return _event("response.created", response=_base(told))

    def ping(self, told: Told) -> bytes:
        return _event("response.in_progress", response=_base(told))

    def rest(self, told: Told) -> Iterator[bytes]:
        items = list(_items(told))
        for at, item in enumerate(items):
            yield from _message(told, at, item) if item["type"] == "message" else _call(at, item)
            yield _event("response.output_item.done", output_index=at, item=item)
        yield _event(
            "response.completed", response={**_base(told), "status": "completed", "output": items, "usage": _USAGE}
        )


def _role(item: Json) -> Role:
    role = item.get("role")
    return "model" if role == "assistant" else "user" if role == "user" else "system"


def _tools(body: Json) -> tuple[Offered, ...]:
    found: list[Offered] = []
    for tool in objects(body.get("tools")):
        if tool.get("type") == "namespace":
            found += [_offered(each, str(tool.get("name"))) for each in objects(tool.get("tools"))]
        else:
            found.append(_offered(tool))
    return tuple(found)


def _offered(tool: Json, namespace: str = "") -> Offered:
    kind = str(tool.get("type", "function"))
    return Offered(str(tool.get("name") or kind), namespace, tool.get("parameters"), kind)


def _base(told: Told) -> Json:
    return {"id": f"resp_{told.id}", "object": "response", "created_at": 1, "model": told.model, "output": []}


def _items(told: Told) -> Iterator[Json]:
    if told.thought:
        yield {
            "id": new_id("rs_"),
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": told.thought}],
        }
    if told.text:
        content: list[Json] = [{"type": "output_text", "text": told.text, "annotations": []}]
        yield {
            "id": new_id("msg_"),
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": content,
        }
    for tool, arguments in told.calls:
        yield _called(tool, arguments)


def _called(tool: Offered, arguments: Json) -> Json:
    if tool.kind == "tool_search":
        named = {"call_id": new_id("call_"), "execution": "client", "arguments": arguments}
        return {"id": new_id("ts_"), "type": "tool_search_call", "status": "completed", **named}
    shared = {"status": "completed", "call_id": new_id("call_"), "name": tool.name}
    if tool.kind == "custom":
        return {"id": new_id("ctc_"), "type": "custom_tool_call", **shared, "input": str(arguments.get("input", ""))}
    spaced = {"namespace": tool.namespace} if tool.namespace else {}
    return {"id": new_id("fc_"), "type": "function_call", **shared, **spaced, "arguments": json.dumps(arguments)}


def _message(told: Told, at: int, item: Json) -> Iterator[bytes]:
    place = {"item_id": item["id"], "output_index": at, "content_index": 0}
    yield _event("response.output_item.added", output_index=at, item={**item, "status": "in_progress", "content": []})
    yield _event("response.content_part.added", **place, part={"type": "output_text", "text": "", "annotations": []})
    for piece in told.pieces():
        yield _event("response.output_text.delta", **place, delta=piece)
    yield _event("response.output_text.done", **place, text=told.text)


def _call(at: int, item: Json) -> Iterator[bytes]:
    yield _event("response.output_item.added", output_index=at, item={**item, "status": "in_progress"})
    if "arguments" in item:
        place = {"item_id": item["id"], "output_index": at}
        yield _event("response.function_call_arguments.delta", **place, delta=item["arguments"])
        yield _event("response.function_call_arguments.done", **place, arguments=item["arguments"])


def _event(kind: str, **fields: Any) -> bytes:
    return event({"type": kind, **fields}, kind)
