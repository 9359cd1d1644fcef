"""Google's generateContent, as Gemini CLI speaks it. Whether to stream stands in the address, not in the body."""

import json
from collections.abc import Iterator

from tests.realclients.model.dialect import Told, event, flat, new_id, objects
from tests.realclients.model.script import Conversation, Json, Message, Offered

_USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
# What its side questions (who speaks next, which model) are answered with.
_SIDE = {
    "next_speaker": "user",
    "reasoning": "scripted",
    "complexity_reasoning": "scripted",
    "complexity_score": 1,
    "model_choice": "flash",
}
SIDE_ANSWER = json.dumps(_SIDE)


class Gemini:
    def read(self, body: Json) -> Conversation:
        found: list[Message] = []
        for item in objects(body.get("contents")):
            for part in objects(item.get("parts")):
                if "functionResponse" in part:
                    found.append(Message("tool", flat(part["functionResponse"].get("response"))))
                elif "text" in part:
                    found.append(Message("model" if item.get("role") == "model" else "user", str(part["text"])))
        declared = [each for tool in objects(body.get("tools")) for each in objects(tool.get("functionDeclarations"))]
        tools = tuple(
            Offered(str(each.get("name")), "", each.get("parametersJsonSchema") or each.get("parameters"))
            for each in declared
        )
        settings: Json = body.get("generationConfig") or {}
        schema_only = settings.get("responseMimeType") == "application/json" or bool(settings.get("responseJsonSchema"))
        return Conversation(tuple(found), tools, schema_only=schema_only)

    def whole(self, told: Told) -> Json:
        said = [{"text": told.text}] if told.text else []
        return _candidate([*said, *_calls(told)], "STOP")

    def opening(self, told: Told) -> bytes:
        return b""

    def ping(self, told: Told) -> bytes:
        # It takes no comment lines.
        return event(_candidate([{"text": ""}]))

    def rest(self, told: Told) -> Iterator[bytes]:
        if told.thought:
            yield event(_candidate([{"text": told.thought, "thought": True}]))
        for piece in told.pieces():
            yield event(_candidate([{"text": piece}]))
        yield event(_candidate(list(_calls(told)) or [{"text": ""}], "STOP"))


def _calls(told: Told) -> Iterator[Json]:
    for tool, arguments in told.calls:
        yield {"functionCall": {"name": tool.name, "args": arguments, "id": new_id("fc")}}


def _candidate(parts: list[Json], reason: str = "") -> Json:
    candidate: Json = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "usageMetadata": _USAGE, "modelVersion": "scripted", "responseId": "r"}
