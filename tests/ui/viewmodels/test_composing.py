"""What leaves a composer, who gets which task, and which buttons apply: the rules without widgets."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.api import Status
from tests.ui import making as m
from tests.ui import scene
from ui.viewmodels import composing
from ui.viewmodels.composing import Mention, Piece, Role, buttons_of, delegations, plain, query_at, situation_of

DEMO, CODEX = Mention("agent", "demo", "Demo"), Mention("agent", "codex", "Codex")
FILE = Mention("file", "retry/paths.py", "retry/paths.py")
SESSION = Mention("session", "session-contrast", "Contrast audit")
NAMES = composing.agent_names(scene.AGENTS)
MENTIONS = st.builds(
    Mention, st.sampled_from(["agent", "file", "session"]), st.text(min_size=1, max_size=8), st.text(max_size=8)
)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((DEMO, " survey"), "@demo survey"),
        ((DEMO, "survey"), "@demo survey"),
        (("ask", DEMO, ", then stop"), "ask @demo , then stop"),
        (("(", DEMO, " survey)"), "(@demo survey)"),
        (("see ", FILE, ", please"), "see retry/paths.py, please"),
        (("see ", Mention("file", "my notes.md", "my notes.md")), "see `my notes.md`"),
        ((DEMO, CODEX), "@demo @codex"),
        (("as in ", SESSION), "as in “Contrast audit” (session session-contrast)"),
        (("a\n\n", "b"), "a\n\nb"),
    ],
)
def test_mentions_leave_as_the_agent_reads_them(pieces: tuple[Piece, ...], text: str) -> None:
    assert plain(pieces) == text


def test_the_demo_agent_reads_every_mention_that_leaves() -> None:
    from codeg.demo.mentions import read_mentions

    text = plain((DEMO, " survey", Mention("agent", "custom:mine", "My agent"), " todos"))
    assert [(found.agent, found.task) for found in read_mentions(text)] == [
        ("demo", "survey"),
        ("custom:mine", "todos"),
    ]


def test_typed_and_pasted_agents_are_mentions_by_slug_or_label() -> None:
    made = composing.with_typed(("@demo survey and @ClaudeCode too, mail ada@codex and @nobody",), NAMES)
    assert [piece.value for piece in made if isinstance(piece, Mention)] == ["demo", "claude_code"]
    assert plain(made) == "@demo survey and @claude_code too, mail ada@codex and @nobody"


def test_one_agent_gets_the_whole_text_without_its_mention() -> None:
    assert delegations((CODEX, " also check ", FILE, " on Windows"), NAMES) == (
        ("codex", "also check retry/paths.py on Windows"),
    )
    assert delegations(("please ", CODEX, " look"), NAMES) == (("codex", "please look"),)


def test_several_agents_each_get_what_follows_them() -> None:
    told = delegations(("In retry/: ", CODEX, " write it, ", DEMO, " survey"), NAMES)
    assert told == (("codex", "In retry/: write it"), ("demo", "In retry/: survey"))


def test_agents_that_stand_together_get_the_same() -> None:
    assert delegations((CODEX, " ", DEMO, " review this"), NAMES) == (("codex", "review this"), ("demo", "review this"))


def test_an_agent_without_a_task_gets_nothing() -> None:
    assert delegations((CODEX, "  "), NAMES) == ()
    assert delegations(("no agent",), NAMES) == ()


@given(st.lists(st.text(max_size=12) | MENTIONS, max_size=6))
def test_a_draft_comes_back_as_it_was(pieces: list[Piece]) -> None:
    kept = tuple(piece for piece in pieces if piece)
    back = composing.read(composing.kept(kept))
    assert plain(back) == plain(kept)
    assert [piece for piece in back if isinstance(piece, Mention)] == [p for p in kept if isinstance(p, Mention)]


@pytest.mark.parametrize(
    "draft", ["[", "[1]", '[{"kind":"agent"}]', "plain", "[not json", '[{"kind":"x","value":"a","label":"b"}]']
)
def test_a_draft_that_is_no_list_of_pieces_is_text(draft: str) -> None:
    assert composing.read(draft) == (draft,)


@pytest.mark.parametrize(
    ("before", "query"),
    [
        ("Ask @co", "co"),
        ("@", ""),
        ("(@rea", "rea"),
        ("mail ada@co", None),
        ("@co ", None),
        ("\ufffc@x", "x"),
        ("a @ui/theme", "ui/theme"),
        ("@" + "x" * 65, None),
    ],
)
def test_what_is_looked_for_follows_an_at_sign_that_begins_a_word(before: str, query: str | None) -> None:
    assert query_at(before) == query


# ---- what may be done

ROOT = m.session("s", "A title")
CHILD = m.task("codex-x-aaaa1111", "s", "Do it")
DONE = m.task("codex-x-aaaa1111", "s", "Do it", status=Status.COMPLETED)


def test_a_running_turn_steers_and_may_queue_and_stop() -> None:
    running = situation_of(replace(ROOT, state="running"), None, scene.AGENTS)
    buttons = buttons_of(running, text=True, agents=True)
    assert (buttons.primary, buttons.queue, buttons.stop, buttons.delegate) == ("steer", True, True, True)


def test_images_cannot_steer_they_wait_for_the_end_of_the_turn() -> None:
    running = situation_of(replace(ROOT, state="running"), None, scene.AGENTS)
    assert buttons_of(running, text=True, images=True).primary == "queue"


def test_what_is_said_to_a_starting_agent_waits() -> None:
    starting = situation_of(replace(ROOT, state="starting"), None, scene.AGENTS)
    buttons = buttons_of(starting, text=True, agents=True)
    assert (buttons.primary, buttons.stop, buttons.delegate) == ("queue", True, False)


@pytest.mark.parametrize("state", ["idle", "ended", "failed"])
def test_an_idle_or_ended_root_takes_a_prompt(state: str) -> None:
    situation = situation_of(replace(ROOT, state=state), None, scene.AGENTS)
    buttons = buttons_of(situation, text=True)
    assert (situation.role, buttons.primary, buttons.ready, buttons.stop) == (Role.ROOT, "send", True, False)


def test_children_and_outside_sessions_only_take_notes_until_a_child_has_ended() -> None:
    child = situation_of(m.child_session(CHILD), CHILD, scene.AGENTS)
    ended = situation_of(m.child_session(DONE), DONE, scene.AGENTS)
    outside = situation_of(m.session("o", host="codex"), None, scene.AGENTS)
    assert (child.role, buttons_of(child, text=True).primary, buttons_of(child, text=True).stop) == (
        Role.CHILD,
        "note",
        True,
    )
    assert (ended.role, buttons_of(ended, text=True).primary) == (Role.ENDED_CHILD, "send")
    assert (outside.role, buttons_of(outside, text=True).primary) == (Role.OUTSIDE, "note")
    assert not buttons_of(outside, text=False, images=True).ready


def test_an_ended_session_whose_agent_went_away_says_so_but_a_live_one_goes_on() -> None:
    agents = tuple(replace(agent, installed=agent.slug != "claude_code") for agent in scene.AGENTS)
    assert situation_of(replace(ROOT, state="ended"), None, agents).lack == "missing"
    assert situation_of(replace(ROOT, state="idle"), None, agents).lack == ""
    off = tuple(replace(agent, enabled=False) for agent in scene.AGENTS)
    assert situation_of(replace(ROOT, state="ended"), None, off).lack == "disabled"
    assert situation_of(ROOT, None, scene.AGENTS, signed_out=True).lack == "signed_out"


def test_a_new_session_takes_the_wished_agent_or_the_first_that_can_start() -> None:
    assert situation_of(None, None, scene.AGENTS, chosen="demo").agent == "demo"
    assert situation_of(None, None, scene.AGENTS, chosen="gemini").agent == "claude_code"
    none = tuple(replace(agent, installed=False) for agent in scene.AGENTS)
    nobody = situation_of(None, None, none)
    assert nobody.lack == "none"
    assert not buttons_of(nobody, text=True).ready
    assert situation_of(None, None, ()).lack == ""  # not listed yet
