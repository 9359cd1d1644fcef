"""What a delegation's card says: every line, number and action, from the world alone (design 5 and 7.3).

Owns the wording of a card; pure but for the world it reads. An acknowledgement is never a result: what ended and how
comes from the store.
"""

from dataclasses import dataclass
from typing import Literal

from codeg.api import End, TaskView, Usage
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import World
from ui.wording import (
    ask_phrase,
    clean_line,
    duration,
    end_reason,
    money,
    ordinal_of,
    short_id,
    spoken_duration,
    state_word,
    tokens,
    tr,
)

ActionName = Literal[
    "steer", "stop", "cancel", "resume", "copy", "beside", "start_now", "again", "another", "follow_up", "log",
    "task", "copy_id", "copy_error", "show", "start_again",
]  # fmt: skip
SLOW_MS, VERY_SLOW_MS = 20_000, 60_000
_SENTENCE_END = (". ", "。", "! ", "? ")


@dataclass(frozen=True, slots=True)
class Face:
    """One card. `reason`: line two is a failure's reason; `mono`: it is a command or path; `show`: who waits below.

    `buttons`: on the card, in order; `menu`: under ⋯. `spoken`: for a screen reader.
    """

    name: str
    slug: str
    title: str
    state: State
    word: str
    number: str
    line: str
    numbers: str
    buttons: tuple[ActionName, ...]
    menu: tuple[ActionName, ...]
    spoken: str
    reason: bool = False
    mono: bool = False
    show: bool = False
    session_id: str | None = None


_BUTTONS: dict[State, tuple[ActionName, ...]] = {
    State.QUEUED: ("cancel",),
    State.STARTING: ("stop",),
    State.RUNNING: ("steer", "stop", "beside"),
    State.WAITING: ("steer", "stop", "beside"),
    State.COMPLETED: ("copy", "beside"),
    State.FAILED: ("beside",),
    State.CANCELED: ("resume", "beside"),
    State.INTERRUPTED: ("resume", "beside"),
}
_MENU: dict[State, tuple[ActionName, ...]] = {
    State.QUEUED: ("start_now", "task", "beside", "copy_id"),
    State.STARTING: ("task", "beside", "copy_id"),
    State.RUNNING: ("task", "copy_id", "log"),
    State.WAITING: ("task", "copy_id", "log"),
    State.COMPLETED: ("follow_up", "again", "another", "task", "copy_id"),
    State.FAILED: ("resume", "again", "another", "log", "copy_error", "task", "copy_id"),
    State.CANCELED: ("again", "another", "task", "copy_id"),
    State.INTERRUPTED: ("again", "another", "task", "copy_id"),
}


def action_word(action: ActionName) -> str:
    """What an action is called (design 13)."""
    return {
        "steer": tr("Steer"),
        "stop": tr("Stop"),
        "cancel": tr("Cancel"),
        "resume": tr("Resume"),
        "copy": tr("Copy result"),
        "beside": tr("Open beside"),
        "start_now": tr("Start now"),
        "again": tr("Run again"),
        "another": tr("Run with another agent…"),
        "follow_up": tr("Continue with a follow-up…"),
        "log": tr("Open log"),
        "task": tr("Task text"),
        "copy_id": tr("Copy id"),
        "copy_error": tr("Copy error"),
        "show": tr("Show"),
        "start_again": tr("Start again"),
    }[action]


def face_of(row: DelegationRow, world: World) -> Face:
    """The card of a delegation row."""
    view = world.task(row.task_id) if row.task_id is not None else None
    return _known(view, world) if view is not None else _unknown(row, world)


def _unknown(row: DelegationRow, world: World) -> Face:
    """A delegation whose child is not known: the same card with what is known."""
    state = State.FAILED if row.failure else State.STARTING
    name = world.label_of(row.agent_type) if row.agent_type else tr("Sub-agent")
    title = first_line(row.task)
    line = clean_line(row.failure) if row.failure else tr("Waiting for the host's word")
    return Face(
        name=name,
        slug=row.agent_type,
        title=title,
        state=state,
        word=state_word(state),
        number="",
        line=line,
        numbers="",
        buttons=(),
        menu=("task",) if not row.failure else ("task", "copy_error"),
        spoken=f"{name}, {title}, {state_word(state)}",
        reason=bool(row.failure),
    )


def _known(view: TaskView, world: World) -> Face:
    record, state = view.record, state_of_task(view)
    name, title = world.label_of(record.agent_type), first_line(record.task_text)
    line, mono = second_line(view, world)
    elapsed = elapsed_ms(view, world.now_ms())
    below = _waits_below(view, world)
    buttons = _BUTTONS[state]
    if state is State.STARTING and elapsed is not None and elapsed >= VERY_SLOW_MS:
        buttons = ("start_again", *buttons)
    word = state_word(state)
    spoken = ", ".join(
        part
        for part in (
            name,
            title,
            word.lower(),
            spoken_duration(elapsed) if elapsed is not None else "",
            tr("%n tools", n=tool_calls(view, world) or 0) if tool_calls(view, world) else "",
        )
        if part
    )
    return Face(
        name=name,
        slug=record.agent_type,
        title=title,
        state=state,
        word=word,
        number=badge_number(view, world, elapsed),
        line=line,
        numbers=numbers_of(view, world),
        buttons=buttons,
        menu=tuple(action for action in _MENU[state] if action != "resume" or view.record.resume_via != "none"),
        spoken=spoken,
        reason=state is State.FAILED,
        mono=mono,
        show=below,
        session_id=record.child_id,
    )


# ---- parts


def first_line(task: str) -> str:
    """The first line of a task."""
    return clean_line(task.strip().split("\n", 1)[0], 300)


def elapsed_ms(view: TaskView, now_ms: int) -> int | None:
    """What the badge counts: since it asked, since it began, or how long it took."""
    record, state = view.record, state_of_task(view)
    if state is State.WAITING and view.blocks:
        return max(0, now_ms - view.blocks[0].since_ms)
    if state is State.STARTING:
        return max(0, now_ms - record.created_ms)
    if state in ALIVE:
        return max(0, now_ms - (record.started_ms or record.created_ms))
    if record.ended_ms is None:
        return None
    return max(0, record.ended_ms - (record.started_ms or record.created_ms))


def badge_number(view: TaskView, world: World, elapsed: int | None) -> str:
    """Beside the word: the place in the queue, or a time."""
    if state_of_task(view) is State.QUEUED:
        total = sum(1 for other in world.live_tasks() if _queued_with(other, view))
        return ordinal_of(view.queue_position, max(total, view.queue_position)) if view.queue_position else ""
    return duration(elapsed) if elapsed is not None else ""


def _queued_with(other: TaskView, view: TaskView) -> bool:
    return other.record.root_id == view.record.root_id and state_of_task(other) is State.QUEUED


def second_line(view: TaskView, world: World) -> tuple[str, bool]:
    """Line two, and whether it is set in mono."""
    record, state = view.record, state_of_task(view)
    match state:
        case State.QUEUED:
            running = sum(1 for other in world.live_tasks() if other.record.root_id == record.root_id) - 1
            return tr("Starts when one of %n running children ends", n=max(1, running)), False
        case State.STARTING:
            name = world.label_of(record.agent_type)
            if world.now_ms() - record.created_ms >= SLOW_MS:
                return tr("Still no answer from {agent}", agent=name), False
            return tr("Waiting for the agent's first answer"), False
        case State.RUNNING:
            activity = world.activity(record.task_id)
            line = clean_line(activity.line) if activity is not None else ""
            return line or tr("At work"), False
        case State.WAITING:
            return _waiting_line(view, world), False
        case _:
            return _ended_line(view, world), False


def _waiting_line(view: TaskView, world: World) -> str:
    if not view.blocks:
        return tr("Stopped at a folder that needs your permission")
    block = view.blocks[0]
    ask = world.ask(block.request_id)
    if ask is not None and ask.task_id not in {None, view.record.task_id}:
        return tr("{agent} waits for you", agent=world.agent_name(ask.session_id))
    return ask_phrase(block.kind.value)


def _waits_below(view: TaskView, world: World) -> bool:
    if not view.blocks:
        return False
    ask = world.ask(view.blocks[0].request_id)
    return ask is not None and ask.task_id not in {None, view.record.task_id}


def _ended_line(view: TaskView, world: World) -> str:
    end, state = view.record.end, state_of_task(view)
    if state is State.COMPLETED:
        return _gist(end) or tr("Done")
    if state is State.FAILED:
        code, message = (end.code or "", end.message or "") if end is not None else ("", "")
        return clean_line(end_reason(code, message))
    kept = _kept(end)
    if state is State.INTERRUPTED:
        return tr("The host closed while it ran; its work so far is kept")
    by = end.message if end is not None and end.message else tr("Stopped")
    del world
    return f"{clean_line(by).rstrip('.')} · {kept}" if kept else clean_line(by)


def _gist(end: End | None) -> str:
    return clean_line(end.gist) if end is not None else ""


def _kept(end: End | None) -> str:
    if end is not None and end.files:
        return tr("%n changed files are kept", n=end.files)
    return tr("its text so far is kept") if end is not None and end.text_bytes else ""


def tool_calls(view: TaskView, world: World) -> int | None:
    """Of the present or the last attempt; None = not known."""
    activity = world.activity(view.record.task_id)
    if activity is not None:
        return activity.tool_calls
    return view.record.end.tool_calls if view.record.end is not None else None


def usage_of(view: TaskView, world: World) -> tuple[int | None, float | None, str]:
    """Tokens, cost, currency; None = not reported."""
    end, activity, live = view.record.end, world.activity(view.record.task_id), world.usage(view.record.child_id)
    found: Usage | None = end.usage if end is not None else activity.usage if activity is not None else None
    if found is not None:
        return (
            _tokens(found.input_tokens, found.output_tokens, found.context_used),
            found.cost_amount,
            found.cost_currency or "USD",
        )
    if live is not None:
        return (
            _tokens(live.input_tokens, live.output_tokens, live.context_used),
            live.cost_amount,
            live.cost_currency or "USD",
        )
    return None, None, "USD"


def _tokens(given: int | None, taken: int | None, context: int | None) -> int | None:
    if given is not None or taken is not None:
        return (given or 0) + (taken or 0)
    return context


def numbers_of(view: TaskView, world: World) -> str:
    """`#7c1e · 14 tools · 61k · $0.42`; what is missing is left out, never shown as 0."""
    others = [other.record.task_id for other in world.tasks_of(view.record.parent_id)]
    parts = [short_id(view.record.task_id, others)]
    calls = tool_calls(view, world)
    if calls:
        parts.append(tr("%n tools", n=calls))
    used, cost, currency = usage_of(view, world)
    if used:
        parts.append(tokens(used))
    if cost:
        parts.append(money(cost, currency))
    return " · ".join(parts)


def sum_of(views: "tuple[TaskView, ...]", world: World) -> str:
    """`142k tokens · $0.81` of many children."""
    used, costs = 0, dict[str, float]()
    for view in views:
        some, cost, currency = usage_of(view, world)
        used += some or 0
        if cost:
            costs[currency] = costs.get(currency, 0.0) + cost
    parts = [tr("{count} tokens", count=tokens(used))] if used else []
    return " · ".join([*parts, *(money(amount, currency) for currency, amount in costs.items())])


def first_sentence(text: str) -> str:
    """Of a result."""
    line = clean_line(text.strip().split("\n", 1)[0], 200)
    ends = [at + len(mark.strip()) for mark in _SENTENCE_END if (at := line.find(mark)) > 0]
    return line[: min(ends)] if ends else line
