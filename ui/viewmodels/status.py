"""What the status bar says: host, counts, cost today (design 6).

Pure but for the world it reads. A count of zero is left out.
"""

from dataclasses import dataclass

from ui.viewmodels.states import State, state_of_task
from ui.viewmodels.world import World
from ui.wording import money, tokens, tr

_AT_WORK = frozenset({State.RUNNING, State.STARTING})


@dataclass(frozen=True, slots=True)
class Part:
    """One group. `page`: where a click leads; `strong`: it needs the person; `icon`: where no state is meant."""

    text: str
    state: State | None = None
    page: str = ""
    strong: bool = False
    icon: str = ""


def parts_of(world: World, *, host: str = "") -> tuple[Part, ...]:
    """The groups at the left. `host`: what to say instead of "Host running"."""
    states = [state_of_task(view) for view in world.live_tasks()]
    running = sum(state in _AT_WORK for state in states)
    queued, waiting = sum(state is State.QUEUED for state in states), len(world.asks())
    found = [Part(host or tr("Host running"), icon="circle-x" if host else "check")]
    if running:
        found.append(Part(tr("%n running", n=running), State.RUNNING, "board:running"))
    if waiting:
        found.append(Part(tr("%n need you", n=waiting), State.WAITING, "inbox", strong=True))
    if queued:
        found.append(Part(tr("%n queued", n=queued), State.QUEUED, "board:queued"))
    if len(found) == 1 and not host:
        found.append(_without_children(world))
    return tuple(found)


def _without_children(world: World) -> Part:
    """No child is alive; a session may be at work all the same."""
    sessions = sum(record.kind == "root" and record.state in {"running", "starting"} for record in world.sessions())
    return Part(tr("%n sessions at work", n=sessions), State.RUNNING) if sessions else Part(tr("Nothing running"))


def today(world: World) -> str:
    """`Today 1.2 M tokens · $6.14`; "" when nothing was reported."""
    day = world.day()
    parts = [tr("{count} tokens", count=tokens(day.tokens))] if day.tokens else []
    parts += [money(amount, currency) for currency, amount in day.cost if amount]
    return tr("Today {what}", what=" · ".join(parts)) if parts else ""
