"""What differs between the five revisions of MCP, as far as a server of tools is concerned.

Owns the versions, the envelope of 2026-07-28 and the parts that its results carry; never answers. A request's rules are
chosen per request (contract 4): a version in its `_meta`, else the one that `initialize` settled, else 2025-11-25.
"""

from __future__ import annotations

from codeg.jsonrpc import codec, messages
from codeg.jsonrpc.messages import RpcError, is_object
from codeg.wire.version import VERSION
from companion.opened import MODERN
from companion.shapes import is_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST_HANDSHAKE: Final = "2025-11-25"
BATCH_VERSION: Final = "2025-03-26"
SUPPORTED: Final = (MODERN, *reversed(HANDSHAKE_VERSIONS))
FORM_VERSIONS: Final = (MODERN, "2025-11-25", "2025-06-18")
"""Revisions in which a client can be asked to have a form filled in."""
PLAIN_FORMS: Final = "2025-06-18"
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022
MAX_TASK_ID: Final = 1_024
"""Characters; ours are shorter."""
LIST_TTL_MS: Final = 60_000
"""How long a client may keep a list: changes are announced, this is for a client that does not listen."""

_META: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = _META + "protocolVersion"
CAPABILITIES_KEY: Final = _META + "clientCapabilities"
CLIENT_KEY: Final = _META + "clientInfo"
SUBSCRIPTION_KEY: Final = _META + "subscriptionId"
TASKS: Final = _META + "tasks"
"""The extension by which `delegate_to_agent` answers with a task (protocols 5)."""

SERVER_INFO: Final = {"name": "codeg-mcp", "title": "Codeg", "version": VERSION}
CAPABILITIES: Final = {"tools": {"listChanged": True}}
SERVER_META: Final[dict[str, Any]] = {_META + "serverInfo": SERVER_INFO}
COMPLETE: Final[dict[str, Any]] = {"resultType": "complete", "_meta": SERVER_META}
"""Members of every result by 2026-07-28 rules."""
CACHING: Final = {"ttlMs": LIST_TTL_MS, "cacheScope": "private"}
"""Members of every list by 2026-07-28 rules."""
EMPTY: Final = b"{}"
EMPTY_MODERN: Final = codec.encode(COMPLETE)
TAIL_MODERN: Final = b"," + EMPTY_MODERN[1:-1]
LIST_TAIL_MODERN: Final = b"," + codec.encode({**CACHING, **COMPLETE})[1:-1]


def is_modern(meta: dict[str, Any]) -> bool:
    """Whether a request goes by 2026-07-28 rules. An older version in `_meta` goes by the rules of that version.

    A missing or broken envelope is refused, not guessed at: the revision prescribes the answer (protocols 2), a client
    falls back to `initialize` on it, and since the official SDKs refuse likewise, no client loses tools by it.

    Raises:
        RpcError: -32022 for a version that we lack, -32602 for a broken envelope (protocols 2).
    """
    if VERSION_KEY not in meta:
        return False
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise RpcError(messages.INVALID_PARAMS, f"_meta {VERSION_KEY} must be a string.")
    if version in HANDSHAKE_VERSIONS:
        return False
    if version != MODERN:
        data = {"supported": list(SUPPORTED), "requested": version}
        raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
    if not is_object(meta.get(CAPABILITIES_KEY)):
        raise RpcError(messages.INVALID_PARAMS, f"_meta {CAPABILITIES_KEY} must be an object.")
    if not is_object(meta.get(CLIENT_KEY, {})):
        raise RpcError(messages.INVALID_PARAMS, f"_meta {CLIENT_KEY} must be an object.")
    return True


def tail(result_type: str) -> bytes:
    """What a result by 2026-07-28 rules has besides its own members, each behind a comma."""
    if result_type == "complete":
        return TAIL_MODERN
    return b"," + codec.encode({**COMPLETE, "resultType": result_type})[1:-1]


def capabilities(tasks: bool) -> dict[str, Any]:
    """What `server/discover` declares. `tasks`: the tool that makes some is on."""
    return {**CAPABILITIES, "extensions": {TASKS: {}}} if tasks else CAPABILITIES


def takes_tasks(given: dict[str, Any]) -> bool:
    """Whether these client capabilities, of one request, hold the tasks extension."""
    extensions: Any = given.get("extensions")
    return is_object(extensions) and is_object(extensions.get(TASKS))


def takes_forms(given: dict[str, Any]) -> bool:
    """Whether these client capabilities offer to have a form filled in; an empty object means just that."""
    offered: Any = given.get("elicitation")
    return is_object(offered) and (is_object(offered.get("form")) or "url" not in offered)


def inputs_in(params: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """What a client brings along that was asked for input and repeats its call: responses, and our state.

    Raises:
        RpcError: -32602.
    """
    inputs: Any = params.get("inputResponses", {})
    state: Any = params.get("requestState")
    if not is_object(inputs) or not (state is None or isinstance(state, str)):
        raise RpcError(messages.INVALID_PARAMS, "inputResponses must be an object, requestState a string.")
    return inputs, state


def check_about_task(method: str, params: dict[str, Any], given: dict[str, Any]) -> None:
    """Judges the params of `tasks/*`; `given`: the client's capabilities.

    Raises:
        RpcError: -32021 without the extension, -32602 for wrong params (protocols 5).
    """
    if not takes_tasks(given):
        raise _missing_tasks()
    if not _is_task_id(params.get("taskId")):
        raise RpcError(messages.INVALID_PARAMS, "taskId must be the id of a task.")
    if method == "tasks/update" and not is_object(params.get("inputResponses")):
        raise RpcError(messages.INVALID_PARAMS, "inputResponses must be an object.")


def watched_ids(asked: Any, room: int, given: dict[str, Any]) -> tuple[str, ...]:
    """The tasks of a subscription's filter, as many as there is room for.

    Raises:
        RpcError: -32021 without the extension, -32602 for no list.
    """
    if not takes_tasks(given):
        raise _missing_tasks()
    if not is_list(asked):
        raise RpcError(messages.INVALID_PARAMS, "notifications.taskIds must be a list.")
    return tuple(dict.fromkeys(name for name in asked if _is_task_id(name)))[: max(room, 0)]


def _is_task_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_TASK_ID


def _missing_tasks() -> RpcError:
    data: dict[str, Any] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}
    return RpcError(MISSING_CAPABILITY, "Missing required client capability", data)


def instructions(tools: dict[str, Any], tasks: bool = False) -> str:
    """What the server says of itself to the model, for the tools that are on. `tasks`: its client may take some."""
    lines: list[str] = []
    if "delegate_to_agent" in tools:
        lines.append(
            "Codeg hands work to other coding agents. An @Agent mention in the user's text is an order to delegate to"
            " that agent: call delegate_to_agent once per agent, then wait with get_delegation_status (wait_ms 0)."
        )
        if tasks:
            lines.append("A delegation that runs as a background task brings its result by itself: do not wait for it.")
    if "check_user_feedback" in tools:
        lines.append("Call check_user_feedback at checkpoints of longer work.")
    return " ".join(lines)
