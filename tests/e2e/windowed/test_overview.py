"""Panel of sub-agents, sidebar and panes: they all show the same, and lead to the same place."""

from PySide6.QtCore import QRect

from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.states import State


def test_panel_and_sidebar_show_the_states_of_the_cards(person: Person) -> None:
    person.start()
    person.begin("@demo pause 50 @demo survey @demo ask Now?")
    wanted = {"pause 50": State.RUNNING, "survey": State.COMPLETED, "ask Now?": State.WAITING}
    for title, state in wanted.items():
        person.sees(title, state)
    person.until(lambda: person.lanes() == wanted, "the panel")
    assert person.talk.overlay.isVisible()
    rows = person.tree_states()
    assert {title: rows[title] for title in wanted} == wanted

    def seen(title: str) -> bool:
        card, port = person.card(title), person.talk.feed.viewport()
        if card is None:
            return False
        place = QRect(card.mapTo(port, card.rect().topLeft()), card.head.size())
        return port.rect().contains(place)

    hand.wheel(person.talk.feed.viewport(), 30)
    person.until(lambda: not person.talk.feed.at_end(), "scrolled up")
    person.until(person.talk.newest.isVisible, "the way back down")
    person.click_lane("ask Now?")
    person.until(lambda: seen("ask Now?"), "the card of the row that was clicked")
    person.press("pause 50", "stop")
    person.until(lambda: person.lanes()["pause 50"] is State.CANCELED, "stopped in the panel")
    person.until(lambda: person.tree_states()["pause 50"] is State.CANCELED, "and in the sidebar")
    hand.wheel(person.talk.feed.viewport(), 30)
    person.click(lambda: person.talk.newest)
    person.until(person.talk.feed.at_end, "at the end again")
    person.until(lambda: not person.talk.newest.isVisible(), "no way down is offered at the end")
    hand.key("ctrl+period")
    person.until(lambda: person.tree_states()["ask Now?"] is State.CANCELED, "the turn with its tasks stopped")
    person.quit()


def test_split_a_child_beside_close_and_reopen(person: Person) -> None:
    window = person.start()
    person.begin("@demo survey")
    parent = person.talk.session_id
    person.sees("survey", State.COMPLETED)
    person.press("survey", "beside")
    person.until(lambda: len(window.sessions.area.layout_now.groups()) == 2, "a second pane")
    child = person.talk.session_id
    assert child != parent
    assert person.window.world.path_of(child) == (parent,)
    person.until(person.composer_has_focus, "the keyboard goes along")
    hand.key("ctrl+w")
    person.until(lambda: len(window.sessions.area.layout_now.groups()) == 1, "closed with its pane")
    person.until(person.composer_has_focus, "the keyboard goes back")
    assert person.talk.session_id == parent
    hand.key("ctrl+shift+t")
    person.until(lambda: person.talk.session_id == child, "reopened")
    hand.key("ctrl+Tab")
    person.until(lambda: person.talk.session_id == parent, "the next tab")
    person.until(person.composer_has_focus, "with the keyboard")
    hand.key("ctrl+backslash")
    person.until(lambda: len(window.sessions.area.layout_now.groups()) == 2, "split right")
    person.until(lambda: len(set(places(person))) == 2, "side by side")
    person.until(person.composer_has_focus, "the keyboard is in the new one")
    assert person.talk.mapToGlobal(person.talk.rect().topLeft()).x() == places(person)[-1]
    person.picture("split")
    person.quit()


def places(person: Person) -> list[int]:
    """Left edges of the conversations that show."""
    pages = [page for page in person.window.sessions.conversations() if page.isVisible()]
    return sorted(page.mapToGlobal(page.rect().topLeft()).x() for page in pages)
