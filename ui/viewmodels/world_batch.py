"""What one frame changed: the frozen `Batch` that everybody is told, and the marks it is made of.

Owns shapes only; pure, no Qt.
"""

from dataclasses import dataclass, field

from codeg.api import ThreadChange, TurnFinished


@dataclass(frozen=True, slots=True)
class Batch:
    """Ids of sessions and tasks that changed, and whether asks, agents, settings or the day's cost did.

    `states`: sessions whose shown state may be another one now, for themselves or for something below them.
    `gone`: sessions that were deleted. Ids of tasks that went with them stand in `tasks`.
    """

    sessions: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    activity: frozenset[str] = frozenset()
    usage: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    turns: tuple[TurnFinished, ...] = ()
    asks: bool = False
    agents: bool = False
    settings: bool = False
    day: bool = False


@dataclass(slots=True)
class Marks:
    """A batch that is being gathered, and the entries of its frame by session."""

    sessions: set[str] = field(default_factory=set[str])
    tasks: set[str] = field(default_factory=set[str])
    activity: set[str] = field(default_factory=set[str])
    usage: set[str] = field(default_factory=set[str])
    notes: set[str] = field(default_factory=set[str])
    options: set[str] = field(default_factory=set[str])
    questions: set[str] = field(default_factory=set[str])
    states: set[str] = field(default_factory=set[str])
    gone: set[str] = field(default_factory=set[str])
    turns: list[TurnFinished] = field(default_factory=list[TurnFinished])
    entries: dict[str, list[ThreadChange]] = field(default_factory=dict[str, list[ThreadChange]])
    asks: bool = False
    agents: bool = False
    settings: bool = False
    day: bool = False

    def frozen(self) -> Batch:
        """The batch."""
        return Batch(
            sessions=frozenset(self.sessions),
            tasks=frozenset(self.tasks),
            activity=frozenset(self.activity),
            usage=frozenset(self.usage),
            notes=frozenset(self.notes),
            options=frozenset(self.options),
            questions=frozenset(self.questions),
            states=frozenset(self.states),
            gone=frozenset(self.gone),
            turns=tuple(self.turns),
            asks=self.asks,
            agents=self.agents,
            settings=self.settings,
            day=self.day,
        )
