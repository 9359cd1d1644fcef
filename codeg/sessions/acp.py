"""Messages of the Agent Client Protocol, v1: what we send is built here, what an agent answers is read here.

Pure; the transport and the state belong to others. Reading is tolerant: further fields are kept or passed over,
unknown words are taken as given, a field of the wrong kind counts as absent. File and terminal services are not
offered (no known agent uses them); requests for them, and all that we do not know, are refused with -32601.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from codeg.sessions.quirks import gemini
from codeg.sessions.reading import clean, mapping, mappings, shorten, text, whole
from codeg.sessions.sign_in import SignInWay, read_ways
from codeg.sessions.types import Image, Json, McpServer, PermissionOption

PROTOCOL_VERSION = 1

INITIALIZE = "initialize"
NEW_SESSION = "session/new"
LOAD_SESSION = "session/load"
RESUME_SESSION = "session/resume"
SET_MODE = "session/set_mode"
SET_OPTION = "session/set_config_option"
SET_MODEL = "session/set_model"
"""Gone from the protocol; agents that list models instead of offering an option for them still take it."""
PROMPT = "session/prompt"
CANCEL = "session/cancel"
UPDATE = "session/update"
REQUEST_PERMISSION = "session/request_permission"
CANCEL_REQUEST = "$/cancel_request"

METHOD_NOT_FOUND = -32601
SIGN_IN_REQUIRED = -32000
REQUEST_CANCELLED = -32800

_SIGN_IN = re.compile(
    r"auth(?:entication|orization)? (?:is )?required|not (?:logged|signed) in|(?:log|sign)[ -]?in (?:is )?required"
    r"|please (?:run .{0,40})?(?:log|sign)[ -]?in|requires? (?:authentication|(?:log|sign)[ -]?in)|auth_required",
    re.IGNORECASE,
)
_MAX_REASON = 2_000


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What an agent said in its answer to `initialize`. `protocol_version` None = not told."""

    protocol_version: int | None
    load: bool
    resume: bool
    name: str
    version: str
    sign_in_ways: tuple[SignInWay, ...]
    images: bool = False

    @property
    def resume_via(self) -> str:
        """How its sessions can be re-attached: `resume`, `load` or `none`."""
        return "resume" if self.resume else "load" if self.load else "none"


@dataclass(frozen=True, slots=True)
class PermissionAsked:
    """Parameters of `session/request_permission`."""

    session_id: str
    tool_call: Json
    options: tuple[PermissionOption, ...]

    @property
    def tool_call_id(self) -> str:
        """The tool call that it is about; empty when the agent names none."""
        return text(self.tool_call.get("toolCallId"))

    def option_ids(self) -> "tuple[frozenset[str], frozenset[str]]":
        """Ids of all options, and of those that say no (by their kind; ids and names are the agent's own)."""
        refusals = frozenset(option.option_id for option in self.options if option.kind.startswith("reject"))
        return frozenset(option.option_id for option in self.options), refusals


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """Answer to `session/prompt`; the stop reason is kept as given, `unknown` when there is none."""

    stop_reason: str
    input_tokens: int | None
    output_tokens: int | None


def initialize_params(client_version: str) -> Json:
    """Parameters of `initialize`: no file or terminal services; notices and switches are welcome.

    Ways to sign in that need a terminal are told to the person, who has one.
    """
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": False, "writeTextFile": False},
            "terminal": False,
            "auth": {"terminal": True},
            "session": {"notices": {}, "configOptions": {"boolean": {}}},
        },
        "clientInfo": {"name": "codeg", "title": "Codeg", "version": client_version},
    }


def session_params(cwd: str, servers: Sequence[McpServer], session_id: str | None = None) -> Json:
    """Parameters of `session/new`, or with a session id of `session/load` and `session/resume`."""
    params: Json = {"cwd": cwd, "mcpServers": [_server(server) for server in servers]}
    return params if session_id is None else {"sessionId": session_id, **params}


def _server(server: McpServer) -> Json:
    return {
        "name": server.name,
        "command": server.command,
        "args": list(server.args),
        "env": [{"name": name, "value": value} for name, value in server.env],
    }


def prompt_params(session_id: str, prompt: str, images: Sequence[Image] = ()) -> Json:
    """Parameters of `session/prompt`: one text block, the text as it is (none for an empty one), then the images."""
    blocks: list[Json] = [{"type": "text", "text": prompt}] if prompt or not images else []
    return {"sessionId": session_id, "prompt": [*blocks, *map(image_block, images)]}


def image_block(image: Image) -> Json:
    """The content block of a picture."""
    return {"type": "image", "mimeType": image.mime, "data": image.data}


def cancel_params(session_id: str) -> Json:
    """Parameters of the notification `session/cancel`."""
    return {"sessionId": session_id}


def set_mode_params(session_id: str, mode_id: str) -> Json:
    """Parameters of `session/set_mode`."""
    return {"sessionId": session_id, "modeId": mode_id}


def set_model_params(session_id: str, model_id: str) -> Json:
    """Parameters of `session/set_model`."""
    return {"sessionId": session_id, "modelId": model_id}


def set_option_params(session_id: str, option: Json, config_id: str, value: str) -> Json:
    """Parameters of `session/set_config_option`; `option`, as offered, tells whether the value is a boolean."""
    params: Json = {"sessionId": session_id, "configId": config_id, "value": value}
    if option.get("type") == "boolean" and value.lower() in ("true", "false"):
        return {**params, "type": "boolean", "value": value.lower() == "true"}
    return params


def permission_result(option_id: str | None) -> Json:
    """Result for `session/request_permission`: the option chosen, or cancelled."""
    if option_id is None:
        return {"outcome": {"outcome": "cancelled"}}
    return {"outcome": {"outcome": "selected", "optionId": option_id}}


def read_initialize(result: Any) -> AgentFacts:
    """Read the answer to `initialize`. A capability counts when it is there and neither null nor false."""
    answer = mapping(result)
    capabilities = mapping(answer.get("agentCapabilities"))
    session = mapping(capabilities.get("sessionCapabilities"))
    info = mapping(answer.get("agentInfo"))
    return AgentFacts(
        protocol_version=whole(answer.get("protocolVersion")),
        load=capabilities.get("loadSession") is True,
        resume=session.get("resume") not in (None, False),
        name=text(info.get("title")) or text(info.get("name")),
        version=text(info.get("version")),
        images=mapping(capabilities.get("promptCapabilities")).get("image") is True,
        sign_in_ways=read_ways(answer.get("authMethods")),
    )


def read_permission(params: Any) -> PermissionAsked:
    """Read a permission request. Options without an id are dropped; one without a name is shown by its id."""
    asked = mapping(params)
    options = tuple(
        PermissionOption(
            option_id=text(option.get("optionId")),
            name=clean(text(option.get("name"))) or text(option.get("optionId")),
            kind=text(option.get("kind")),
        )
        for option in mappings(asked.get("options"))
        if text(option.get("optionId"))
    )
    return PermissionAsked(text(asked.get("sessionId")), mapping(asked.get("toolCall")), options)


def read_prompt_answer(result: Any) -> PromptAnswer:
    """Read the answer to a prompt."""
    answer = mapping(result)
    usage = mapping(answer.get("usage"))
    taken, given = whole(usage.get("inputTokens")), whole(usage.get("outputTokens"))
    if taken is None and given is None:
        taken, given = gemini.tokens(answer)
    return PromptAnswer(text(answer.get("stopReason")) or "unknown", taken, given)


def joined_tool_call(earlier: Json, asked: Json) -> Json:
    """The tool call of a permission request, filled up from its updates: some carry neither title nor input."""
    told = {key: value for key, value in asked.items() if value is not None and value not in ("", [], {})}
    return {**earlier, **told}


def permission_title(tool_call: Json) -> str:
    """One line that says what is asked leave for (400 characters at most)."""
    title = text(tool_call.get("title")) or text(tool_call.get("name"))
    if not title:
        kind = text(tool_call.get("kind"))
        title = f"Run a tool ({kind})" if kind else "Run a tool"
    return shorten(" ".join(clean(title).split()), 400)


def error_sentence(code: Any, message: Any, data: Any = None, blot: Callable[[str], str] = str) -> str:
    """An error answer in words: its code, its message, and what its data adds. `blot` takes secrets out of a text."""
    said = " ".join(blot(text(message)).split()) or "no message"
    more = _data_words(data, blot)
    sentence = f"error {code}: {said}" + (f" ({more})" if more and more not in said else "")
    return clean(shorten(sentence, _MAX_REASON))


def wants_sign_in(code: Any, message: Any, data: Any = None) -> bool:
    """The error means that the agent wants its user to sign in: by its code, or by its words."""
    return code == SIGN_IN_REQUIRED or bool(_SIGN_IN.search(f"{text(message)} {_data_words(data)}"[:_MAX_REASON]))


def _data_words(data: Any, blot: Callable[[str], str] = str) -> str:
    if data is None or data == {}:
        return ""
    if isinstance(data, str):
        return " ".join(blot(data)[:_MAX_REASON].split())
    details = mapping(data)
    for key in ("details", "detail", "message", "reason"):
        if text(details.get(key)):
            return " ".join(blot(text(details[key]))[:_MAX_REASON].split())
    return blot(json.dumps(data, ensure_ascii=False, default=str))[:_MAX_REASON]
