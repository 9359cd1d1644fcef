"""Reading a prompt: which `@agent task` parts it hands on, and which command of the demo agent it names.

Pure. Never looks at the disk or at which agents exist.
"""

import re
from dataclasses import dataclass

_MENTION = re.compile(r"(?:(?<=\s)|(?<=^)|(?<=[(\[,;+]))@([A-Za-z][A-Za-z0-9_]*(?::[A-Za-z0-9_.-]+)?)(?=\s|$)")
_EDGES = " \t\r\n,;+"


@dataclass(frozen=True, slots=True)
class Mention:
    """One order to delegate: `@agent task`."""

    agent: str
    task: str


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that the demo agent does itself; `argument` is the rest of the line, stripped."""

    name: str
    argument: str


COMMANDS = ("survey", "todos", "outline", "find", "readme", "write", "ask", "pause", "help")


def read_mentions(prompt: str) -> tuple[Mention, ...]:
    """The delegations that a prompt orders, in order.

    A task runs to the next mention. A mention directly followed by another takes the whole rest as its task, so that
    `@demo @demo survey` nests; brackets keep several together: `@demo [@demo survey @demo todos]`.
    """
    found: list[Mention] = []
    at = 0
    while (match := _MENTION.search(prompt, at)) is not None:
        start = match.end()
        task, at = _task(prompt, start)
        found.append(Mention(match.group(1), task))
    return tuple(found)


def _task(prompt: str, start: int) -> tuple[str, int]:
    rest = prompt[start:]
    body = rest.lstrip()
    offset = start + len(rest) - len(body)
    if body.startswith("["):
        close = _closing(body)
        if close:
            return body[1:close].strip(_EDGES), offset + close + 1
    if _MENTION.match(body):
        return body.strip(_EDGES), len(prompt)
    following = _MENTION.search(prompt, offset)
    end = following.start() if following else len(prompt)
    task = prompt[start:end].strip(_EDGES)
    if following:
        task = re.sub(r"\s+(?:and|then)$", "", task).strip(_EDGES)
    return task, end


def _closing(body: str) -> int:
    depth = 0
    for index, letter in enumerate(body):
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
            if not depth:
                return index
    return 0


def read_command(prompt: str) -> Command | None:
    """The first line that begins with a command's name, else None."""
    for line in prompt.splitlines():
        name, _, argument = line.strip().partition(" ")
        if name.lower().rstrip(":.!") in COMMANDS:
            return Command(name.lower().rstrip(":.!"), argument.strip())
    return None
