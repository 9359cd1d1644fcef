"""What a delegation's card says: every line, number and action, from the world alone (design 5 and 7.3).

Owns the wording of a card; pure but for the world it reads. An acknowledgement is never a result: what ended and how
comes from the store.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeg.api import Block, Code, End, TaskView, recognise
from ui.viewmodels.card_numbers import numbers_of, tool_calls
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import World
from ui.wording import (
    ask_phrase,
    clean_line,
    duration,
    end_reason,
    ordinal_of,
    short_id,
    spoken_duration,
    state_word,
    tr,
)

ActionName = Literal[
    "show", "start_again", "steer", "stop", "cancel", "resume", "copy", "beside", "start_now", "again", "another",
    "follow_up", "log", "task", "copy_id", "copy_error",
]  # fmt: skip
SLOW_MS, VERY_SLOW_MS = 20_000, 60_000
_TITLE_MOST, _LINE_MOST, _LOOKED_AT = 300, 240, 4_000
_OWN_MOST = 80
"""Characters of a line that can be the name of a tool."""
_RESUMABLE = frozenset({
    Code.AGENT_CRASHED, Code.AGENT_START_TIMEOUT, Code.SUBAGENT_ERROR, Code.AUTH_REQUIRED, Code.RUN_TIMEOUT,
    Code.CHILD_MAX_TOKENS, Code.CHILD_MAX_TURN_REQUESTS, Code.CHILD_UNKNOWN,
})  # fmt: skip
# `code`, a path (from a root, with two slashes, or to a file with an ending), or a file's name with a usual ending.
_CODE = re.compile(
    r"`([^`]+)`|(?<![\w/.:~-])("
    r"(?:~|\.{1,2})?/[\w@.+-]+(?:/[\w@.+-]+)*/?|(?:[\w@.+-]+/){2,}[\w@.+-]*|(?:[\w@.+-]+/)+[\w@+-]+\.\w+|"
    r"[\w-]+\.(?:py|js|ts|tsx|jsx|css|html|json|toml|yaml|yml|md|rs|go|c|h|cpp|java|rb|sh|sql|txt|ini|cfg|lock))(?![\w/])"
)


class Piece(NamedTuple):
    """A part of line two. `mono`: code."""

    text: str
    mono: bool = False


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card. `number`: beside the word; `line`: line two; `reason`: that is why it failed.

    `buttons`: on the card, in order; `menu`: under the three dots; `busy`: it ends first; `counted`: the numbers hold
    its tool calls; `spoken`: for a screen reader; `slug`: of its agent.
    """

    name: str
    slug: str
    title: str
    state: State
    word: str
    number: str
    line: tuple[Piece, ...]
    numbers: tuple[str, ...]
    buttons: tuple[ActionName, ...]
    menu: tuple[ActionName, ...]
    spoken: str
    reason: bool = False
    full_id: str = ""
    session_id: str | None = None
    busy: bool = False
    counted: bool = False

    @property
    def brief_numbers(self) -> tuple[str, ...]:
        """Id and tools, where there is no room for more."""
        return self.numbers[: 1 + self.counted]

    @property
    def line_text(self) -> str:
        """Line two as one text."""
        return "".join(piece.text for piece in self.line)


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


def action_word(action: str) -> str:
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
        "task": tr("Show task"),
        "copy_id": tr("Copy id"),
        "copy_error": tr("Copy error"),
        "show": tr("Show"),
        "start_again": tr("Start again"),
    }[action]


def face_of(row: DelegationRow, world: World, session_id: str = "", short: str | None = None) -> CardFace:
    """The card of a delegation row in the transcript of `session_id`. `short`: its short id, where it is known."""
    view = world.task(row.task_id) if row.task_id is not None else None
    if view is None:
        return _unknown(row, world, session_id)
    return _known(view, world, short if short is not None else id_of(view, world))


def id_of(view: TaskView, world: World) -> str:
    """`#7c1e`, longer where two of its conversation collide."""
    return short_id(view.record.task_id, (other.record.task_id for other in world.tasks_of(view.record.parent_id)))


def _unknown(row: DelegationRow, world: World, session_id: str) -> CardFace:
    """A delegation whose child is not known: the same card with what is known."""
    parent = world.session(session_id)
    over = parent is not None and parent.state not in {"starting", "running"}
    state = State.FAILED if row.failure else State.INTERRUPTED if over else State.STARTING
    name = world.label_of(row.agent_type) if row.agent_type else tr("Sub-agent")
    title = first_line(row.task)
    if row.failure:
        line = clean_line(row.failure, _LINE_MOST)
    else:
        line = tr("Nothing more is known of this child") if over else tr("Waiting for the host's word")
    return CardFace(
        name=name,
        slug=row.agent_type,
        title=title,
        state=state,
        word=state_word(state),
        number="",
        line=(Piece(line),),
        numbers=(short_id(row.task_id),) if row.task_id else (),
        buttons=(),
        menu=("task", "copy_error") if row.failure else ("task",),
        spoken=_joined(name, title, state_word(state).lower()),
        reason=bool(row.failure),
        full_id=row.task_id or "",
    )


def _known(view: TaskView, world: World, short: str) -> CardFace:
    record, state = view.record, shown_state(view)
    name, title = world.label_of(record.agent_type), first_line(record.task_text)
    elapsed = elapsed_ms(view, world)
    calls = tool_calls(view, world)
    return CardFace(
        name=name,
        slug=record.agent_type,
        title=title,
        state=state,
        word=state_word(state),
        number=badge_number(view, world, elapsed),
        line=pieces(second_line(view, world)),
        numbers=(short, *numbers_of(view, world)),
        buttons=_buttons(view, state, world, elapsed),
        menu=_menu(view, state),
        spoken=_joined(
            name,
            title,
            state_word(state).lower(),
            spoken_duration(elapsed) if elapsed is not None and state is not State.QUEUED else "",
            tr("%n tools", n=calls) if calls else "",
        ),
        reason=state is State.FAILED,
        full_id=record.task_id,
        session_id=record.child_id,
        busy=view.stopping,
        counted=bool(calls),
    )


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def shown_state(view: TaskView) -> State:
    """The state on the card: what is being stopped counts as stopped at once."""
    return State.CANCELED if view.stopping else state_of_task(view)


def can_resume(view: TaskView) -> bool:
    """It may go on in its own session (contract 6, resume)."""
    record, end = view.record, view.record.end
    if record.prompt_accepted and record.resume_via == "none":
        return False
    if shown_state(view) in {State.CANCELED, State.INTERRUPTED}:
        return True
    return end is not None and end.code in _RESUMABLE


def _buttons(view: TaskView, state: State, world: World, elapsed: int | None) -> tuple[ActionName, ...]:
    buttons = _BUTTONS[state]
    if "resume" in buttons and not can_resume(view):
        buttons = ("again", *buttons[1:])
    if state is State.WAITING and asks_below(view, world):
        return ("show", *buttons)
    if state is State.STARTING and elapsed is not None and elapsed >= VERY_SLOW_MS:
        return ("start_again", *buttons)
    return buttons


def _menu(view: TaskView, state: State) -> tuple[ActionName, ...]:
    menu = _MENU[state]
    return menu if can_resume(view) else tuple(name for name in menu if name != "resume")


# ---- parts


def first_line(task: str) -> str:
    """The first line of a task."""
    return clean_line(task[:_LOOKED_AT].strip().split("\n", 1)[0], _TITLE_MOST)


def pieces(text: str) -> tuple[Piece, ...]:
    """Line two with its code in mono: what stands in backticks, and paths."""
    found: list[Piece] = []
    at = 0
    for match in _CODE.finditer(text):
        if match.start() > at:
            found.append(Piece(text[at : match.start()]))
        found.append(Piece(match.group(1) or match.group(2), mono=True))
        at = match.end()
    if at < len(text):
        found.append(Piece(text[at:]))
    return tuple(found)


def began_ms(view: TaskView, world: World) -> int:
    """When what it does now began: its prompt was sent, else its start, else the call."""
    record = view.record
    if record.started_ms is not None and shown_state(view) is not State.STARTING:
        return record.started_ms
    session = world.session(record.child_id)
    return max(record.created_ms, session.updated_ms if session is not None and session.state == "starting" else 0)


def elapsed_ms(view: TaskView, world: World) -> int | None:
    """What the badge counts: since it asked, since it began, or how long it took."""
    block = own_block(view, world)
    if shown_state(view) is State.WAITING and block is not None:
        return max(0, world.now_ms() - block.since_ms)
    return took_ms(view, world)


def took_ms(view: TaskView, world: World) -> int | None:
    """How long it has run, or ran."""
    if shown_state(view) in ALIVE or view.stopping:
        return max(0, world.now_ms() - began_ms(view, world))
    if view.record.ended_ms is None:
        return None
    return max(0, view.record.ended_ms - (view.record.started_ms or view.record.created_ms))


def badge_number(view: TaskView, world: World, elapsed: int | None) -> str:
    """Beside the word: the place in the queue, or a time."""
    if shown_state(view) is not State.QUEUED:
        return duration(elapsed) if elapsed is not None else ""
    root, position = view.record.root_id, view.queue_position
    same = (other for other in world.live_tasks() if other.record.root_id == root)
    total = sum(1 for other in same if state_of_task(other) is State.QUEUED)
    return ordinal_of(position, max(total, position)) if position else ""


def own_block(view: TaskView, world: World) -> Block | None:
    """What the card waits for: its own ask before those of its children."""
    own = (block for block in view.blocks if not _is_below(view, block, world))
    return next(own, view.blocks[0] if view.blocks else None)


def _is_below(view: TaskView, block: Block, world: World) -> bool:
    ask = world.ask(block.request_id)
    return ask is not None and world.asker(ask) != view.record.child_id


def asks_below(view: TaskView, world: World) -> bool:
    """Only a child further down waits."""
    block = own_block(view, world)
    return block is not None and _is_below(view, block, world)


def second_line(view: TaskView, world: World) -> str:
    """Line two."""
    record, state = view.record, shown_state(view)
    if view.stopping:
        return tr("Its processes are ending")
    match state:
        case State.QUEUED:
            same = (other for other in world.live_tasks() if other.record.root_id == record.root_id)
            running = sum(1 for other in same if state_of_task(other) is not State.QUEUED)
            return tr("Starts when one of %n running children ends", n=running) if running else tr("Starts next")
        case State.STARTING:
            if world.now_ms() - began_ms(view, world) >= SLOW_MS:
                return tr("Still no answer from {agent}", agent=world.label_of(record.agent_type))
            return tr("Waiting for the agent's first answer")
        case State.RUNNING:
            activity = world.activity(record.task_id)
            return _doing(activity.line if activity is not None else "") or tr("At work")
        case State.WAITING:
            return _waiting_line(view, world)
        case _:
            return _ended_line(view, state)


def _doing(line: str) -> str:
    """What a child does now; a call of our own tools is said in words."""
    own = recognise(line) if line and len(line) < _OWN_MOST else None
    match own.tool if own is not None else "":
        case "get_delegation_status":
            return tr("Waiting for its children")
        case "delegate_to_agent":
            return tr("Handing on work")
        case "check_user_feedback":
            return tr("Looking for your notes")
        case "cancel_delegation":
            return tr("Stopping a child")
        case "resume_delegation":
            return tr("Resuming a child")
        case "ask_user_question":
            return tr("Asking you")
        case _:
            return clean_line(line, _LINE_MOST)


def _waiting_line(view: TaskView, world: World) -> str:
    block = own_block(view, world)
    if block is None:
        return tr("Stopped at a folder that needs your permission")
    ask = world.ask(block.request_id)
    if ask is not None and _is_below(view, block, world):
        return tr("{agent} waits for you", agent=world.agent_name(world.asker(ask)))
    return ask_phrase(block.kind.value)


def _ended_line(view: TaskView, state: State) -> str:
    end = view.record.end
    if state is State.INTERRUPTED:
        return tr("The host closed while it ran; its work so far is kept")
    if end is None:
        return ""
    if state is State.COMPLETED:
        return clean_line(end.gist, _LINE_MOST) or first_line(end.message or "") or tr("Done")
    if state is State.FAILED:
        return first_line(end_reason(end.code or "", end.message or ""))
    return " · ".join(part for part in (_stopped_by(end), _kept(view, end)) if part)


def _stopped_by(end: End) -> str:
    """Who stopped it, as far as the host tells."""
    said = first_line(end.message or "")
    if end.code == Code.PARENT_GONE:
        return tr("Stopped: the session that asked for it has ended")
    if "by the user" in said or "the user canceled the turn" in said:
        return tr("Stopped by you")
    reason = said.partition(": ")[2].rstrip(".") if ": " in said else ""
    return tr("Stopped: {reason}", reason=reason) if reason else tr("Stopped on request")


def _kept(view: TaskView, end: End) -> str:
    if end.files:
        return tr("%n changed files are kept", n=end.files)
    return tr("its work so far is kept") if view.record.started_ms is not None else ""
