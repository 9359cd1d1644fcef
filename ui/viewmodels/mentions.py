"""What the @ popup lists: agents, files and sessions that match, with their hits, by tabs with counts.

Owns matching and ranking; pure, no widgets. 20,000 files are searched while one types, so that names are folded once
and refused by one pattern before they are weighed. Source: design 7.8.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from codeg.api import SessionRecord
from ui.orders import AgentInfo
from ui.viewmodels import fuzzy
from ui.viewmodels.composing import Mention
from ui.viewmodels.world import World
from ui.wording import age_or_date, clean_line, tr

Tab = Literal["all", "agent", "file", "session"]
TABS: tuple[Tab, ...] = ("all", "agent", "file", "session")
MOST_ROWS = 200
MOST_OF_KIND = 40
"""Rows of one kind in the tab of all."""
_MOST_WEIGHED = 1_500


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can be mentioned. `detail`: folder, age, or the reason why it is not ready."""

    mention: Mention
    text: str
    detail: str = ""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate that was found, and the letters of its text that were hit."""

    candidate: Candidate
    hits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """`rows` of the tab; `counts`: of every tab, all matches."""

    rows: tuple[Match, ...]
    counts: dict[Tab, int]


class Mentionable:
    """All that can be mentioned. Files come later than the rest, and again when the folder changed."""

    def __init__(self) -> None:
        self._agents: tuple[Candidate, ...] = ()
        self._sessions: tuple[Candidate, ...] = ()
        self._files = FileList(())

    def take_agents(self, agents: Iterable[AgentInfo], signed_out: Callable[[str], bool] | None = None) -> None:
        """The catalogue; those that are not ready stay, with the reason. `signed_out`: known of an agent."""
        self._agents = tuple(
            _of_agent(agent, signed_out=signed_out is not None and signed_out(agent.slug)) for agent in agents
        )

    def take_sessions(self, world: World, without: str | None = None) -> None:
        """Sessions that are known, newest first."""
        records = [record for record in world.sessions() if record.kind != "child" and record.session_id != without]
        self._sessions = tuple(_of_session(world, record) for record in records)

    def take_files(self, paths: Sequence[str]) -> None:
        """Paths of the folder's files, relative to it."""
        if not self._files.holds(paths):
            self._files = FileList(paths)

    def find(self, query: str, tab: Tab = "all") -> Found:
        """Everything that matches; `tab` decides which rows are made."""
        agents, sessions = _ranked(query, self._agents), _ranked(query, self._sessions)
        files, file_count = self._files.find(query)
        counts: dict[Tab, int] = {"agent": len(agents), "file": file_count, "session": len(sessions)}
        counts["all"] = len(agents) + file_count + len(sessions)
        match tab:
            case "agent":
                rows = agents
            case "file":
                rows = files
            case "session":
                rows = sessions
            case "all":
                rows = [*agents[:MOST_OF_KIND], *files[:MOST_OF_KIND], *sessions[:MOST_OF_KIND]]
        return Found(tuple(rows[:MOST_ROWS]), counts)


class FileList:
    """The files of a folder, folded for searching."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)
        self._low = [path.lower() for path in self._paths]
        self._names = [path.rpartition("/")[2] for path in self._low]

    def holds(self, paths: Sequence[str]) -> bool:
        """These are the files that it has."""
        return self._paths == tuple(paths)

    def find(self, query: str) -> tuple[list[Match], int]:
        """The best matches, and how many there are. A `/` in the query looks at whole paths."""
        wanted = query.strip().casefold()
        if not wanted:
            return [self._match(at, ()) for at in range(min(MOST_ROWS, len(self._paths)))], len(self._paths)
        whole = "/" in wanted
        looks = fuzzy.pattern(wanted).search
        held = self._low if whole else self._names
        fitting = [at for at, name in enumerate(held) if looks(name)]
        if not fitting and not whole:
            whole, held = True, self._low
            fitting = [at for at, name in enumerate(held) if looks(name)]
        return self._best(wanted, fitting, whole=whole), len(fitting)

    def _best(self, wanted: str, fitting: list[int], *, whole: bool) -> list[Match]:
        held = self._low if whole else self._names
        if len(fitting) > _MOST_WEIGHED:
            closer = [at for at in fitting if wanted in held[at]]
            fitting = sorted(closer or fitting, key=lambda at: (not held[at].startswith(wanted), len(held[at])))
        weighed: list[tuple[int, int, int, tuple[int, ...]]] = []
        for at in fitting[:_MOST_WEIGHED]:
            hit = fuzzy.find(wanted, held[at])
            if hit is not None:
                weighed.append((-hit.score, len(self._paths[at]), at, hit.letters))
        weighed.sort()
        return [self._match(at, hits, whole=whole) for _score, _length, at, hits in weighed[:MOST_ROWS]]

    def _match(self, at: int, hits: tuple[int, ...], *, whole: bool = False) -> Match:
        path = self._paths[at]
        folder, _, name = path.rpartition("/")
        mention = Mention("file", path, clean_line(path, 120))
        if whole:
            return Match(Candidate(mention, clean_line(path, 300)), hits)
        return Match(Candidate(mention, clean_line(name), clean_line(folder, 300)), hits)


def _ranked(query: str, candidates: Sequence[Candidate]) -> list[Match]:
    found: list[tuple[int, int, int, Match]] = []
    for order, candidate in enumerate(candidates):
        hit = fuzzy.find(query, candidate.text)
        if hit is None and candidate.mention.kind == "agent":
            slug = fuzzy.find(query, candidate.mention.value.removeprefix("custom:"))
            hit = fuzzy.Hit(slug.score - 1) if slug is not None else None
        if hit is not None:
            found.append((int(not candidate.enabled), -hit.score, order, Match(candidate, hit.letters)))
    found.sort(key=lambda each: each[:3])
    return [match for *_rank, match in found]


def _of_agent(agent: AgentInfo, *, signed_out: bool) -> Candidate:
    label = clean_line(agent.label, 60) or agent.slug
    detail = ""
    if not agent.installed:
        detail = tr("Not installed")
    elif not agent.enabled:
        detail = tr("Switched off in Settings")
    elif signed_out:
        detail = tr("Not signed in")
    ready = not detail
    return Candidate(Mention("agent", agent.slug, label), label, detail or tr("Installed"), ready)


def _of_session(world: World, record: SessionRecord) -> Candidate:
    title = clean_line(world.title_of(record.session_id))
    age = age_or_date(record.updated_ms, world.now_ms())
    return Candidate(Mention("session", record.session_id, title), title, age)
