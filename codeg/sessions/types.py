"""Shapes that sessions share: agent definitions, conversation entries and changes, permission requests, turn results.

Owns frozen data only. Entries are replaced, never mutated, so a snapshot is a tuple.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
"""A JSON object as read from a peer."""


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """One agent of the catalogue (contract 7). `command` empty = no way to start it is known."""

    slug: str
    label: str
    command: tuple[str, ...]
    env: "tuple[tuple[str, str], ...]" = field(default=(), repr=False)
    """Values are secrets: they appear in no repr, log or error."""
    enabled: bool = True
    delegate: bool = True
    """False withholds the delegation tools from it (`[agents.X] delegate = false`)."""
    mode: str | None = None
    """Session mode to set at start and again after a load; None or empty = whatever mode the agent starts in."""
    options: "tuple[tuple[str, str], ...]" = ()
    """Config options to set after start: (config id, value)."""
    install: str = ""
    """One sentence: how to install it."""
    sign_in: str = ""
    """Sentences: what a person types to sign in; empty = what the agent itself says of it."""
    adapts: str = ""
    """The program that `command` is only an adapter for; it may be there while the adapter is not."""
    drop_env: tuple[str, ...] = ()
    """Further names to take out of its environment."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """A stdio entry of `mcpServers`. `env` never holds a token (some agents copy it to their argv)."""

    name: str
    command: str
    args: tuple[str, ...]
    env: "tuple[tuple[str, str], ...]" = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a prompt. `mime`: such as `image/png`; `data`: base64."""

    mime: str
    data: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ConfigOption:
    """A config option as the agent offers it (ACP `configOptions`).

    `category`: `mode`, `model`, `thought_level`, others, or empty; `choices`: (value, name). A switch has the choices
    `true` and `false`. `value`: the current one.
    """

    option_id: str
    name: str
    category: str
    value: str
    choices: "tuple[tuple[str, str], ...]" = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command that the agent takes at the beginning of a prompt. `name`: without the slash; `hint`: of its input."""

    name: str
    description: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """What an agent offers in its session. `images`: a prompt may hold pictures.

    `signed_in`: as the program tells by itself; None = most do not.
    """

    options: tuple[ConfigOption, ...] = ()
    commands: tuple[SlashCommand, ...] = ()
    images: bool = False
    signed_in: bool | None = None


EntryKind = Literal["user", "message", "thought", "tool", "plan", "notice"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a conversation. `seq` counts from 0 within the conversation and never changes.

    `text`: user, message, thought, notice. Tool calls: `tool_call_id`, `title`, `tool_name`, `tool_kind`, `status`
    (pending, in_progress, completed, failed), `content` (ACP content blocks as read), `raw_input`, `raw_output`,
    `locations`. Messages, and what the user said: `content` holds blocks that are no text (images, links). Notices:
    `status` = severity (info, warning, error).
    Plans: `plan` = list of {content, status, priority}. Times in epoch milliseconds.
    """

    seq: int
    kind: EntryKind
    attempt: int
    created_ms: int
    text: str = ""
    tool_call_id: str = ""
    title: str = ""
    tool_name: str = ""
    tool_kind: str = ""
    status: str = ""
    content: tuple[Json, ...] = ()
    raw_input: Any = None
    raw_output: Any = None
    locations: tuple[Json, ...] = ()
    plan: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """`added`: a new entry at the end; `updated`: the entry with this seq was replaced."""

    kind: Literal["added", "updated"]
    entry: Entry


@dataclass(frozen=True, slots=True)
class PermissionOption:
    """One way to answer; `kind`: allow_once, allow_always, reject_once, reject_always (ACP)."""

    option_id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What an agent asks leave for.

    `key` identifies it within its connection; `tool_call`: as read, joined with what was told of the call before.
    """

    key: str
    title: str
    options: tuple[PermissionOption, ...]
    tool_call: Json = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """Tokens of the prompt's answer, context and cost of usage updates; None = not reported."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    context_used: int | None = None
    context_size: int | None = None
    cost_amount: float | None = None
    cost_currency: str | None = None


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The answer to a prompt. `text`: final message of the turn, thoughts excluded (contract 6, Result text)."""

    stop_reason: str
    text: str
    tool_calls: int
    usage: TurnUsage
    note: str = ""
    """For a turn without text: the tools run and files touched, one sentence."""


@dataclass(frozen=True, slots=True)
class ProcessStarted:
    """Identity of keeper and agent: pids, start times in clock ticks since boot, boot id."""

    boot_id: str
    keeper_pid: int
    keeper_start: int
    agent_pid: int
    agent_start: int
