"""What the person unfolded, scrolled and typed is found again."""

import pytest
from pytestqt.qtbot import QtBot

from ui.viewmodels.view_state import KEYS_MOST, SESSIONS_MOST, ViewState


def test_what_is_unfolded_is_remembered_by_session_and_row(qtbot: QtBot) -> None:
    view = ViewState()
    with qtbot.waitSignal(view.changed, timeout=5000):
        view.set_open("s", "k")
    assert view.is_open("s", "k")
    assert not view.is_open("other", "k")
    view.set_open("s", "k", is_open=False)
    assert not view.is_open("s", "k", default=True)


def test_what_nobody_touched_has_its_default() -> None:
    assert not ViewState().is_open("s", "k")
    assert ViewState().is_open("s", "k", default=True)


def test_the_same_again_is_not_told(qtbot: QtBot) -> None:
    view = ViewState()
    view.set_open("s", "k")
    view.set_draft("s", "text")
    view.set_anchor("s", ("k", 12))
    with qtbot.assertNotEmitted(view.changed):
        view.set_open("s", "k")
        view.set_draft("s", "text")
        view.set_anchor("s", ("k", 12))
        view.set_anchor("unknown", None)


def test_it_survives_a_restart() -> None:
    view = ViewState()
    view.set_open("s", "k")
    view.set_open(*ViewState.card_place("task-1"))
    view.set_anchor("s", ("row", -40))
    view.set_draft("s", "half a sentence")
    view.remember_folder("/srv/app")
    view.set_value("sidebar", {"folded": ["a"]})
    again = ViewState()
    again.load(view.dump())
    assert again.is_open("s", "k")
    assert again.is_open(*ViewState.card_place("task-1"))
    assert again.anchor("s") == ("row", -40)
    assert again.draft("s") == "half a sentence"
    assert again.last_folder() == "/srv/app"
    assert again.value("sidebar") == {"folded": ["a"]}
    assert again.dump() == view.dump()


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", '{"sessions": 3}', '{"sessions": {"s": {"anchor": ["k"], "folds": {"k": 1}}}}']
)
def test_what_cannot_be_read_is_left_out(text: str) -> None:
    view = ViewState()
    view.load(text)
    assert view.anchor("s") is None
    assert not view.is_open("s", "k")


def test_it_forgets_the_oldest() -> None:
    view = ViewState()
    view.set_open(*ViewState.card_place("task-1"))
    for number in range(SESSIONS_MOST + 20):
        view.set_open(f"s{number}", "k")
    assert not view.is_open("s0", "k")
    assert view.is_open(f"s{SESSIONS_MOST + 19}", "k")
    assert view.is_open(*ViewState.card_place("task-1"))
    for number in range(KEYS_MOST + 5):
        view.set_open("s", f"k{number}")
    assert not view.is_open("s", "k0")
    assert view.is_open("s", "k5")


def test_a_session_that_is_gone_is_forgotten() -> None:
    view = ViewState()
    view.set_draft("s", "x")
    view.forget("s")
    assert view.draft("s") == ""
