"""The world: what is known of the host, folded from its changes, and who is told of it."""

from dataclasses import replace
from typing import Any

import pytest

from codeg.api import (
    Activity,
    AgentsChanged,
    AsksChanged,
    BlockKind,
    Code,
    DayUsage,
    DayUsageChanged,
    EntryChanged,
    NotesChanged,
    NotesOffered,
    OptionsChanged,
    QuestionChanged,
    QuestionRecord,
    SessionChanged,
    SessionDeleted,
    Settings,
    SettingsChanged,
    Status,
    TaskChanged,
    ThreadChange,
    TurnFinished,
    TurnUsage,
    UsageChanged,
)
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui import worlds
from tests.ui.worlds import a_world, changes
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch, World


class Ear:
    """What a world told, in its order."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.told: list[Any] = []
        world.changed.connect(self.told.append)
        world.entries_changed.connect(self._entries)

    def _entries(self, session_id: str, told: tuple[ThreadChange, ...]) -> None:
        self.told.append((session_id, told))

    def apply(self, *whats: Any) -> Batch:
        """One frame; its batch."""
        self.told.clear()
        self.world.apply(changes(*whats))
        return self.told[-1]


@pytest.fixture
def world() -> World:
    return a_world()


def test_the_scene_stands_as_the_pictures_show_it(world: World) -> None:
    shown = {record.session_id: world.state_of_session(record.session_id) for record in s.SESSIONS}
    assert shown == {
        s.RETRY: State.WAITING,
        s.FLAKY: State.COMPLETED,
        s.NOTES_42: State.INTERRUPTED,
        s.SETTINGS: State.WAITING,
        s.LOGIN: State.WAITING,
        s.CONTRAST: State.FAILED,
        s.TOUR: State.COMPLETED,
        s.INCIDENT: State.RUNNING,
        s.NOTEBOOKS: State.COMPLETED,
    }
    assert (world.running_count(), len(world.asks())) == (4, 4)
    assert len(world.live_tasks()) == 8


def test_sessions_are_newest_first_and_children_oldest_first(world: World) -> None:
    ages = [record.created_ms for record in world.sessions()]
    assert ages == sorted(ages, reverse=True)
    assert [view.record.task_id for view in world.tasks_of(s.RETRY)] == [s.CALLERS, s.POLICY, s.SETTLEMENT]


def test_a_tree_is_walked_down_and_up(world: World) -> None:
    below = [view.record.task_id for view in world.descendants(s.RETRY)]
    assert below == [s.CALLERS, s.POLICY, s.PROPERTY, s.SETTLEMENT]
    child = world.child_session(s.PROPERTY)
    assert child == m.child_of(s.PROPERTY)
    assert world.path_of(m.child_of(s.PROPERTY)) == (s.RETRY, m.child_of(s.POLICY))
    assert world.children_of(m.child_of(s.POLICY)) == (child,)
    assert world.task_of(s.RETRY) is None


def test_an_ask_belongs_to_its_agent_and_to_all_above_it(world: World) -> None:
    assert [ask.request_id for ask in world.asks_of(s.RETRY)] == []
    assert [ask.request_id for ask in world.asks_of(s.RETRY, below=True)] == [s.ASK_ALEMBIC]
    assert [ask.request_id for ask in world.asks_of(m.child_of(s.SETTLEMENT))] == [s.ASK_ALEMBIC]
    assert [ask.request_id for ask in world.asks_of(s.SETTINGS, below=True)] == [s.ASK_WIDTHS, s.ASK_GRID]
    asked = world.ask(s.ASK_WIDTHS)
    assert asked is not None
    assert [question.header for question in asked.questions] == ["Widths", "Old links"]


def test_a_question_about_a_childs_folder_stands_on_the_childs_card(world: World) -> None:
    shown = m.ask("folder", "permission", s.RETRY, "/elsewhere", 0, task_id=s.POLICY)
    Ear(world).apply(AsksChanged((shown,)))
    assert [ask.request_id for ask in world.asks_of(m.child_of(s.POLICY))] == ["folder"]
    assert world.asks_of(s.RETRY) == ()


def test_an_ask_finds_its_task_also_when_that_comes_later() -> None:
    world = a_world("empty")
    ear = Ear(world)
    ear.apply(AsksChanged((m.ask("folder", "permission", "root", "/elsewhere", 0, task_id="task"),)))
    assert len(world.asks_of("root")) == 1
    batch = ear.apply(TaskChanged(m.task("task", "root", "Text")))
    assert [ask.request_id for ask in world.asks_of(m.child_of("task"))] == ["folder"]
    assert {"root", m.child_of("task")} <= batch.states


def test_titles_are_the_persons_then_the_tasks_then_the_agents(world: World) -> None:
    assert world.title_of(s.RETRY) == "Retry policy for the payments client"
    assert world.title_of(m.child_of(s.POLICY)) == "Write the retry policy with jitter and a budget"
    assert world.title_of("unknown") == "Session"
    record = world.session(s.RETRY)
    assert record is not None
    Ear(world).apply(
        SessionChanged(replace(record, custom_title="Mine")),
        SessionChanged(m.session("fresh")),
        SessionChanged(m.session("outside", host="codex")),
    )
    assert world.title_of(s.RETRY) == "Mine"
    assert world.title_of("fresh") == "New session"
    assert world.title_of("outside") == "Codex in a terminal"
    assert world.title_of(m.child_of("demo-task-dddd0000dddd")) == "Session"
    assert a_world("scripts").title_of(m.child_of("demo-task-dddd0000dddd")) == "Task without a text"


def test_agents_are_named_by_the_catalogue_and_hosts_by_their_program(world: World) -> None:
    assert world.agent_name(s.RETRY) == "Claude Code"
    assert world.agent_name(m.child_of(s.POLICY)) == "Codex"
    assert world.agent_name(s.NOTES_42) == "Codex"
    assert world.label_of("custom:mine") == "My agent"


def test_entries_are_told_first_and_by_session() -> None:
    ear = Ear(a_world("empty"))
    one, two = (
        EntryChanged("a", ThreadChange("added", m.said("message", text, 0, seq))) for seq, text in enumerate("xy")
    )
    other = EntryChanged("b", ThreadChange("added", m.said("message", "z", 0)))
    ear.apply(one, other, two)
    assert ear.told == [("a", (one.change, two.change)), ("b", (other.change,)), Batch()]


def test_a_batch_names_what_changed_and_all_whose_state_may_differ(world: World) -> None:
    view = world.task(s.PROPERTY)
    assert view is not None
    batch = Ear(world).apply(TaskChanged(view))
    assert batch.tasks == {s.PROPERTY}
    assert batch.states == {m.child_of(s.PROPERTY), m.child_of(s.POLICY), s.RETRY}
    assert batch.sessions == frozenset()


def test_small_words_are_told_and_kept(world: World) -> None:
    note = m.note("n1", s.RETRY, "Careful.", 60)
    question = QuestionRecord("q1", s.RETRY, (), "open", m.NOW)
    usage = TurnUsage(context_used=1)
    settings = Settings(unknown=("x",))
    day = DayUsage(5)
    batch = Ear(world).apply(
        NotesChanged(s.RETRY, (note,)),
        QuestionChanged(question),
        UsageChanged(s.RETRY, usage),
        OptionsChanged(s.FLAKY),
        SettingsChanged(settings),
        AgentsChanged(),
        DayUsageChanged(day),
    )
    assert batch == Batch(
        usage=frozenset({s.RETRY}),
        notes=frozenset({s.RETRY}),
        options=frozenset({s.FLAKY}),
        questions=frozenset({s.RETRY}),
        agents=True,
        settings=True,
        day=True,
    )
    assert (world.notes(s.RETRY), world.questions(s.RETRY), world.usage(s.RETRY)) == ((note,), (question,), usage)
    assert (world.settings(), world.day()) == (settings, day)


def test_an_offered_note_is_offered_until_it_is_delivered(world: World) -> None:
    ear = Ear(world)
    first, second = m.note("n1", s.RETRY, "One.", 60), m.note("n2", s.RETRY, "Two.", 50)
    ear.apply(NotesOffered(s.RETRY, (first, second)))
    assert world.offered(s.RETRY) == (first, second)
    ear.apply(NotesChanged(s.RETRY, (replace(first, delivered_ms=m.NOW), second)))
    assert world.offered(s.RETRY) == (second,)


def test_activity_is_kept_while_the_child_lives(world: World) -> None:
    world.apply((), {s.POLICY: Activity("Thinking", m.NOW, 15)})
    told = world.activity(s.POLICY)
    assert told is not None
    assert (told.line, told.tool_calls) == ("Thinking", 15)
    done = m.task(s.POLICY, s.RETRY, "Text", status=Status.COMPLETED)
    Ear(world).apply(TaskChanged(done))
    world.apply((), {s.POLICY: Activity("Late", m.NOW, 16)})
    assert world.activity(s.POLICY) is None


def test_a_turn_is_timed_from_the_moment_it_runs(world: World) -> None:
    ear = Ear(world)
    record = m.session("fresh", "Title", state="idle")
    ear.apply(SessionChanged(record))
    assert world.turn_began("fresh") is None
    ear.apply(SessionChanged(replace(record, state="running", updated_ms=m.NOW - 500)))
    ear.apply(SessionChanged(replace(record, state="running", updated_ms=m.NOW)))
    assert world.turn_began("fresh") == m.NOW - 500
    batch = ear.apply(TurnFinished("fresh", None), SessionChanged(record))
    assert (world.turn_began("fresh"), [turn.session_id for turn in batch.turns]) == (None, ["fresh"])


def test_a_deleted_tree_is_gone_with_its_tasks(world: World) -> None:
    ear = Ear(world)
    tree = [m.child_of(task_id) for task_id in (s.PROPERTY, s.CALLERS, s.POLICY, s.SETTLEMENT)]
    batch = ear.apply(*(SessionDeleted(session_id) for session_id in (*tree, s.RETRY)))
    assert batch.gone == {*tree, s.RETRY}
    assert batch.tasks == {s.CALLERS, s.POLICY, s.PROPERTY, s.SETTLEMENT}
    assert (world.session(s.RETRY), world.task(s.POLICY), world.usage(s.RETRY)) == (None, None, None)
    assert s.RETRY not in {record.session_id for record in world.sessions()}
    assert world.running_count() == 2


def test_a_failure_is_shown_until_somebody_looked(world: World) -> None:
    ear = Ear(world)
    failed = m.task("t", s.TOUR, "Text", status=Status.FAILED, age=1000, took=500, end=m.failed(Code.CHILD_EMPTY, ""))
    ear.apply(TaskChanged(failed))
    assert world.state_of_session(s.TOUR) is State.FAILED
    record = world.session(s.TOUR)
    assert record is not None
    batch = ear.apply(SessionChanged(replace(record, seen_ms=m.NOW)))
    assert world.state_of_session(s.TOUR) is State.COMPLETED
    assert world.state_of_session(m.child_of("t")) is State.FAILED
    assert {s.TOUR, m.child_of("t")} <= batch.states


def test_a_failed_grandchild_is_seen_with_the_root_that_shows_it() -> None:
    world = a_world("empty")
    ear = Ear(world)
    child = m.task("child", "root", "Text", status=Status.COMPLETED, age=2000)
    grand = m.task("grand", m.child_of("child"), "Text", status=Status.FAILED, age=1000, took=500, depth=2)
    root = m.session("root", "Title", state="idle")
    ear.apply(SessionChanged(root), TaskChanged(child), TaskChanged(grand))
    assert world.state_of_session("root") is State.FAILED
    assert world.state_of_session(m.child_of("child")) is State.FAILED
    ear.apply(SessionChanged(replace(root, seen_ms=m.NOW)))
    assert world.state_of_session("root") is State.COMPLETED
    assert world.state_of_session(m.child_of("child")) is State.COMPLETED


def test_the_most_urgent_state_of_a_tree_wins_at_any_depth(world: World) -> None:
    ear = Ear(world)
    view = m.task(
        s.PROPERTY,
        m.child_of(s.POLICY),
        "Text",
        "open_code",
        depth=2,
        blocks=(m.block(BlockKind.QUESTION, "q", "Which?", 0),),
    )
    settled = m.task(s.SETTLEMENT, s.RETRY, "Text", "claude_code", Status.COMPLETED)
    ear.apply(TaskChanged(settled))
    assert world.state_of_session(s.RETRY) is State.RUNNING
    ear.apply(TaskChanged(view))
    assert world.state_of_session(s.RETRY) is State.WAITING
    assert world.state_of_session(s.RETRY, tree=False) is State.RUNNING
    assert world.state_of_session(s.FLAKY) is State.COMPLETED


def test_a_task_may_be_known_before_and_after_what_is_above_it() -> None:
    world = a_world("empty")
    ear = Ear(world)
    grand = m.task("grand", m.child_of("child"), "Text", depth=2)
    ear.apply(TaskChanged(grand))
    assert world.path_of(m.child_of("grand")) == (m.child_of("child"),)
    ear.apply(
        TaskChanged(m.task("child", "root", "Text", status=Status.COMPLETED)), SessionChanged(m.session("root", "T"))
    )
    assert world.path_of(m.child_of("grand")) == ("root", m.child_of("child"))
    assert world.state_of_session("root") is State.RUNNING


def test_loading_again_drops_what_is_gone_and_says_so(world: World) -> None:
    ear = Ear(world)
    world.load(s.SESSIONS[1:], s.OTHER_TASKS, s.ASKS[:1])
    batch = ear.told[-1]
    assert {s.RETRY, m.child_of(s.POLICY)} <= batch.gone
    assert s.POLICY in batch.tasks
    assert (batch.asks, batch.agents, batch.settings) == (True, True, True)
    assert world.task(s.POLICY) is None
    assert world.activity(s.GRID) is None


def test_older_ones_join_and_never_replace_what_is_newer(world: World) -> None:
    ear = Ear(world)
    stale = replace(s.SESSIONS[0], title="Stale")
    world.add(
        [stale, m.session("older", "Older", age=9 * m.DAY)],
        [m.task("old-task", "older", "Text", status=Status.CANCELED)],
    )
    assert world.title_of(s.RETRY) == "Retry policy for the payments client"
    assert ear.told[-1].sessions == {"older"}
    assert len(world.tasks_of("older")) == 1


def test_the_clock_stands_still_for_pictures_and_goes_on_otherwise() -> None:
    world = a_world()
    assert world.now_ms() == m.NOW
    world.set_now(None)
    assert world.now_ms() != m.NOW


@pytest.mark.parametrize("kind", ["main", "empty", "states", "flood", "scripts"])
def test_every_made_world_can_be_looked_at(kind: Any) -> None:
    world = a_world(kind)
    for record in world.sessions():
        assert world.title_of(record.session_id)
        assert world.state_of_session(record.session_id) in State
    for view in world.tasks():
        assert world.child_session(view.record.task_id)


def test_the_flood_asks_from_three_depths_oldest_first() -> None:
    world = a_world("flood")
    assert len({world.asker(ask) for ask in world.asks()}) == 3
    assert [ask.since_ms for ask in world.asks()] == sorted(ask.since_ms for ask in world.asks())
    assert len(world.asks_of(worlds.FLOOD_ROOT, below=True)) == 12


def test_eight_children_show_the_eight_states() -> None:
    world = a_world("states")
    shown = [world.state_of_session(child) for child in world.children_of(worlds.STATES_ROOT)]
    assert sorted(shown) == sorted(set(State) - {State.IDLE})
