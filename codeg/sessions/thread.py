"""A conversation, folded from the updates of an agent.

Owns the order of entries and what became of them since they were last handed out. Pure: time is passed in, nothing is
read or written. Updates change records; `take_changes` hands out frozen entries, at most one change for each entry,
so that a thousand pieces of one message cost what their characters cost, however rarely or often they are taken. It
never raises on what an agent sends: an unknown kind is counted.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from codeg.sessions.quirks import claude, codex, qwen
from codeg.sessions.reading import clean, mapping, mappings, text
from codeg.sessions.turn import TextRecord, ToolRecord, Turn
from codeg.sessions.types import Entry, EntryKind, Json, ThreadChange

_KEPT_TOOLS = 256
_MAX_UNKNOWN_KINDS = 64


class _PlanRecord:
    """The plan of a turn; each update replaces it."""

    __slots__ = ("attempt", "created_ms", "plan", "seq")

    def __init__(self, seq: int, attempt: int, created_ms: int) -> None:
        self.seq = seq
        self.attempt = attempt
        self.created_ms = created_ms
        self.plan: tuple[Json, ...] = ()

    def entry(self) -> Entry:
        return Entry(seq=self.seq, kind="plan", attempt=self.attempt, created_ms=self.created_ms, plan=self.plan)


_Record = TextRecord | ToolRecord | _PlanRecord
_Fold: TypeAlias = Callable[[Json, int], bool]


class Thread:
    """The conversation from `first_seq` on. Not safe to share between threads of execution.

    Attributes:
        turn: the present turn, or the last one until the next begins.
        ignored: how many updates of each kind were not folded.
        greeting: a text of the program that is no answer, whenever it comes; empty = none is known.
    """

    def __init__(self, attempt: int = 1, first_seq: int = 0) -> None:
        self.turn = Turn()
        self.ignored: dict[str, int] = {}
        self.greeting = ""
        self._turn_seq = first_seq
        self._begun = False
        self._attempt = attempt
        self._next_seq = first_seq
        self._open: TextRecord | None = None
        self._tools: dict[str, ToolRecord] = {}
        self._earlier_tools: set[str] = set()
        self._plan: _PlanRecord | None = None
        self._changed: dict[int, _Record] = {}
        self._told = first_seq
        self._folds: dict[str, _Fold] = {
            "agent_message_chunk": self._message,
            "agent_thought_chunk": self._thought,
            "tool_call": self._tool_call,
            "tool_call_update": self._tool_update,
            "plan": self._plan_update,
            "notice": self._notice,
        }

    def begin_turn(self, prompt: str | None, now_ms: int, content: Sequence[Json] = ()) -> None:
        """A prompt is sent, kept as a `user` entry unless None, with its blocks that are no text.

        What comes from now on belongs to this turn.
        """
        self._begun = True
        self._turn_seq = self._next_seq
        self._open = None
        self._plan = None
        self.turn = Turn()
        self._forget_old_tools()
        self._earlier_tools = set(self._tools)
        if prompt is not None:
            record = self._new_text("user", now_ms)
            record.add(prompt)
            record.content.extend(content)

    def end_turn(self, *, going_on: bool) -> None:
        """The turn is over: no call of it stays open. Some programs never tell the end of one that was refused.

        `going_on`: the agent ended it by itself, so that what it began may go on; a later update says how it ended.
        """
        for record in self._tools.values():
            if record.seq >= self._turn_seq and record.close(going_on=going_on):
                self._changed[record.seq] = record

    def apply(self, update: Json, now_ms: int) -> bool:
        """Fold one update. True: something worth telling at once; False: a text grew, or nothing changed."""
        kind = text(update.get("sessionUpdate"))
        fold = self._folds.get(kind)
        if fold is not None:
            return fold(update, now_ms)
        if kind in self.ignored or len(self.ignored) < _MAX_UNKNOWN_KINDS:
            self.ignored[kind] = self.ignored.get(kind, 0) + 1
        return False

    def take_changes(self) -> tuple[ThreadChange, ...]:
        """What changed since the last call: one change for each entry, new ones in the order of their numbers."""
        if not self._changed:
            return ()
        records = list(self._changed.values())
        self._changed = {}
        told, self._told = self._told, self._next_seq
        return tuple(ThreadChange("added" if record.seq >= told else "updated", record.entry()) for record in records)

    @property
    def untold_size(self) -> int:
        """Characters of the texts that `take_changes` would hand out: what calling it costs."""
        return sum(record.size for record in self._changed.values() if isinstance(record, TextRecord))

    def tool_call(self, tool_call_id: str) -> Json:
        """What was told of this tool call so far, joined; empty when it is unknown."""
        record = self._tools.get(tool_call_id)
        return record.as_read() if record is not None else {}

    def _message(self, update: Json, now_ms: int) -> bool:
        meta = mapping(update.get("_meta"))
        counted = qwen.tokens(meta)
        if counted is not None:
            self.turn.add_tokens(*counted)
        piece = text(mapping(update.get("content")).get("text"))
        greets = not self._begun or (piece != "" and piece == self.greeting)
        if greets or claude.informational(meta) or codex.warning(piece):
            return self._say("notice", update, now_ms)
        return self._say("message", update, now_ms)

    def _thought(self, update: Json, now_ms: int) -> bool:
        return self._say("thought", update, now_ms)

    def _say(self, kind: EntryKind, update: Json, now_ms: int) -> bool:
        """Append to the open text, or open a new one when kind or message id differ. True when one was opened."""
        if claude.inside_tool(mapping(update.get("_meta"))):
            return False
        content = mapping(update.get("content"))
        piece = text(content.get("text"))
        is_text = content.get("type") == "text"
        if is_text and not piece:
            return False
        message_id = text(update.get("messageId"))
        record = self._open
        opened = record is None or record.kind != kind or _differ(record.message_id, message_id)
        if record is None or opened:
            record = self._new_text(kind, now_ms, message_id)
            self._open = record
        if is_text:
            record.add(piece)
        elif content:
            record.content.append(content)
        self._changed[record.seq] = record
        return opened

    def _tool_call(self, update: Json, now_ms: int) -> bool:
        tool_call_id = text(update.get("toolCallId"))
        record = self._tools.get(tool_call_id)
        if record is not None and record.finished and tool_call_id in self._earlier_tools:
            del self._tools[tool_call_id]
        return self._tool_update(update, now_ms)

    def _tool_update(self, update: Json, now_ms: int) -> bool:
        """Patch the tool call of this id; one that was never announced begins here."""
        tool_call_id = text(update.get("toolCallId"))
        if not tool_call_id:
            return False
        record = self._tools.get(tool_call_id)
        if record is None:
            record = ToolRecord(self._take_seq(), tool_call_id, self._attempt, now_ms)
            self._tools[tool_call_id] = record
            self._earlier_tools.discard(tool_call_id)
            record.patch(update)
            self.turn.add_tool(record)
            self._open = None
        else:
            record.patch(update)
        self._changed[record.seq] = record
        return True

    def _plan_update(self, update: Json, now_ms: int) -> bool:
        """The turn's one plan is replaced; a message under way goes on behind it."""
        if self._plan is None:
            self._plan = _PlanRecord(self._take_seq(), self._attempt, now_ms)
        self._plan.plan = mappings(update.get("entries"))
        self._changed[self._plan.seq] = self._plan
        return True

    def _notice(self, update: Json, now_ms: int) -> bool:
        """A note to the person: title, description, severity (as `status`). A message under way goes on behind it."""
        parts = [part for part in (text(update.get("title")), text(update.get("description"))) if part]
        if not parts:
            return False
        record = self._new_text("notice", now_ms)
        record.status = text(update.get("severity"))
        record.add(clean(": ".join(parts)))
        return True

    def _new_text(self, kind: EntryKind, now_ms: int, message_id: str = "") -> TextRecord:
        record = TextRecord(self._take_seq(), kind, self._attempt, now_ms, message_id)
        self.turn.add_text(record)
        self._changed[record.seq] = record
        return record

    def _take_seq(self) -> int:
        seq = self._next_seq
        self._next_seq += 1
        return seq

    def _forget_old_tools(self) -> None:
        """Late updates of finished calls are patched in for the last few hundred of them only."""
        finished = [tool_call_id for tool_call_id, record in self._tools.items() if record.finished]
        for tool_call_id in finished[: max(0, len(finished) - _KEPT_TOOLS)]:
            del self._tools[tool_call_id]


def _differ(known: str, told: str) -> bool:
    return bool(told) and bool(known) and known != told
