"""What stands in a composer and what may be done with it: mentions, drafts, delegations, buttons.

Owns the rules only; pure, no Qt. What the host gets is plain text: an agent is written `@slug`, as the demo agent and
every model reads it (contract 7).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, cast

from codeg.api import SessionRecord, TaskView
from ui.orders import AgentInfo
from ui.viewmodels.states import ALIVE, state_of_task
from ui.wording import number, tr

MOST_TEXT = 100_000
"""Characters of one prompt or note."""
MOST_IMAGES = 20
MOST_IMAGE_BYTES = 24 * 1024 * 1024
"""Of all images of a prompt; the host takes 32 MiB of base64."""
LONG_TEXT, LONG_LINE = 20_000, 4_000
"""Characters; pasted text that is longer stands as one chip, since laying it out costs its whole length at each key."""
MentionKind = Literal["agent", "file", "session", "text"]
KINDS: tuple[MentionKind, ...] = ("agent", "file", "session", "text")
_TYPED = re.compile(r"(?:(?<=\s)|^|(?<=[(\[,;+]))@([A-Za-z][A-Za-z0-9_]*(?::[A-Za-z0-9_.-]+)?)(?=\s|$)")
_QUERY = re.compile(r"(?:^|[\s(\[{,;+\ufffc])@([^\s@\ufffc]{0,64})$")
_OPENERS = "([{,;+"
_EDGES = " \t\r\n,;+:"


@dataclass(frozen=True, slots=True)
class Mention:
    """Something named in a text, or a long text that was pasted.

    `value`: slug, path, session id, or the text; `label`: what the person sees.
    """

    kind: MentionKind
    value: str
    label: str

    def written(self) -> str:
        """As the agent reads it."""
        if self.kind == "agent":
            return f"@{self.value}"
        if self.kind == "text":
            return self.value
        if self.kind == "file":
            return f"`{self.value}`" if any(letter.isspace() for letter in self.value) else self.value
        return f"“{self.label}” (session {self.value})"


Piece = str | Mention
Pieces = tuple[Piece, ...]


def plain(pieces: Sequence[Piece]) -> str:
    """The text that leaves the composer. Mentions stand apart from words, or nobody would read them as such."""
    text = ""
    last: Mention | None = None
    for piece in pieces:
        if isinstance(piece, Mention):
            apart = not text or text[-1].isspace() or text[-1] in _OPENERS or piece.kind == "text"
            text += ("" if apart else " ") + piece.written()
            last = piece
        elif piece:
            text += ("" if last is None or _may_touch(last, piece[0]) else " ") + piece
            last = None
    return text


def _may_touch(mention: Mention, letter: str) -> bool:
    return letter.isspace() or mention.kind == "text" or (mention.kind != "agent" and not letter.isalnum())


def trimmed(pieces: Pieces) -> Pieces:
    """Without blanks at both ends."""
    made = list(pieces)
    if made and isinstance(made[0], str):
        made[0] = made[0].lstrip()
    if made and isinstance(made[-1], str):
        made[-1] = made[-1].rstrip()
    return tuple(piece for piece in made if piece)


def pasted(text: str) -> Piece:
    """Pasted text: as it is, or as one chip where it is long."""
    if len(text) <= LONG_TEXT and max(map(len, text.split("\n"))) <= LONG_LINE:
        return text
    return Mention("text", text, tr("Pasted text, {letters} characters", letters=number(len(text))))


def agent_names(agents: Iterable[AgentInfo]) -> dict[str, Mention]:
    """Every way to type an agent: its slug, or its label without spaces."""
    names: dict[str, Mention] = {}
    for agent in agents:
        mention = Mention("agent", agent.slug, agent.label)
        names.setdefault("".join(agent.label.split()).casefold(), mention)
        names[agent.slug.casefold()] = mention
    return names


def with_typed(pieces: Sequence[Piece], names: Mapping[str, Mention]) -> Pieces:
    """The same, with agents that were typed or pasted as `@slug` as mentions."""
    made: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Mention) or "@" not in piece:
            made.append(piece)
            continue
        at = 0
        for found in _TYPED.finditer(piece):
            mention = names.get(found[1].casefold())
            if mention is not None:
                made += [piece[at : found.start()], mention]
                at = found.end()
        made.append(piece[at:])
    return tuple(piece for piece in made if piece)


def delegations(pieces: Sequence[Piece], names: Mapping[str, Mention]) -> "tuple[tuple[str, str], ...]":
    """What *Delegate now* asks for: (agent, task) for each mentioned agent.

    One agent gets the whole text without its mention. With several each gets what follows its mention, those that stand
    together get the same, and what stands before the first goes to all.
    """
    parts = with_typed(pieces, names)
    groups: list[tuple[list[str], list[Piece]]] = []
    lead: list[Piece] = []
    for piece in parts:
        if isinstance(piece, Mention) and piece.kind == "agent":
            if groups and not plain(groups[-1][1]).strip(_EDGES):
                groups[-1][0].append(piece.value)
            else:
                groups.append(([piece.value], []))
        elif groups:
            groups[-1][1].append(piece)
        else:
            lead.append(piece)
    before = plain(lead).strip()
    told: list[tuple[str, str]] = []
    for slugs, own in groups:
        task = " ".join(text for text in (before, plain(own).strip(_EDGES)) if text)
        told += [(slug, task) for slug in dict.fromkeys(slugs) if task]
    return tuple(told)


def query_at(before: str) -> str | None:
    """What is being looked for, where the text before the caret ends in `@` and some letters."""
    found = _QUERY.search(before[-80:])
    return found[1] if found else None


# ---- drafts


def kept(pieces: Sequence[Piece]) -> str:
    """A draft as it is remembered."""
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    if len(pieces) <= 1 and all(isinstance(piece, str) for piece in pieces) and not text.startswith("["):
        return text
    shapes = [p if isinstance(p, str) else {"kind": p.kind, "value": p.value, "label": p.label} for p in pieces]
    return json.dumps(shapes, ensure_ascii=False)


def read(draft: str) -> Pieces:
    """A draft as it was; what is no list of pieces is text."""
    if not draft.startswith("["):
        return (draft,) if draft else ()
    try:
        shapes: Any = json.loads(draft)
    except ValueError:
        return (draft,)
    pieces = [_piece(shape) for shape in cast("list[Any]", shapes)] if isinstance(shapes, list) else [None]
    if any(piece is None for piece in pieces):
        return (draft,)
    return tuple(piece for piece in pieces if piece)


def _piece(shape: Any) -> Piece | None:
    if isinstance(shape, str):
        return shape
    if not isinstance(shape, dict):
        return None
    held = cast("dict[str, Any]", shape)
    value, label = held.get("value"), held.get("label")
    if not isinstance(value, str) or not isinstance(label, str):
        return None
    return next((Mention(kind, value, label) for kind in KINDS if kind == held.get("kind")), None)


# ---- what may be done


class Role(StrEnum):
    """Whom the composer speaks to."""

    NEW = "new"
    ROOT = "root"
    CHILD = "child"
    ENDED_CHILD = "ended_child"
    OUTSIDE = "outside"


Lack = Literal["", "none", "missing", "disabled", "signed_out"]
"""Why nothing can be said: no agent at all, not installed, switched off, not signed in."""
Primary = Literal["send", "steer", "queue", "note"]


@dataclass(frozen=True, slots=True)
class Situation:
    """`busy`: a turn runs or is about to; `starting`: the agent does not answer yet."""

    role: Role
    agent: str = ""
    busy: bool = False
    starting: bool = False
    lack: Lack = ""


@dataclass(frozen=True, slots=True)
class Buttons:
    """What stands at the right end. `ready`: there is something to send; `queue`: it may wait for the turn's end."""

    primary: Primary
    ready: bool
    queue: bool = False
    stop: bool = False
    delegate: bool = False


def situation_of(
    record: SessionRecord | None,
    task: TaskView | None,
    agents: Sequence[AgentInfo],
    *,
    chosen: str = "",
    busy: bool = False,
    signed_out: bool = False,
) -> Situation:
    """How a composer stands. `chosen`: agent of a session that is not begun; `busy`: a prompt of ours is on its way."""
    if record is None and task is None:
        slug = ready_agent(agents, chosen)
        return Situation(Role.NEW, slug, lack=_lack(slug, agents, signed_out))
    if record is not None and record.kind == "outside":
        return Situation(Role.OUTSIDE, record.host or "")
    if task is not None:
        alive = state_of_task(task) in ALIVE
        return Situation(Role.CHILD if alive else Role.ENDED_CHILD, task.record.agent_type, busy=alive)
    assert record is not None
    slug = record.agent_type or ""
    starting = record.state == "starting"
    live = starting or record.state in {"running", "idle"}
    lack: Lack = ("signed_out" if signed_out else "") if live else _lack(slug, agents, signed_out)
    return Situation(Role.ROOT, slug, record.state == "running" or busy or starting, starting, lack)


def ready_agent(agents: Sequence[AgentInfo], wished: str) -> str:
    """The wished agent if it can be started, else the first one that can; "" = none."""
    ready = [agent.slug for agent in agents if agent.installed and agent.enabled]
    return wished if wished in ready else next(iter(ready), "")


def _lack(slug: str, agents: Sequence[AgentInfo], signed_out: bool) -> Lack:
    if not agents:
        return ""  # not listed yet
    agent = next((agent for agent in agents if agent.slug == slug), None)
    if agent is None:
        return "missing" if slug else "none"
    if not agent.installed:
        return "missing"
    if not agent.enabled:
        return "disabled"
    return "signed_out" if signed_out else ""


def buttons_of(situation: Situation, *, text: bool, images: bool = False, agents: bool = False) -> Buttons:
    """`text`, `images`: there are some; `agents`: an agent is mentioned with a task."""
    ready = (text or images) and not situation.lack
    match situation.role:
        case Role.NEW | Role.ENDED_CHILD:
            return Buttons("send", ready if situation.role is Role.NEW else text)
        case Role.OUTSIDE:
            return Buttons("note", text)
        case Role.CHILD:
            return Buttons("note", text, stop=True)
        case Role.ROOT:
            delegate = agents and text and not situation.starting
            if not situation.busy:
                return Buttons("send", ready, delegate=delegate)
            primary: Primary = "queue" if images or situation.starting else "steer"
            return Buttons(primary, ready, queue=primary == "steer", stop=True, delegate=delegate)


def placeholder(situation: Situation, name: str) -> str:
    """What an empty composer says. `name`: of the agent."""
    match situation.role:
        case Role.NEW:
            return tr("Describe the work. @ names agents, files and sessions.")
        case Role.CHILD | Role.OUTSIDE:
            return tr("Note for {name}", name=name)
        case Role.ENDED_CHILD:
            return tr("Follow-up for {name}", name=name)
        case Role.ROOT:
            return tr("Steer {name}", name=name) if situation.busy else tr("Message {name}", name=name)
