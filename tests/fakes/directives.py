"""The little language that steers the fakes: `@name arguments`, as the fake agent's docstring lists them."""

from __future__ import annotations

import re

NAMES = (
    "say|read|think|chars|chunks|big|image|tool|plan|unknown|usage|notice|raw|sleep|wait|touch|scribble|spawn|"
    "env|perm|bareperm|quietperm|lateperm|askfs|exit|kill|orphanpipe|closeout|noreply|stop|error|stderr|banner|"
    "badjson|endless|ignorecancel|lie|late|echoanswer|mode|title|delegate|ack|call|run|clearenv|opentool"
)
DIRECTIVE = re.compile(rf"(?:^|(?<=\s))@({NAMES})\b[ \t]?")


def parse(prompt: str) -> list[tuple[str, str]]:
    """The directives of a prompt, in order."""
    found: list[tuple[str, str]] = []
    at = 0
    while (match := DIRECTIVE.search(prompt, at)) is not None:
        start = at = match.end()
        brace = re.compile(r"(\S+\s+)?\{").match(prompt, start) if match[1] in ("say", "delegate", "ack") else None
        if brace is not None:
            depth, at = 1, brace.end()
            while at < len(prompt) and depth:
                depth += {"{": 1, "}": -1}.get(prompt[at], 0)
                at += 1
            found.append((match[1], (brace[1] or "") + prompt[brace.end() : at - 1]))
            continue
        following = DIRECTIVE.search(prompt, start)
        found.append((match[1], prompt[start : following.start() if following else len(prompt)].strip()))
    return found
