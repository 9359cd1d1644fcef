"""Fits a reply into the bytes that a host program lets its model see (contract 6, Reply size).

Owns the order in which things are dropped: text (cut, never inside a character), then activity, usage, message (cut
first), then the rest; id and status always stay. Sizes are those of the compact UTF-8 JSON of `{"tasks": [...]}`. What
fits as it is, is measured as a whole; only what does not is summed by column, so that the work is that of writing the
reply once or twice. Pure: reports in, new reports out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from codeg.broker.report_text import inner_size, json_size, prefix_within, shares, suffix_within
from codeg.broker.report_words import cut_hint
from codeg.broker.reports import Report

DEFAULT_BYTES = 9_000
MOST_BYTES = 1024 * 1024

_ENVELOPE = len('{"tasks":[]}')
_TEXT_KEYS = ("text", "text_offset", "next_offset", "message")
_LEAST_TEXT = 64
_LEAST_MESSAGE = 60
_GAP = " [...] "
_TIMES = ("created_at", "started_at", "ended_at", "duration_ms", "attempt", "child_conversation_id", "parent_task_id")
_PLACE = ("unattended", "queue_position", "agent_type")
_STATE = ("blocked_on", "error_code", "stopping", "text_bytes")
Messages = Literal["whole", "cut", "none"]
_LEVELS: tuple[tuple[tuple[str, ...], Messages], ...] = (
    ((), "whole"),
    (("activity",), "whole"),
    (("activity", "usage"), "whole"),
    (("activity", "usage"), "cut"),
    (("activity", "usage"), "none"),
    (("activity", "usage", *_TIMES), "none"),
    (("activity", "usage", *_TIMES, *_PLACE), "none"),
    (("activity", "usage", *_TIMES, *_PLACE, *_STATE), "none"),
)


def fit(reports: Sequence[Report], max_bytes: int = DEFAULT_BYTES, *, keep_text: bool = False) -> list[Report]:
    """Reports that fit `max_bytes` (at most 1 MiB), in the same order, each with its id and status whatever the size.

    `keep_text`: the text was asked for by its offset, so some of it stays as long as id and status leave room for it:
    reading on always gets on.
    """
    pieces = [_Piece.of(report) for report in reports]
    room = min(max_bytes, MOST_BYTES) - _ENVELOPE
    if sum(len(piece.text) for piece in pieces) <= room:
        whole = [piece.shown((), piece.text, piece.message) for piece in pieces]
        if json_size(whole) <= room + len("[]"):
            return whole
    columns = _columns(pieces)
    sizes = [inner_size(piece.text) for piece in pieces]
    limit = room - len(pieces) + 1
    for dropped, messages in _LEVELS:
        room = limit - _kept(columns, dropped, messages)
        if fitted := _at_level(pieces, sizes, room, (dropped, messages), keep_text=keep_text):
            return fitted
    return [{key: piece.rest[key] for key in ("task_id", "status") if key in piece.rest} for piece in pieces]


def text_shares(
    reports: Sequence[Report], max_bytes: int, sizes: Sequence[int], *, keep_text: bool = False
) -> list[int]:
    """How many bytes of each text are worth fetching. `reports` are without text; `sizes`: bytes there are to show."""
    room = min(max_bytes, MOST_BYTES) - _ENVELOPE
    if not keep_text:
        pieces = [_Piece.of(report) for report in reports]
        room -= json_size([{**piece.rest, "message": piece.message} for piece in pieces]) - len("[]")
        room -= sum(piece.hint + piece.text_keys() for piece in pieces)
    return shares(room, sizes)


def only_ids_fit(task_ids: Sequence[str], max_bytes: int) -> bool:
    """So many ids that nothing else has room: there is no point in making whole reports."""
    least = len('{"task_id":"","status":"queued"},')
    return sum(map(len, task_ids)) + least * len(task_ids) > min(max_bytes, MOST_BYTES)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A report taken apart. `begin` to `end`: bytes of the text at hand, of `whole`; `hint`: most that it can take."""

    rest: Report
    message: str
    text: str
    begin: int
    end: int
    whole: int
    hint: int

    @classmethod
    def of(cls, report: Report) -> "_Piece":
        rest = {key: value for key, value in report.items() if key not in _TEXT_KEYS}
        whole = report.get("text_bytes", 0)
        begin = report.get("text_offset", report.get("next_offset", 0))
        end = report.get("next_offset", whole)
        return cls(rest, report.get("message", ""), report.get("text", ""), begin, end, whole, _longest_hint(whole))

    def shown(self, dropped: Iterable[str], text: str, message: str | None) -> Report:
        """The report again. `message` None = dropped; what was cut is told in it, and in `next_offset`."""
        out = {key: value for key, value in self.rest.items() if key not in dropped}
        if text:
            out["text"], out["text_offset"] = text, self.begin
        following = self.end if len(text) == len(self.text) else self.begin + len(text.encode("utf-8"))
        if following < self.whole:
            out["next_offset"] = following
        if message is not None:
            hint = cut_hint(self.begin, following, self.whole, shown=bool(text)) if following < self.whole else ""
            out["message"] = f"{message}\n{hint}" if hint and message else message or hint
        return out

    def text_keys(self) -> int:
        """Most that the keys about the text take beside its characters."""
        digits = len(str(self.whole))
        return len('"text":"","text_offset":,"next_offset":,') + 2 * digits if self.whole else 0


@lru_cache(maxsize=1024)
def _longest_hint(whole: int) -> int:
    """Bytes that the hint about a text of `whole` bytes can take inside a JSON string, with the line end before it."""
    return max(len(cut_hint(whole, whole, whole, shown=shown)) for shown in (True, False)) + 2 if whole else 0


def _columns(pieces: Sequence[_Piece]) -> dict[str, int]:
    """Bytes that each key takes in all reports together, commas and braces counted in."""
    values: dict[str, list[object]] = {}
    for piece in pieces:
        for key, value in piece.rest.items():
            values.setdefault(key, []).append(value)
    columns = {key: json_size(column) - 1 + len(column) * (len(key) + 3) for key, column in values.items()}
    columns["message"] = json_size([piece.message for piece in pieces]) + 10 * len(pieces)
    columns["hint"] = sum(piece.hint for piece in pieces)
    columns["text"] = sum(piece.text_keys() for piece in pieces)
    columns["braces"] = 2 * len(pieces)
    return columns


def _kept(columns: dict[str, int], dropped: tuple[str, ...], messages: Messages) -> int:
    """Bytes of what stays at a level, texts and cut messages not counted."""
    absent = (*dropped, *(() if messages == "whole" else ("message", "hint")))
    return sum(size for key, size in columns.items() if key not in absent)


def _at_level(
    pieces: Sequence[_Piece],
    sizes: Sequence[int],
    room: int,
    level: tuple[tuple[str, ...], Messages],
    *,
    keep_text: bool,
) -> list[Report] | None:
    """The reports at this level with as much text as has `room`; None when even without a text they do not fit."""
    dropped, messages = level
    if room < 0:
        return None
    if messages == "cut":
        return _with_cut_messages(pieces, sizes, room, dropped, keep_text=keep_text)
    given = shares(room, sizes)
    if keep_text and _too_little(given, sizes):
        return None
    return [
        piece.shown(dropped, prefix_within(piece.text, share), piece.message if messages == "whole" else None)
        for piece, share in zip(pieces, given, strict=True)
    ]


def _with_cut_messages(
    pieces: Sequence[_Piece], sizes: Sequence[int], room: int, dropped: tuple[str, ...], *, keep_text: bool
) -> list[Report] | None:
    """Messages get what has room, then texts what remains; None when messages would say too little."""
    room -= sum(piece.hint + len('"message":"",') for piece in pieces)
    wanted = [inner_size(piece.message) for piece in pieces]
    kept = sum(min(size, _LEAST_TEXT) for size in sizes) if keep_text else 0
    given = shares(room - kept, wanted)
    if room - kept < 0 or any(share < min(size, _LEAST_MESSAGE) for share, size in zip(given, wanted, strict=True)):
        return None
    messages = [_middle_out(piece.message, share) for piece, share in zip(pieces, given, strict=True)]
    texts = shares(room - sum(inner_size(message) for message in messages), sizes)
    return [
        piece.shown(dropped, prefix_within(piece.text, share), message)
        for piece, share, message in zip(pieces, texts, messages, strict=True)
    ]


def _too_little(given: Sequence[int], sizes: Sequence[int]) -> bool:
    return any(share < min(size, _LEAST_TEXT) for share, size in zip(given, sizes, strict=True))


def _middle_out(message: str, room: int) -> str:
    """The message within `room` bytes: its beginning names the cause, its end the advice, so the middle is left out."""
    if inner_size(message) <= room:
        return message
    head = prefix_within(message, (room - len(_GAP)) // 2)
    return f"{head}{_GAP}{suffix_within(message, room - len(_GAP) - inner_size(head))}"
