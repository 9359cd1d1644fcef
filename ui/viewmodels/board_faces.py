"""What a card of the board says, from the world alone (design 7.9).

Owns its words; pure but for the world that it reads. What is missing is left out, never shown as 0.
"""

from dataclasses import dataclass

from codeg.api import TaskView
from ui.viewmodels.ask_desk import found_desk
from ui.viewmodels.card_numbers import tool_calls, usage_of
from ui.viewmodels.cards import (
    VERY_SLOW_MS,
    ActionName,
    can_resume,
    elapsed_ms,
    first_line,
    own_block,
    second_line,
    shown_state,
    took_ms,
)
from ui.viewmodels.inbox import folder_name, said_of, waited
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.wording import age_or_date, clean_line, duration, money, ordinal, spoken_duration, state_word, tr

_WORDS = frozenset({State.STARTING, State.FAILED, State.CANCELED, State.INTERRUPTED})
"""States that differ from the name of their column: the word stands on the card."""
_ENDED = frozenset({State.FAILED, State.CANCELED, State.INTERRUPTED})
_HOUR, _WEEK = 3_600_000, 7 * 86_400_000


@dataclass(frozen=True, slots=True)
class Face:
    """One card. `time`: at its foot; `worded`: the badge with the state's word stands there instead.

    `action`: "" = none, `answer` opens the ask `request_id`. `reason`: the line says why it failed.
    """

    task_id: str
    slug: str
    agent: str
    title: str
    state: State
    line: str
    facts: str
    time: str
    worded: bool
    action: str
    spoken: str
    reason: bool = False
    request_id: str = ""

    @property
    def word(self) -> str:
        """The word of its state."""
        return state_word(self.state)


def face_of(view: TaskView, world: World) -> Face:
    """All that a card says."""
    record, state = view.record, shown_state(view)
    title = first_line(record.task_text) or tr("Task without a text")
    agent = clean_line(world.label_of(record.agent_type), 60)
    line, facts, elapsed = _line(view, state, world), facts_of(view, world), elapsed_ms(view, world)
    lasting = spoken_duration(elapsed) if elapsed is not None and state is not State.QUEUED else ""
    spoken = (agent, title, state_word(state).lower(), lasting, line, facts)
    return Face(
        task_id=record.task_id,
        slug=record.agent_type,
        agent=agent,
        title=title,
        state=state,
        line=line,
        facts=facts,
        time=_time(view, state, elapsed),
        worded=state in _WORDS,
        action=action_of(view, state, world),
        spoken=", ".join(part for part in spoken if part),
        reason=state is State.FAILED,
        request_id=request_of(view, world),
    )


def request_of(view: TaskView, world: World) -> str:
    """The ask that it waits for, "" where there is none to answer."""
    block = own_block(view, world)
    return block.request_id if block is not None and world.ask(block.request_id) is not None else ""


def action_of(view: TaskView, state: State, world: World) -> str:
    """The one action of a card."""
    if view.stopping:
        return ""
    again: ActionName = "resume" if can_resume(view) else "again"
    match state:
        case State.QUEUED:
            return "cancel"
        case State.STARTING if (took_ms(view, world) or 0) >= VERY_SLOW_MS:
            return "start_again"
        case State.STARTING | State.RUNNING:
            return "stop"
        case State.WAITING:
            return "answer" if request_of(view, world) else "stop"
        case State.COMPLETED:
            return "copy"
        case State.FAILED:
            return "again"
        case _:
            return again


def _time(view: TaskView, state: State, elapsed: int | None) -> str:
    if state is State.QUEUED:
        place = view.queue_position
        return tr("{place} in line", place=ordinal(place)) if place else tr("In line")
    if elapsed is None or state in _ENDED:
        return ""
    return waited(elapsed) if state is State.WAITING else duration(elapsed)


def _line(view: TaskView, state: State, world: World) -> str:
    match state:
        case State.QUEUED:
            return ""
        case State.STARTING:
            slow = (took_ms(view, world) or 0) >= 20_000
            return second_line(view, world) if slow else ""
        case State.RUNNING:
            activity = world.activity(view.record.task_id)
            return clean_line(activity.line, 240) if activity is not None else ""
        case State.WAITING:
            return _asked(view, world)
        case State.COMPLETED:
            end = view.record.end
            return clean_line(end.gist, 240) if end is not None else ""
        case _:
            return second_line(view, world)


def _asked(view: TaskView, world: World) -> str:
    """`Run alembic upgrade head?`, `Plan: store UTC`, the question."""
    ask = world.ask(request_of(view, world))
    if ask is None:
        return second_line(view, world)
    desk = found_desk(world)
    detail = desk.detail(ask.request_id) if desk is not None and ask.kind != "question" else None
    what, command = said_of(ask, detail)
    if ask.kind == "plan_approval":
        return tr("Plan: {what}", what=what)
    if ask.kind == "question":
        return what
    return tr("{what}?", what=" ".join(part for part in (what, command) if part).rstrip("?"))


def facts_of(view: TaskView, world: World) -> str:
    """Folder and parent, tools, cost: `harbor-api · 6 tools · $0.42`; how long ago, where that says more."""
    record, state, now = view.record, shown_state(view), world.now_ms()
    parts = [place_of(view, world)]
    calls, (_, cost, currency) = tool_calls(view, world), usage_of(view, world)
    tools = tr("%n tools", n=calls) if calls else ""
    spent = money(cost, currency) if cost else ""
    if state is State.QUEUED:
        parts.append(tr("asked {age} ago", age=waited(max(0, now - record.created_ms))))
    elif record.ended_ms is None:
        parts += [tools, spent]
    elif state is State.COMPLETED:
        parts += [tools if now - record.ended_ms < _HOUR else ago(record.ended_ms, now), spent]
    else:
        took = took_ms(view, world)
        parts += [duration(took) if took else "", ago(record.ended_ms, now)]
    return " · ".join(part for part in parts if part)


def place_of(view: TaskView, world: World) -> str:
    """Its folder, and the child that asked for it."""
    folder = clean_line(folder_name(view.record.working_dir), 60)
    if world.task_of(view.record.parent_id) is None:
        return folder
    parent = clean_line(world.agent_name(view.record.parent_id), 60)
    return tr("{folder} › {agent}", folder=folder, agent=parent)


def ago(then_ms: int, now_ms: int) -> str:
    """`2h ago`, `now`; after a week the date."""
    said = age_or_date(then_ms, now_ms)
    return said if now_ms - then_ms >= _WEEK or now_ms - then_ms < 60_000 else tr("{age} ago", age=said)
