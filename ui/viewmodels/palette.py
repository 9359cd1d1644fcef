"""What the palette lists for a query: actions, sessions and children, asks, ranked by how well they match.

Owns ranking and the meaning of the prefixes (`@` sessions and children, `>` actions, `#` asks); pure, no widgets. What
does not apply now is listed last, with its reason. Source: design 7.12.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from codeg.api import SessionRecord, TaskView
from ui.orders import Orders
from ui.viewmodels import fuzzy
from ui.viewmodels.asks import Ask
from ui.viewmodels.commands import Command
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import World
from ui.wording import ask_kind, clean_line, tr

MOST_RECENT = 6
MOST_LINES = 100
PREFIXES = {"@": "session", ">": "command", "#": "ask"}
LineKind = Literal["command", "session", "ask"]


@dataclass(frozen=True, slots=True)
class Line:
    """One row. `value`: id of a command, session or ask; `hits`: places of the letters that matched."""

    kind: LineKind
    value: str
    text: str
    section: str = ""
    hits: tuple[int, ...] = ()
    icon: str = ""
    state: State | None = None
    key: str = ""
    enabled: bool = True
    reason: str = ""


def split(query: str) -> tuple[str, str]:
    """The kind that a query is limited to ("" = all), and the rest."""
    text = query.lstrip()
    if text[:1] in PREFIXES:
        return PREFIXES[text[0]], text[1:].strip()
    return "", text.strip()


def lines_for(query: str, commands: Sequence[Command], places: Sequence[Line], recent: Sequence[str]) -> list[Line]:
    """The rows for a query. An empty one: what was used last, then all actions."""
    kind, wanted = split(query)
    lines = [_line_of(command) for command in commands]
    if not wanted:
        if kind:
            return [line for line in [*lines, *places] if line.kind == kind][:MOST_LINES]
        return _recent_first(lines, places, recent)[:MOST_LINES]
    found: list[tuple[tuple[int, int, int], Line]] = []
    for order, line in enumerate([*lines, *places]):
        if kind and line.kind != kind:
            continue
        hit = fuzzy.find(wanted, line.text)
        if hit is not None:
            rank = (int(not line.enabled), -hit.score, order)
            found.append((rank, replace(line, hits=hit.letters)))
    found.sort(key=lambda pair: pair[0])
    return [line for _rank, line in found[:MOST_LINES]]


def _recent_first(lines: Sequence[Line], places: Sequence[Line], recent: Sequence[str]) -> list[Line]:
    known = {line.value: line for line in [*places, *lines]}
    first = [known[value] for value in recent[:MOST_RECENT] if value in known and known[value].enabled]
    used = {line.value for line in first}
    asks = [line for line in places if line.kind == "ask" and line.value not in used]
    rest = [line for line in lines if line.value not in used]
    return [*first, *asks[:1], *(line for line in rest if line.enabled), *(line for line in rest if not line.enabled)]


def _line_of(command: Command) -> Line:
    return Line(
        "command",
        command.id,
        command.text,
        command.section,
        icon=command.icon,
        key=command.key,
        enabled=command.enabled,
        reason="" if command.enabled else command.reason,
    )


# ---- places


def places_of(world: World) -> list[Line]:
    """All that can be gone to: asks, sessions, and children that are known."""
    lines = [_of_ask(world, ask) for ask in world.asks()]
    lines += [_of_session(world, record) for record in world.sessions() if record.kind != "child"]
    lines += [_of_task(world, view) for view in reversed(world.tasks())]
    return lines


def _of_ask(world: World, ask: Ask) -> Line:
    who, title = world.agent_name(ask.session_id), clean_line(ask.title)
    text = tr("{agent}: {task}", agent=who, task=title) if title else who
    return Line("ask", ask.request_id, text, ask_kind(ask.kind), state=State.WAITING)


def _of_session(world: World, record: SessionRecord) -> Line:
    session_id = record.session_id
    title = clean_line(world.title_of(session_id))
    folder = clean_line(record.folder.rstrip("/").rsplit("/", 1)[-1], 40)
    where = f"{world.agent_name(session_id)} · {folder}" if folder else world.agent_name(session_id)
    return Line("session", session_id, title, where, state=world.state_of_session(session_id))


def _of_task(world: World, view: TaskView) -> Line:
    child = view.record.child_id
    title = clean_line(world.title_of(child))
    return Line("session", child, title, world.label_of(view.record.agent_type), state=state_of_task(view))


# ---- actions of what lives


def commands_of_children(world: World, orders: Orders, session_id: str | None) -> list[Command]:
    """Stop each live child of a conversation, and all of them."""
    if session_id is None:
        return []
    alive = [view for view in world.descendants(session_id) if state_of_task(view) in ALIVE]
    made = [
        Command(
            id=f"stop-{view.record.task_id}",
            text=_stop_text(world, view),
            section=tr("Child"),
            icon="stop",
            run=lambda task_id=view.record.task_id: orders.cancel_task(task_id),
        )
        for view in alive
    ]
    if len(alive) > 1:

        def stop_all() -> None:
            for view in world.tasks_of(session_id):
                if state_of_task(view) in ALIVE:
                    orders.cancel_task(view.record.task_id)

        made.append(Command("stop-all", tr("Stop all children"), tr("Sub-agents"), icon="stop", run=stop_all))
    return made


def _stop_text(world: World, view: TaskView) -> str:
    title = clean_line(world.title_of(view.record.child_id), 80)
    name = world.label_of(view.record.agent_type)
    if state_of_task(view) is State.QUEUED:
        return tr("Cancel {name}, {title}", name=name, title=title)
    return tr("Stop {name}, {title}", name=name, title=title)
