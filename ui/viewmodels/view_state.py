"""What the person did to the view and wants to find again: what is unfolded, where it is scrolled, drafts.

Owns values by session and by key of a row; knows no widget and never writes to disk: `dump` and `load` are the
window's. Bounded: the sessions touched longest ago are forgotten first. Lives as long as the window.
"""

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, cast

from PySide6.QtCore import QObject, Signal

SESSIONS_MOST, KEYS_MOST, VALUES_MOST, DRAFT_MOST = 200, 400, 200, 200_000
CARDS = "cards"
"""The place of delegation cards: they are remembered by task, whichever conversation shows them."""


@dataclass(slots=True)
class _Seen:
    """One session. `folds`: keys that differ from their default, and whether they are open."""

    folds: "OrderedDict[str, bool]" = field(default_factory=OrderedDict[str, bool])
    anchor: tuple[str, int] | None = None
    selected: str = ""
    draft: str = ""


class ViewState(QObject):
    """Unfolded rows, scroll places, selections, drafts, and small values by name. `changed`: worth writing down."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sessions: OrderedDict[str, _Seen] = OrderedDict()
        self._values: OrderedDict[str, Any] = OrderedDict()

    # ---- unfolded

    def is_open(self, session_id: str, key: str, default: bool = False) -> bool:
        """Whether the row is unfolded; `default` where the person never said."""
        seen = self._sessions.get(session_id)
        return default if seen is None else seen.folds.get(key, default)

    def set_open(self, session_id: str, key: str, is_open: bool = True) -> None:
        """Remember that the person unfolded or folded a row."""
        folds = self._seen(session_id).folds
        if folds.get(key) is is_open:
            return
        folds[key] = is_open
        folds.move_to_end(key)
        while len(folds) > KEYS_MOST:
            folds.popitem(last=False)
        self.changed.emit()

    @staticmethod
    def card_place(task_id: str) -> tuple[str, str]:
        """Session and key under which the card of a task is remembered: `is_open(*card_place(task_id))`."""
        return CARDS, task_id

    # ---- scrolled, selected, typed

    def anchor(self, session_id: str) -> tuple[str, int] | None:
        """Key of the row at the top and how far it is above the edge, in px; None = at the end."""
        seen = self._sessions.get(session_id)
        return None if seen is None else seen.anchor

    def set_anchor(self, session_id: str, anchor: tuple[str, int] | None) -> None:
        """Remember where a conversation is scrolled to; None = it follows its end."""
        seen = self._sessions.get(session_id)
        if (seen.anchor if seen is not None else None) != anchor:
            self._seen(session_id).anchor = anchor
            self.changed.emit()

    def selected(self, session_id: str) -> str:
        """Key of the current row, "" = none."""
        seen = self._sessions.get(session_id)
        return "" if seen is None else seen.selected

    def set_selected(self, session_id: str, key: str) -> None:
        """Remember the current row. Not worth writing down by itself."""
        self._seen(session_id).selected = key

    def draft(self, session_id: str) -> str:
        """What was typed and not sent."""
        seen = self._sessions.get(session_id)
        return "" if seen is None else seen.draft

    def set_draft(self, session_id: str, text: str) -> None:
        """Remember what is typed, at most 200,000 characters."""
        if self.draft(session_id) != text[:DRAFT_MOST]:
            self._seen(session_id).draft = text[:DRAFT_MOST]
            self.changed.emit()

    def forget(self, session_id: str) -> None:
        """The session is gone."""
        if self._sessions.pop(session_id, None) is not None:
            self.changed.emit()

    # ---- small values

    def value(self, name: str, default: Any = None) -> Any:
        """A value of JSON by name."""
        return self._values.get(name, default)

    def set_value(self, name: str, value: Any) -> None:
        """Remember a value of JSON; None forgets it."""
        if self._values.get(name) == value:
            return
        self._values.pop(name, None)
        if value is not None:
            self._values[name] = value
        while len(self._values) > VALUES_MOST:
            self._values.popitem(last=False)
        self.changed.emit()

    def last_folder(self) -> str:
        """The folder in which the person last began a session."""
        folder = self.value("folder", "")
        return folder if isinstance(folder, str) else ""

    def remember_folder(self, folder: str) -> None:
        """Offer this folder next time."""
        self.set_value("folder", folder)

    # ---- kept over a restart

    def dump(self) -> str:
        """All of it as JSON."""
        sessions = {name: _shape_of(seen) for name, seen in self._sessions.items()}
        kept = {name: shape for name, shape in sessions.items() if shape}
        return json.dumps({"sessions": kept, "values": dict(self._values)}, separators=(",", ":"))

    def load(self, text: str) -> None:
        """Take over what `dump` wrote; what cannot be read is left out."""
        shape = _mapping(_parsed(text))
        self._sessions.clear()
        for name, seen in list(_mapping(shape.get("sessions")).items())[-SESSIONS_MOST:]:
            self._sessions[name] = _seen_of(_mapping(seen))
        self._values = OrderedDict(list(_mapping(shape.get("values")).items())[-VALUES_MOST:])

    def _seen(self, session_id: str) -> _Seen:
        seen = self._sessions.get(session_id)
        if seen is None:
            seen = self._sessions[session_id] = _Seen()
        self._sessions.move_to_end(session_id)
        if CARDS in self._sessions:
            self._sessions.move_to_end(CARDS)
        while len(self._sessions) > SESSIONS_MOST:
            self._sessions.popitem(last=False)
        return seen


def _shape_of(seen: _Seen) -> dict[str, Any]:
    shape: dict[str, Any] = {}
    if seen.folds:
        shape["folds"] = dict(seen.folds)
    if seen.anchor is not None:
        shape["anchor"] = list(seen.anchor)
    if seen.draft:
        shape["draft"] = seen.draft
    return shape


def _seen_of(shape: dict[str, Any]) -> _Seen:
    folds = [(key, value) for key, value in _mapping(shape.get("folds")).items() if isinstance(value, bool)]
    match shape.get("anchor"):
        case [str(key), int(offset)]:
            anchor = (key, offset)
        case _:
            anchor = None
    draft = shape.get("draft")
    return _Seen(OrderedDict(folds[-KEYS_MOST:]), anchor, "", draft if isinstance(draft, str) else "")


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return {}
