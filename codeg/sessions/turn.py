"""What a turn came to: the records that its updates were folded into, and what can be read off them.

Owns text that arrives in pieces (joined only when read), tool calls that arrive in patches, and the readings of
contract 6: result text, live line, number of tool calls, note. Pure; it never reports anything by itself.
"""

from collections import Counter
from typing import Any

from codeg.sessions.diffs import Touched, touched_by
from codeg.sessions.quirks import claude, gemini
from codeg.sessions.reading import clean, mapping, mappings, shorten, text
from codeg.sessions.recognise import name_in_meta
from codeg.sessions.types import Entry, EntryKind, Json

LIVE_LINE = 120
"""Characters of a live line at most."""
TERMINAL = frozenset({"completed", "failed", "cancelled"})
"""Tool statuses after which nothing more is expected."""

_TAIL = 4_096
_NAMED = 8
_CHANGING = frozenset({"edit", "delete", "move"})


class TextRecord:
    """A text that grows: user, message, thought or notice. A thousand pieces cost what their characters cost."""

    __slots__ = ("_pieces", "attempt", "content", "created_ms", "kind", "message_id", "seq", "size", "status")

    def __init__(self, seq: int, kind: EntryKind, attempt: int, created_ms: int, message_id: str = "") -> None:
        self.seq = seq
        self.kind: EntryKind = kind
        self.attempt = attempt
        self.created_ms = created_ms
        self.message_id = message_id
        self.status = ""
        self.content: list[Json] = []
        self.size = 0
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        """Append a piece."""
        self._pieces.append(piece)
        self.size += len(piece)

    def whole(self) -> str:
        """The text so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return clean(self._pieces[0]) if self._pieces else ""

    def tail(self) -> str:
        """Its last few thousand characters, without touching the rest."""
        taken: list[str] = []
        room = _TAIL
        for piece in reversed(self._pieces):
            taken.append(piece[-room:])
            room -= len(taken[-1])
            if room <= 0:
                break
        return clean("".join(reversed(taken)))

    def entry(self) -> Entry:
        """The entry as it stands."""
        return Entry(
            seq=self.seq,
            kind=self.kind,
            attempt=self.attempt,
            created_ms=self.created_ms,
            text=self.whole(),
            status=self.status,
            content=tuple(self.content),
        )


class ToolRecord:
    """A tool call, patched by its updates: absent and null fields keep what was; an empty input wipes nothing."""

    __slots__ = (
        "attempt",
        "content",
        "created_ms",
        "inner",
        "kind",
        "locations",
        "name",
        "raw_input",
        "raw_output",
        "seq",
        "status",
        "title",
        "tool_call_id",
    )

    def __init__(self, seq: int, tool_call_id: str, attempt: int, created_ms: int) -> None:
        self.seq = seq
        self.tool_call_id = tool_call_id
        self.attempt = attempt
        self.created_ms = created_ms
        self.title = ""
        self.name = ""
        self.kind = ""
        self.status = "pending"
        self.content: tuple[Json, ...] = ()
        self.locations: tuple[Json, ...] = ()
        self.raw_input: Any = None
        self.raw_output: Any = None
        self.inner = False

    def patch(self, update: Json) -> None:
        """Take over what the update tells."""
        meta = mapping(update.get("_meta"))
        self.title = clean(text(update.get("title"))) or self.title
        self.name = text(update.get("name")) or name_in_meta(meta) or self.name
        self.kind = text(update.get("kind")) or self.kind
        self.status = text(update.get("status")) or self.status
        self.inner = self.inner or claude.inside_tool(meta)
        if isinstance(update.get("content"), list):
            self.content = mappings(update["content"])
        if isinstance(update.get("locations"), list):
            self.locations = mappings(update["locations"])
        told = update.get("rawInput")
        if told is None and self.raw_input is None:
            told = gemini.arguments(update) or None
        if told is not None and (told not in ({}, "") or self.raw_input is None):
            self.raw_input = told
        if update.get("rawOutput") is not None:
            self.raw_output = update["rawOutput"]

    @property
    def finished(self) -> bool:
        """Its status is terminal."""
        return self.status in TERMINAL

    @property
    def undone(self) -> bool:
        """It did not do what it was to."""
        return self.status in ("failed", "cancelled")

    def label(self) -> str:
        """What a person calls it."""
        return self.title or self.name or self.kind or "tool"

    def close(self, *, going_on: bool) -> bool:
        """Its turn is over. True when it was still open and is not any more.

        `going_on`: a call that had begun may go on behind the turn (a command in the background); one that never began
        does not.
        """
        if self.finished or (going_on and self.status != "pending"):
            return False
        self.status = "cancelled"
        return True

    def touched(self) -> list[str]:
        """Paths that it changed, by its diffs, and by its locations if it is of a changing kind."""
        paths = [text(block.get("path")) for block in self.content if block.get("type") == "diff"]
        if self.kind in _CHANGING:
            paths += [text(place.get("path")) for place in self.locations]
        return [path for path in paths if path]

    def as_read(self) -> Json:
        """The call as one ACP object, all updates joined; fields never told are absent."""
        told: Json = {
            "toolCallId": self.tool_call_id,
            "title": self.title,
            "name": self.name,
            "kind": self.kind,
            "status": self.status,
            "content": list(self.content),
            "locations": list(self.locations),
            "rawInput": self.raw_input,
            "rawOutput": self.raw_output,
        }
        return {key: value for key, value in told.items() if value not in ("", None, [], {})}

    def entry(self) -> Entry:
        """The entry as it stands."""
        return Entry(
            seq=self.seq,
            kind="tool",
            attempt=self.attempt,
            created_ms=self.created_ms,
            tool_call_id=self.tool_call_id,
            title=self.title,
            tool_name=self.name,
            tool_kind=self.kind,
            status=self.status,
            content=self.content,
            raw_input=self.raw_input,
            raw_output=self.raw_output,
            locations=self.locations,
        )


class Turn:
    """The records of one turn, in order, and what can be read off them.

    Attributes:
        input_tokens: told beside its messages, summed up; None = nothing was.
        output_tokens: likewise.
    """

    __slots__ = ("_message_mark", "_messages", "_thought_mark", "_thoughts", "_tools", "input_tokens", "output_tokens")

    def __init__(self) -> None:
        self._messages: list[TextRecord] = []
        self._thoughts: list[TextRecord] = []
        self._tools: list[ToolRecord] = []
        self._message_mark = 0
        self._thought_mark = 0
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None

    def add_tokens(self, taken: int, given: int) -> None:
        """One answer of the agent's model was counted."""
        self.input_tokens = (self.input_tokens or 0) + taken
        self.output_tokens = (self.output_tokens or 0) + given

    def add_text(self, record: TextRecord) -> None:
        """A message or a thought began; other kinds are no part of the result."""
        if record.kind == "message":
            self._messages.append(record)
        elif record.kind == "thought":
            self._thoughts.append(record)

    def add_tool(self, record: ToolRecord) -> None:
        """A tool call began: what is said from now on comes after it. Calls inside another call do not count."""
        if record.inner:
            return
        self._tools.append(record)
        self._message_mark = len(self._messages)
        self._thought_mark = len(self._thoughts)

    @property
    def tool_calls(self) -> int:
        """Tool calls begun."""
        return len(self._tools)

    def final_text(self) -> str:
        """Message text after the last tool call; if blank, the last message that is not; else empty (contract 6)."""
        after = "\n\n".join(
            said for said in (record.whole() for record in self._messages[self._message_mark :]) if said
        )
        if after.strip():
            return after
        earlier = (record.whole() for record in reversed(self._messages[: self._message_mark]))
        return next((said for said in earlier if said.strip()), "")

    def live_line(self) -> str:
        """Last line said after the last tool call, else thought after it, else the tool at work (120 characters)."""
        line = _last_line(self._messages[self._message_mark :]) or _last_line(self._thoughts[self._thought_mark :])
        if not line and self._tools:
            running = next((tool for tool in reversed(self._tools) if not tool.finished), self._tools[-1])
            line = " ".join(running.label().split())
        return shorten(line, LIVE_LINE)

    def touched(self) -> Touched | None:
        """What the diffs of its tool calls came to, those that failed left out; None where there are none."""
        return touched_by(block for tool in self._tools if not tool.undone for block in tool.content)

    def note(self) -> str:
        """For a turn without text: the tools run and the files touched, one sentence; empty without tool calls."""
        if not self._tools:
            return ""
        counts = Counter(shorten(tool.name or tool.label(), 40) for tool in self._tools)
        names = [f"{name} ({times})" if times > 1 else name for name, times in counts.items()]
        paths = list(dict.fromkeys(path for tool in self._tools for path in tool.touched()))
        calls = "1 tool call" if self.tool_calls == 1 else f"{self.tool_calls} tool calls"
        return f"It made {calls}: {_listed(names)}; files touched: {_listed(paths) if paths else 'none reported'}."


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"


def _last_line(records: list[TextRecord]) -> str:
    for record in reversed(records):
        for line in reversed(record.tail().splitlines()):
            if line.strip():
                return line.strip()
    return ""
