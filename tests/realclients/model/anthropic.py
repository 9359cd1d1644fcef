"""Anthropic Messages, as Claude Code and its adapter speak it."""

import json
from collections.abc import Iterator
from typing import Any

from tests.realclients.model.dialect import Told, event, flat, new_id, objects
from tests.realclients.model.script import Conversation, Json, Message, Offered, Role

_USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}


class Anthropic:
    def read(self, body: Json) -> Conversation:
        found: list[Message] = []
        for item in objects(body.get("messages")):
            role: Role = "model" if item.get("role") == "assistant" else "user"
            content = item.get("content")
            if isinstance(content, str):
                found.append(Message(role, content))
            for block in objects(content):
                if block.get("type") == "tool_result":
                    found.append(Message("tool", flat(block.get("content"))))
                elif block.get("type") == "text":
                    found.append(Message(role, str(block.get("text"))))
        tools = tuple(
            Offered(str(tool.get("name")), "", tool.get("input_schema")) for tool in objects(body.get("tools"))
        )
        return Conversation(tuple(found), tools, bool(body.get("stream")), str(body.get("model", "")))

    def whole(self, told: Told) -> Json:
        return {**_base(told), "content": list(_blocks(told)), "stop_reason": _reason(told)}

    def opening(self, told: Told) -> bytes:
        return _event("message_start", message=_base(told)) + _event("ping")

    def ping(self, told: Told) -> bytes:
        return _event("ping")

    def rest(self, told: Told) -> Iterator[bytes]:
        for at, block in enumerate(_blocks(told)):
            yield from _block(told, at, block)
            yield _event("content_block_stop", index=at)
        yield _event(
            "message_delta", delta={"stop_reason": _reason(told), "stop_sequence": None}, usage={"output_tokens": 5}
        )
        yield _event("message_stop")


def _base(told: Told) -> Json:
    shared = {"id": f"msg_{told.id}", "type": "message", "role": "assistant", "model": told.model}
    return {**shared, "content": [], "stop_reason": None, "stop_sequence": None, "usage": _USAGE}


def _reason(told: Told) -> str:
    return "tool_use" if told.calls else "end_turn"


def _blocks(told: Told) -> Iterator[Json]:
    if told.thought:
        yield {"type": "thinking", "thinking": told.thought, "signature": "c2lnbmVk"}
    if told.text:
        yield {"type": "text", "text": told.text}
    for tool, arguments in told.calls:
        yield {"type": "tool_use", "id": new_id("toolu_"), "name": tool.name, "input": arguments}


def _block(told: Told, at: int, block: Json) -> Iterator[bytes]:
    if block["type"] == "thinking":
        yield _event("content_block_start", index=at, content_block={"type": "thinking", "thinking": ""})
        yield _delta(at, type="thinking_delta", thinking=block["thinking"])
        yield _delta(at, type="signature_delta", signature=block["signature"])
    elif block["type"] == "text":
        yield _event("content_block_start", index=at, content_block={"type": "text", "text": ""})
        for piece in told.pieces():
            yield _delta(at, type="text_delta", text=piece)
    else:
        yield _event("content_block_start", index=at, content_block={**block, "input": {}})
        yield _delta(at, type="input_json_delta", partial_json=json.dumps(block["input"]))


def _delta(at: int, **fields: Any) -> bytes:
    return _event("content_block_delta", index=at, delta=fields)


def _event(kind: str, **fields: Any) -> bytes:
    return event({"type": kind, **fields}, kind)
