"""What the person unfolded, wrote and scrolled, by session: the state of looking, not of the host.

Owns it for the window's life; `dump` and `load` carry what survives a restart. Never touches the host.
"""

import json
from collections import OrderedDict
from typing import Any, cast

from PySide6.QtCore import QObject, Signal

MOST_SESSIONS = 200
MOST_DRAFT = 200_000


class ViewState(QObject):
    """`changed`: something that survives a restart did."""

    changed = Signal()
    folded = Signal(str, str)
    """Session and row whose folding was changed from elsewhere than its own view."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: OrderedDict[str, dict[str, bool]] = OrderedDict()
        self._drafts: OrderedDict[str, str] = OrderedDict()
        self._agents: dict[str, str] = {}
        self._folder = ""

    # ---- folding

    def is_open(self, session_id: str, key: str, default: bool = False) -> bool:
        """Whether a row is unfolded."""
        return self._open.get(session_id, {}).get(key, default)

    def set_open(self, session_id: str, key: str, is_open: bool, *, elsewhere: bool = False) -> None:
        """Fold or unfold. `elsewhere`: the row's own view did not do it and must be told."""
        self._open.setdefault(session_id, {})[key] = is_open
        self._open.move_to_end(session_id)
        while len(self._open) > MOST_SESSIONS:
            self._open.popitem(last=False)
        self.changed.emit()
        if elsewhere:
            self.folded.emit(session_id, key)

    # ---- drafts

    def draft(self, name: str) -> str:
        """What stands unsent in a composer."""
        return self._drafts.get(name, "")

    def set_draft(self, name: str, text: str) -> None:
        """Keep it."""
        if text == self.draft(name):
            return
        if text:
            self._drafts[name] = text[:MOST_DRAFT]
            self._drafts.move_to_end(name)
        else:
            self._drafts.pop(name, None)
        while len(self._drafts) > MOST_SESSIONS:
            self._drafts.popitem(last=False)
        self.changed.emit()

    # ---- the last choices

    def last_folder(self) -> str:
        """Of the session that was begun last."""
        return self._folder

    def remember_folder(self, folder: str) -> None:
        """A session is begun there."""
        self._folder = folder
        self.changed.emit()

    def last_agent(self) -> str:
        """Of the session that was begun last."""
        return self._agents.get("last", "")

    def remember_agent(self, slug: str) -> None:
        """A session is begun with it."""
        self._agents["last"] = slug
        self.changed.emit()

    # ---- over a restart

    def dump(self) -> str:
        """As it is remembered."""
        opened = {session: dict(rows) for session, rows in self._open.items()}
        return json.dumps(
            {"open": opened, "drafts": dict(self._drafts), "folder": self._folder, "agent": self.last_agent()}
        )

    def load(self, text: str) -> None:
        """Read it back; anything odd is left out."""
        try:
            shape: Any = json.loads(text or "{}")
        except ValueError:
            return
        held = _mapping(shape)
        for session, rows in _mapping(held.get("open")).items():
            self._open[session] = {key: on for key, on in _mapping(rows).items() if isinstance(on, bool)}
        for name, draft in _mapping(held.get("drafts")).items():
            if isinstance(draft, str):
                self._drafts[name] = draft
        folder, agent = held.get("folder"), held.get("agent")
        self._folder = folder if isinstance(folder, str) else ""
        self._agents = {"last": agent} if isinstance(agent, str) and agent else {}


def _mapping(value: Any) -> "dict[str, Any]":
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
