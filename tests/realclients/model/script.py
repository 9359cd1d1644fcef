"""What the scripted model says: a script is a function of what the model has been shown since the prompt that names it.

Pure. Nothing is remembered between requests, so one server serves many programs at once, and a program that comes back
with an older history is answered as it was then.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Json = dict[str, Any]
Role = Literal["system", "user", "model", "tool"]
# No "@": some programs expand it in prompts.
_MARK = re.compile(r"%%script:([\w.-]+)%%")


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool that a request offers. `namespace`: "" where the dialect has none; `kind`: `custom` takes plain text."""

    name: str
    namespace: str = ""
    schema: Json | None = None
    kind: str = "function"

    @property
    def full(self) -> str:
        return f"{self.namespace}__{self.name}" if self.namespace else self.name


@dataclass(frozen=True, slots=True)
class Message:
    """One piece of a history. A `tool` message is the result of one call."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A request, whatever its dialect. `schema_only`: an answer in a given form is wanted, no turn of the conversation."""

    messages: tuple[Message, ...]
    tools: tuple[Offered, ...]
    stream: bool = False
    model: str = ""
    schema_only: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What a script decides by: texts of the results since its prompt, oldest first, and the tools on offer."""

    results: tuple[str, ...]
    tools: tuple[Offered, ...] = ()

    @property
    def last(self) -> str:
        return self.results[-1] if self.results else ""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `tool`: the whole name or its end; `full`: the name to use when none that is offered has that end."""

    tool: str
    arguments: Json
    full: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer. `{result}` in the text is the last result.

    `gate`: nothing is sent before `Model.release` of that name; `hang`: the same, with the stream opened first. `status`
    other than 200: an error of the service.
    """

    calls: tuple[Call, ...] = ()
    text: str = ""
    thought: str = ""
    gate: str = ""
    hang: str = ""
    status: int = 200


Script = Callable[[Seen], Turn]
Step = Turn | Script


def call(tool: str, *, full: str = "", **arguments: Any) -> Turn:
    """A turn of one call."""
    return Turn(calls=(Call(tool, arguments, full),))


def say(text: str) -> Turn:
    """The end of a script."""
    return Turn(text=text)


def in_turns(*steps: Step) -> Script:
    """One step behind the other: each goes on when as many results have come as it made calls."""

    def decide(seen: Seen) -> Turn:
        used = 0
        for step in steps:
            shown = Seen(seen.results[:used], seen.tools)
            turn = step(shown) if callable(step) else step
            if not turn.calls or used + len(turn.calls) > len(seen.results):
                return turn
            used += len(turn.calls)
        return say("The script is at its end.")

    return decide


def marked(name: str) -> str:
    """The words of a prompt that choose a script."""
    return f"%%script:{name}%%"


def chosen(conversation: Conversation, scripts: Mapping[str, Script]) -> tuple[str, Seen]:
    """The script that the newest prompt names, "" = none, and what was shown since."""
    for at in range(len(conversation.messages) - 1, -1, -1):
        message = conversation.messages[at]
        named = _MARK.findall(message.text) if message.role == "user" else []
        if named and named[-1] in scripts:
            later = conversation.messages[at + 1 :]
            return named[-1], Seen(tuple(each.text for each in later if each.role == "tool"), conversation.tools)
    return "", Seen((), conversation.tools)


def resolved(wanted: Call, tools: tuple[Offered, ...]) -> Offered:
    """The tool that a call means: by its whole name, else by the end of it, else as it is written."""
    for tool in tools:
        if wanted.tool in {tool.name, tool.full}:
            return tool
    ending = re.compile(rf"[_./]{re.escape(wanted.tool)}$")
    for tool in tools:
        if ending.search(tool.name):
            return tool
    return Offered(wanted.full or wanted.tool)
