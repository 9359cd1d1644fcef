"""What a card says, in each of the eight states and at the edges."""

from dataclasses import replace
from typing import Any

import pytest

from codeg.api import (
    Activity,
    AsksChanged,
    Block,
    BlockKind,
    Code,
    Phase,
    SessionChanged,
    Status,
    TaskChanged,
    TaskView,
)
from tests.ui import making as m
from tests.ui import scene, worlds
from tests.ui.worlds import STATES_ROOT, a_world, changes, eight_tasks
from ui.viewmodels.cards import CardFace, Piece, can_resume, face_of, pieces
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import State, state_of_task
from ui.viewmodels.world import World

BY_STATE = {state_of_task(view): view for view in eight_tasks()}
APOSTROPHE = "'"


def row_of(task_id: str | None, **more: Any) -> DelegationRow:
    """The row of a task."""
    return replace(DelegationRow("key", task_id, "codex", "Do a thing\n\nand more", m.NOW), **more)


def face_in(state: State) -> CardFace:
    """The card of the picture in this state."""
    return face_of(row_of(BY_STATE[state].record.task_id), a_world("states"), STATES_ROOT)


def face_for(view: TaskView, world: World | None = None) -> CardFace:
    """The card of one task, alone in a world."""
    world = world or a_world("empty")
    world.apply(changes(TaskChanged(view)))
    return face_of(row_of(view.record.task_id), world)


# ---- the table of the design


@pytest.mark.parametrize(
    ("state", "word", "number", "line", "numbers", "buttons"),
    [
        (State.QUEUED, "Queued", "2nd of 2", "Starts when one of 3 running children ends", "#1d20", "cancel"),
        (State.STARTING, "Starting", "8s", f"Waiting for the agent{APOSTROPHE}s first answer", "#9b3c", "stop"),
        (State.RUNNING, "Running", "5m 24s", "Editing retry/budget.py", "#7c1e · 14 tools · 61k · $0.42", "steer stop beside"),
        (State.WAITING, "Waiting for you", "38s", "Stopped at a command that needs your permission", "#52d8 · 3 tools", "steer stop beside"),
        (State.COMPLETED, "Completed", "6m 40s", "Two columns, three snapshot tests pass.", "#a0f4 · 22 tools · 88k · $0.61", "copy beside"),
        (State.FAILED, "Failed", "3m 40s", "Model error after 3 tries: too many requests", "#c77a · 7 tools · 19k", "beside"),
        (State.CANCELED, "Canceled", "2m 10s", "Stopped by you · 3 changed files are kept", "#e512 · 5 tools · 11k", "resume beside"),
        (State.INTERRUPTED, "Interrupted", "9m 02s", "The host closed while it ran; its work so far is kept", "#0b66 · 12 tools", "resume beside"),
    ],
)  # fmt: skip
def test_a_card_says_what_the_design_says(  # noqa: PLR0917  # a table
    state: State, word: str, number: str, line: str, numbers: str, buttons: str
) -> None:
    face = face_in(state)
    assert (face.state, face.word, face.number) == (state, word, number)
    assert face.line_text == line
    assert " · ".join(face.numbers) == numbers
    assert face.buttons == tuple(buttons.split())
    assert face.reason is (state is State.FAILED)


@pytest.mark.parametrize(
    ("state", "menu"),
    [
        (State.QUEUED, "start_now task beside copy_id"),
        (State.STARTING, "task beside copy_id"),
        (State.RUNNING, "task copy_id log"),
        (State.WAITING, "task copy_id log"),
        (State.COMPLETED, "follow_up again another task copy_id"),
        (State.FAILED, "resume again another log copy_error task copy_id"),
        (State.CANCELED, "again another task copy_id"),
        (State.INTERRUPTED, "again another task copy_id"),
    ],
)
def test_the_menu_holds_the_rest(state: State, menu: str) -> None:
    assert face_in(state).menu == tuple(menu.split())


def test_the_spoken_name_is_that_of_the_design() -> None:
    spoken = face_in(State.RUNNING).spoken
    assert spoken == "Codex, Write the retry policy with jitter and a budget, running, 5 minutes 24 seconds, 14 tools"


# ---- starting


def a_starting(age: int) -> TaskView:
    return m.task("codex-slow-aaaa0000bbbb", "root", "Slow", age=age, phase=Phase.STARTING)


def test_a_slow_start_is_said_after_20_seconds_and_can_be_begun_again_after_60() -> None:
    early, late, very_late = (face_for(a_starting(seconds * m.SECOND)) for seconds in (19, 20, 60))
    assert early.line_text.startswith("Waiting for")
    assert late.line_text == "Still no answer from Codex"
    assert late.buttons == ("stop",)
    assert very_late.buttons == ("start_again", "stop")


def test_a_resumed_start_counts_from_its_own_beginning() -> None:
    view = m.task("codex-again-aaaa0000bbbb", "root", "Again", age=m.HOUR, phase=Phase.STARTING, attempt=2)
    world = a_world("empty")
    session = m.child_session(view, state="starting", updated_ms=m.NOW - 3 * m.SECOND)
    world.apply(changes(SessionChanged(session)))
    face = face_for(view, world)
    assert face.number == "3s"
    assert face.buttons == ("stop",)


# ---- waiting


def test_a_grandchild_that_waits_is_named_and_can_be_shown() -> None:
    child = m.task("codex-middle-aaaa1111bbbb", "root", "Middle")
    below = m.task("open-code-deep-cccc2222dddd", child.record.child_id, "Deep", "open_code")
    block = Block(BlockKind.PERMISSION, "ask", "rm -rf build", m.NOW - 5 * m.SECOND)
    world = a_world("empty")
    ask = m.ask("ask", "permission", below.record.child_id, "rm -rf build", 5_000, task_id=below.record.task_id)
    views = (replace(child, blocks=(block,)), replace(below, blocks=(block,)))
    world.apply(changes(*(TaskChanged(view) for view in views), AsksChanged((ask,))))
    face = face_of(row_of(child.record.task_id), world)
    assert face.line_text == "OpenCode waits for you"
    assert face.buttons == ("show", "steer", "stop", "beside")
    assert face.number == "5s"
    own = face_of(row_of(below.record.task_id), world)
    assert "show" not in own.buttons


def test_a_child_that_waits_itself_says_so_first() -> None:
    world = a_world("flood")
    child = next(view for view in world.live_tasks() if view.record.depth == 1)
    face = face_of(row_of(child.record.task_id), world)
    assert "show" not in face.buttons
    assert face.line_text.startswith("Stopped at")


# ---- ends


def over(status: Status, **end: Any) -> CardFace:
    return face_for(m.task("codex-over-aaaa0000bbbb", "root", "Over", status=status, end=end))


def test_a_result_without_a_text_says_what_was_done() -> None:
    message = "The agent made 3 tool calls and ended its turn without a final text."
    assert over(Status.COMPLETED, message=message).line_text == message
    assert over(Status.COMPLETED).line_text == "Done"


def test_a_failure_says_its_first_line_only() -> None:
    face = over(Status.FAILED, code=Code.AGENT_CRASHED, message="Codex ended with code 3.\nTraceback\n  boom")
    assert face.line_text == "Codex ended with code 3."
    assert "resume" in face.menu


def test_a_failure_that_cannot_go_on_offers_no_resume() -> None:
    assert "resume" not in over(Status.FAILED, code=Code.CHILD_REFUSAL, message="No.").menu


@pytest.mark.parametrize(
    ("end", "line"),
    [
        ({"code": Code.CANCELED, "message": "Canceled by request."}, "Stopped on request"),
        ({"code": Code.CANCELED, "message": "Canceled: the user canceled the turn that it belongs to."}, "Stopped by you"),
        ({"code": Code.PARENT_GONE}, "Stopped: the session that asked for it has ended"),
        ({"code": Code.CANCELED, "message": "Canceled: its session was without a companion for 60 s."}, "Stopped: its session was without a companion for 60 s"),
    ],
)  # fmt: skip
def test_who_stopped_it_is_said_as_far_as_it_is_known(end: dict[str, Any], line: str) -> None:
    assert over(Status.CANCELED, **end).line_text == f"{line} · its work so far is kept"


def test_what_is_being_stopped_counts_as_stopped_but_cannot_go_on_yet() -> None:
    face = face_for(m.task("codex-over-aaaa0000bbbb", "root", "Over", stopping=True))
    assert face.state is State.CANCELED
    assert face.busy
    assert face.buttons == ("resume", "beside")


def test_an_agent_that_cannot_resume_is_run_again_instead() -> None:
    view = m.task("codex-over-aaaa0000bbbb", "root", "Over", status=Status.CANCELED, resume_via="none")
    assert not can_resume(view)
    assert face_for(view).buttons == ("again", "beside")
    never_begun = replace(view, record=replace(view.record, prompt_accepted=False))
    assert can_resume(never_begun)


# ---- what is not known


def test_a_child_that_nobody_knows_shows_what_the_call_says() -> None:
    world = a_world("states")
    face = face_of(row_of(None), world, STATES_ROOT)
    assert (face.name, face.title, face.state) == ("Codex", "Do a thing", State.STARTING)
    assert face.numbers == ()
    assert face.buttons == ()
    assert face.menu == ("task",)


def test_an_unknown_child_of_a_session_that_is_over_does_not_start_for_ever() -> None:
    assert face_of(row_of(None), a_world(), scene.FLAKY).state is State.INTERRUPTED


def test_a_refused_call_says_why() -> None:
    face = face_of(row_of(None, failure="There is no agent called codexx."), a_world("states"), STATES_ROOT)
    assert face.state is State.FAILED
    assert face.reason
    assert face.line_text == "There is no agent called codexx."


def test_no_agent_is_no_crash() -> None:
    assert face_of(row_of(None, agent_type="", task=""), a_world("empty")).name == "Sub-agent"


# ---- numbers and ids


def test_missing_numbers_are_left_out() -> None:
    face = face_for(m.task("codex-none-aaaa0000bbbb", "root", "None"))
    assert face.numbers == ("#aaaa",)
    assert face.brief_numbers == ("#aaaa",)


def test_narrow_numbers_keep_the_id_and_the_tools() -> None:
    assert face_in(State.RUNNING).brief_numbers == ("#7c1e", "14 tools")
    world = a_world("empty")
    view = m.task("codex-none-aaaa0000bbbb", "root", "None")
    world.apply(changes(TaskChanged(view)), {view.record.task_id: Activity("", m.NOW, 0, m.usage(3_000))})
    face = face_of(row_of(view.record.task_id), world)
    assert face.numbers == ("#aaaa", "3k")
    assert face.brief_numbers == ("#aaaa",)


def test_colliding_ids_grow() -> None:
    world = a_world("empty")
    views = [m.task(f"codex-twin-aaaa0000bbb{n}", "root", "Twin") for n in range(2)]
    world.apply(changes(*(TaskChanged(view) for view in views)))
    faces = [face_of(row_of(view.record.task_id), world) for view in views]
    assert {face.numbers[0] for face in faces} == {"#aaaa0000bbb0", "#aaaa0000bbb1"}


def test_odd_worlds_are_shown() -> None:
    world = a_world("scripts")
    faces = [face_of(row_of(view.record.task_id), world) for view in world.tasks_of(worlds.SCRIPTS_ROOT)]
    assert any("9,999 tools" in face.numbers and "$1,234.56" in face.numbers for face in faces)
    assert all("\n" not in face.title and len(face.title) <= 300 for face in faces)


# ---- line two


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Editing retry/budget.py", (Piece("Editing "), Piece("retry/budget.py", True))),
        ("Run `npm test` now", (Piece("Run "), Piece("npm test", True), Piece(" now"))),
        ("Reading setup.py", (Piece("Reading "), Piece("setup.py", True))),
        ("and/or either way", (Piece("and/or either way"),)),
        ("See https://example.org/a", (Piece("See https://example.org/a"),)),
        ("Plain words. And more.", (Piece("Plain words. And more."),)),
        ("Looking in src/ui/theme/", (Piece("Looking in "), Piece("src/ui/theme/", True))),
        ("cd /tmp && ls", (Piece("cd "), Piece("/tmp", True), Piece(" && ls"))),
        ("", ()),
    ],
)
def test_code_of_line_two_is_mono(text: str, expected: tuple[Piece, ...]) -> None:
    assert pieces(text) == expected


def test_hostile_text_is_one_safe_line() -> None:
    view = m.task("codex-bad-aaaa0000bbbb", "root", "\x1b[31mred\u202egnp.exe\nsecond")
    world = a_world("empty")
    world.apply(changes(TaskChanged(view)), {view.record.task_id: Activity("a\u202eb\x07\nc", m.NOW, 1)})
    face = face_of(row_of(view.record.task_id), world)
    assert face.title == "red[U+202E]gnp.exe"
    assert face.line_text == "a[U+202E]b c"
