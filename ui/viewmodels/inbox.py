"""What waits for the person as a list, oldest first, and what a row says (design 7.7).

Owns the order, the filter by kind, and the words of a row; what a permission is about is read by the desk of asks, once
for each that is looked at. A Qt model with exact inserts, moves and removes. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

import os
import re
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.orders import Orders
from ui.viewmodels.ask_desk import desk_of
from ui.viewmodels.asking import matter_of, summary_of
from ui.viewmodels.asks import Ask, AskDetail
from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PollRow,
    Row,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.settle import settle
from ui.viewmodels.transcript import Transcript
from ui.viewmodels.world import Batch, World
from ui.wording import age, ask_kind, clean_line, duration, tr

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
KINDS = ("", "permission", "question", "plan_approval")
"""The filters; "" = all."""
BEFORE = 3
_MINUTE = 60_000
_PLAN_MOST = 20_000
_STEP = re.compile(r"^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AskFace:
    """One row. `above`: agents above the asker, the root first; `command`: set in mono behind `what`."""

    above: tuple[str, ...]
    agent: str
    slug: str
    kind: str
    what: str
    command: str
    session: str
    folder: str
    age: str

    @property
    def place(self) -> str:
        """`Settings page redesign · atlas-web`."""
        return " · ".join(part for part in (self.session, self.folder) if part)

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        said = " ".join(part for part in (self.what, self.command) if part)
        return ", ".join((*self.above, self.agent, f"{self.kind}: {said}", self.place, self.age))


class InboxModel(QAbstractListModel):
    """UserRole gives the ask; AccessibleTextRole all that its row says."""

    def __init__(self, world: World, orders: Orders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._desk = desk_of(world, orders)
        self._ids: list[str] = []
        self._kind = ""
        self._desk.changed.connect(self._told)
        world.changed.connect(self._changed)
        self._settle()

    # ---- Qt's view of it

    def rowCount(self, parent: Index = _TOP) -> int:
        """Asks of the chosen kind."""
        return 0 if parent.isValid() else len(self._ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the class."""
        ask = self.ask_at(index.row()) if index.isValid() else None
        if ask is None:
            return None
        match role:
            case Qt.ItemDataRole.UserRole:
                return ask
            case Qt.ItemDataRole.DisplayRole:
                return summary_of(ask)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.face(ask).spoken
            case _:
                return None

    # ---- what is asked

    def ask_at(self, row: int) -> Ask | None:
        """The ask of a row; None where it was just answered."""
        return self._world.ask(self._ids[row]) if 0 <= row < len(self._ids) else None

    def row_of(self, request_id: str) -> int:
        """Its row, -1 when it is not shown."""
        return self._ids.index(request_id) if request_id in self._ids else -1

    def kind(self) -> str:
        """The kind that is shown, "" = all."""
        return self._kind

    def set_kind(self, kind: str) -> None:
        """Show only asks of a kind."""
        if kind != self._kind:
            self._kind = kind if kind in KINDS else ""
            self._settle()

    def counts(self) -> dict[str, int]:
        """How many there are of each kind, "" = of all."""
        asks = self._world.asks()
        return {kind: sum(ask.kind == kind or not kind for ask in asks) for kind in KINDS}

    def summary(self) -> str:
        """`4 asks in 3 sessions, oldest first`; "" when nobody waits."""
        asks = self._world.asks()
        if not asks:
            return ""
        roots = {self._root(ask) for ask in asks}
        return tr("{asks} in {sessions}, oldest first", asks=tr("%n asks", n=len(asks)), sessions=_in(len(roots)))

    def busy(self) -> str:
        """`3 children are running`; "" when none does."""
        running = self._world.running_count()
        return tr("%n children are running", n=running) if running else ""

    # ---- what a row says

    def face(self, ask: Ask) -> AskFace:
        """All that the row of an ask says."""
        world, asker = self._world, ask.session_id
        what, command = self._said(ask)
        root = world.session(self._root(ask))
        return AskFace(
            above=tuple(clean_line(world.agent_name(above), 60) for above in world.path_of(asker)),
            agent=clean_line(world.agent_name(asker), 60),
            slug=world.agent_of(asker),
            kind=ask_kind(ask.kind),
            what=what,
            command=command,
            session=clean_line(world.title_of(self._root(ask)), 120),
            folder=clean_line(folder_name(root.folder), 60) if root is not None else "",
            age=waited(world.now_ms() - ask.since_ms),
        )

    def _root(self, ask: Ask) -> str:
        return next(iter(self._world.path_of(ask.session_id)), ask.session_id)

    def _said(self, ask: Ask) -> tuple[str, str]:
        detail = None if ask.kind == "question" else self._desk.detail(ask.request_id)  # read when first looked at
        return said_of(ask, detail)

    def _told(self, request_id: str) -> None:
        self._tell(self.row_of(request_id))

    # ---- the world changes

    def _changed(self, batch: Batch) -> None:
        if batch.asks:
            self._settle()
        if batch.asks or batch.sessions or batch.agents:
            for row in range(len(self._ids)):
                self._tell(row)

    def _tell(self, row: int) -> None:
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))

    def _settle(self) -> None:
        asks = self._world.asks()
        settle(self, self._ids, [ask.request_id for ask in asks if not self._kind or ask.kind == self._kind])


def said_of(ask: Ask, detail: AskDetail | None) -> tuple[str, str]:
    """What an ask is about: words, and a command that follows them in mono."""
    title = summary_of(ask)
    if ask.kind == "question" or detail is None:
        return title, ""
    matter = matter_of(ask, detail)
    if ask.kind == "plan_approval":
        steps = len(_STEP.findall(matter.plan[:_PLAN_MOST]))
        return (tr("{plan} — {steps}", plan=title, steps=tr("%n steps", n=steps)) if steps > 1 else title), ""
    if matter.command and str(detail.raw.get("kind")) == "execute":
        return tr("Run"), clean_line(matter.command, 200)
    return title, ""


def waited(ms: int) -> str:
    """How long it has waited: `38s`, `11m`, `2h`."""
    return duration(ms) if ms < _MINUTE else age(ms)


def folder_name(path: str) -> str:
    """The last part of a folder's path."""
    return os.path.basename(path.rstrip("/")) or path


def _in(sessions: int) -> str:
    return tr("%n sessions", n=sessions)


# ---- what it did before


def before_ask(transcript: Transcript, since_ms: int, most: int = BEFORE) -> tuple[Row, ...]:
    """The last entries of a conversation before it asked, oldest first; polls and asks are none."""
    found: list[Row] = []
    for number in range(transcript.rowCount() - 1, -1, -1):
        for row in reversed(_single(transcript.row_at(number))):
            if _stands_before(row, since_ms):
                found.append(row)
                if len(found) == most:
                    return tuple(reversed(found))
    return tuple(reversed(found))


def _single(row: Row) -> tuple[Row, ...]:
    """A fold of calls as the calls that it holds."""
    return tuple(replace(call) for call in row.calls) if isinstance(row, ToolGroupRow) else (row,)


def _stands_before(row: Row, since_ms: int) -> bool:
    match row:
        case PollRow() | AnsweredRow():
            return False
        case ToolRow(at_ms=at_ms, status=status):
            return at_ms <= since_ms and status != "running"
        case UserRow() | NoteRow() | MessageRow() | DelegationRow() | NoticeRow():
            return row.at_ms <= since_ms
        case _:
            return True
