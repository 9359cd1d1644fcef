"""OpenAI Chat Completions, as OpenCode, Qwen Code and Pi speak it."""

import json
from collections.abc import Iterator
from typing import Any

from tests.realclients.model.dialect import Told, event, flat, new_id, objects
from tests.realclients.model.script import Conversation, Json, Message, Offered, Role

_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
_ROLES: dict[str, Role] = {"assistant": "model", "tool": "tool", "user": "user"}


class Chat:
    def read(self, body: Json) -> Conversation:
        found = [
            Message(_ROLES.get(str(item.get("role")), "system"), flat(item.get("content")))
            for item in objects(body.get("messages"))
        ]
        functions = [tool.get("function", tool) for tool in objects(body.get("tools"))]
        tools = tuple(Offered(str(each.get("name")), "", each.get("parameters")) for each in functions)
        return Conversation(tuple(found), tools, bool(body.get("stream")), str(body.get("model", "")))

    def whole(self, told: Told) -> Json:
        message: Json = {"role": "assistant", "content": told.text or None}
        if told.calls:
            message["tool_calls"] = [
                {name: value for name, value in each.items() if name != "index"} for each in _calls(told)
            ]
        choice = {"index": 0, "message": message, "finish_reason": _reason(told)}
        return {**_base(told, "chat.completion"), "choices": [choice], "usage": _USAGE}

    def opening(self, told: Told) -> bytes:
        return _chunk(told, {"role": "assistant", "content": ""})

    def ping(self, told: Told) -> bytes:
        return b": ping\n\n"

    def rest(self, told: Told) -> Iterator[bytes]:
        if told.thought:
            yield _chunk(told, {"reasoning_content": told.thought})
        for piece in told.pieces():
            yield _chunk(told, {"content": piece})
        for each in _calls(told):
            yield _chunk(told, {"tool_calls": [each]})
        yield _chunk(told, {}, _reason(told))
        yield event({**_base(told, "chat.completion.chunk"), "choices": [], "usage": _USAGE})
        yield event("[DONE]")


def _base(told: Told, kind: str) -> Json:
    return {"id": f"chatcmpl-{told.id}", "object": kind, "created": 1, "model": told.model}


def _chunk(told: Told, delta: Json, reason: str | None = None) -> bytes:
    choice: dict[str, Any] = {"index": 0, "delta": delta, "finish_reason": reason}
    return event({**_base(told, "chat.completion.chunk"), "choices": [choice]})


def _reason(told: Told) -> str:
    return "tool_calls" if told.calls else "stop"


def _calls(told: Told) -> Iterator[Json]:
    for at, (tool, arguments) in enumerate(told.calls):
        function = {"name": tool.name, "arguments": json.dumps(arguments)}
        yield {"index": at, "id": new_id("call_"), "type": "function", "function": function}
