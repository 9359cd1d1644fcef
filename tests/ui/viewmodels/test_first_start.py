"""The first page says what was found, and offers the demo whatever that is."""

import pytest

from ui.orders import AgentInfo, AgentProbe
from ui.viewmodels.first_start import headline, offers
from ui.viewmodels.states import State

DEMO = AgentInfo("demo", "Demo", installed=True, enabled=True)
CODEX = AgentInfo("codex", "Codex", installed=True, enabled=True)
CLAUDE = AgentInfo("claude_code", "Claude Code", installed=True, enabled=True)
AWAY = AgentInfo("pi", "Pi", installed=False, enabled=True)


def test_the_demo_is_ready_at_once() -> None:
    offer = offers(DEMO, None)
    assert (offer.ready, offer.state, offer.button) == (True, State.COMPLETED, "Try the demo")


def test_a_look_under_way_changes_nothing_but_its_word() -> None:
    assert offers(CODEX, None).word == "Looking…"
    assert not offers(CODEX, None).ready


@pytest.mark.parametrize(
    ("state", "word", "ready"),
    [
        ("ready", "Signed in", True),
        ("signed_out", "Not signed in", False),
        ("broken", "Does not start", False),
        ("missing", "Does not start", False),
    ],
)
def test_each_answer_has_its_word(state: str, word: str, ready: bool) -> None:
    offer = offers(CODEX, AgentProbe("codex", state, "1.2", "type `codex login`"))  # pyright: ignore[reportArgumentType]
    assert (offer.word, offer.ready) == (word, ready)
    assert ready or offer.help == "type `codex login`"


def test_the_headline_says_the_finding() -> None:
    assert headline([DEMO, AWAY], {}) == "No agent found yet — the demo works without one"
    assert headline([DEMO, CODEX], {"codex": None}) == "Looking for agents…"
    out = AgentProbe("codex", "signed_out")
    assert headline([DEMO, CODEX], {"codex": out}).startswith("1 agent found")
    ready = {"codex": AgentProbe("codex", "ready"), "claude_code": AgentProbe("claude_code", "ready")}
    assert headline([DEMO, CODEX, CLAUDE], ready) == "2 agents are ready"
