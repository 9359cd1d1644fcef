"""A feed on a list of rows: what the tests of the feed stand on.

Owns a model that keeps the promise of `Transcript` as far as a feed asks, and rows of all types.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Signal
from PySide6.QtWidgets import QWidget

from tests.ui import scene
from tests.ui.making import NOW
from tests.ui.worlds import a_desk
from ui.viewmodels.rows import (
    AnsweredRow,
    Check,
    DelegationRow,
    Diff,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Row,
    Step,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.transcript import Transcript, Transcripts
from ui.viewmodels.view_state import ViewState
from ui.widgets.feed import Feed, FeedContext

_TOP = QModelIndex()
WORDS = "The payments client had three retry loops, each with its own idea of a backoff. "


class Rows(QAbstractListModel):
    """A list of rows."""

    loaded = Signal()

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        super().__init__()
        self.rows = list(rows)
        self.loading = False

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        return None

    def row_at(self, number: int) -> Row:
        return self.rows[number]

    def index_of(self, key: str) -> int | None:
        return next((number for number, row in enumerate(self.rows) if row.key == key), None)

    def insert(self, at: int, *rows: Row) -> None:
        self.beginInsertRows(_TOP, at, at + len(rows) - 1)
        self.rows[at:at] = rows
        self.endInsertRows()

    def append(self, *rows: Row) -> None:
        self.insert(len(self.rows), *rows)

    def remove(self, at: int, count: int = 1) -> None:
        self.beginRemoveRows(_TOP, at, at + count - 1)
        del self.rows[at : at + count]
        self.endRemoveRows()

    def put(self, at: int, row: Row) -> None:
        self.rows[at] = row
        self.dataChanged.emit(self.index(at, 0), self.index(at, 0))


@dataclass
class Said:
    """What the feed asked of the window."""

    beside: list[str] = field(default_factory=list[str])
    links: list[str] = field(default_factory=list[str])
    jumps: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def a_context(view: ViewState | None = None, depth: int = 0, said: Said | None = None) -> FeedContext:
    """A context on the scene of the design."""
    world, orders = a_desk()
    said = said or Said()
    return FeedContext(
        world=world,
        orders=orders,
        transcripts=Transcripts(world, orders),
        view=view or ViewState(),
        open_beside=said.beside.append,
        open_link=said.links.append,
        jump=lambda session, key: said.jumps.append((session, key)),
        depth=depth,
        session_id=scene.RETRY,
    )


def a_feed(
    show: Callable[[QWidget], None],
    rows: Iterable[Row],
    context: FeedContext | None = None,
    size: tuple[int, int] = (900, 600),
) -> tuple[Feed, Rows]:
    """A feed that is seen."""
    context = context or a_context()
    model = Rows(rows)
    feed = Feed(context, nested=context.depth > 0)
    feed.resize(*size)
    feed.set_transcript(cast("Transcript", model))
    show(feed)
    return feed, model


def message(key: str, text: str = WORDS, **more: Any) -> MessageRow:
    """A message of the agent."""
    return MessageRow(key, text, NOW, **more)


def tool(key: str, kind: str = "edit", target: str = "src/retry/policy.py", **more: Any) -> ToolRow:
    """A settled call."""
    return ToolRow(key, kind, target, target, more.pop("status", "completed"), NOW, **more)


def messages(count: int, words: int = 3) -> list[Row]:
    """Messages of different lengths."""
    return [message(f"m{number}", f"{number} " + WORDS * (1 + number % words)) for number in range(count)]


def one_of_each() -> list[Row]:
    """All types of rows."""
    calls = tuple(tool(f"g{number}", "read") for number in range(4))
    return [
        UserRow("user", "Give the payments client one retry policy.", NOW),
        message("message", "I split this in **three**.", first=True),
        ThoughtRow("thought", "Jitter must be full jitter.", 9),
        tool("tool", added=86, removed=12, diffs=(Diff("src/retry/policy.py", "a\n", "b\n"),)),
        ToolGroupRow("group", calls),
        DelegationRow("card", scene.POLICY, "codex", "Write the retry policy", NOW),
        PollRow("poll", (Check(NOW - 12_000, scene.POLICY, "running"),), 7),
        PlanRow("plan", (Step("List every caller", "completed"), Step("Write the policy", "in_progress"))),
        AnsweredRow("answered", (("Widths", "Desktop"),), "answered", NOW),
        NoteRow("note", "Keep the old function.", NOW, NOW),
        NoticeRow("notice", "The model was changed.", "info", NOW),
    ]
