"""Steering a running child, stopping one, going on with it: by mouse on its card."""

from codeg.api import NoteRecord
from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.states import State
from ui.widgets.cards.lines import SteerField

OUTER, INNER = "@demo write waits.txt x", "write waits.txt x"


def notes(person: Person, title: str) -> tuple[NoteRecord, ...]:
    view = person.the_card(title).view_now()
    return person.window.world.notes(view.record.child_id) if view is not None else ()


def said(person: Person, title: str) -> str:
    field = person.the_card(title).field
    return " ".join(text for _, text in field.said()) if isinstance(field, SteerField) else ""


def test_a_note_is_pending_then_delivered(person: Person) -> None:
    person.start()
    person.begin(f"@demo {OUTER}")
    person.until(lambda: bool(person.window.world.asks()), "the grandchild's ask holds everything")
    person.press(OUTER, "steer")
    person.until(lambda: person.the_card(OUTER).field is not None, "the field")
    field = person.the_card(OUTER).field
    assert field is not None
    person.until(field.field.hasFocus, "the caret in it")
    hand.write("use short words")
    hand.key("Return")
    person.until(lambda: "use short words · pending" in said(person, OUTER), "pending")
    assert field.field.text() == ""
    hand.key("Escape")
    person.until(lambda: person.the_card(OUTER).field is None, "the field closed")

    person.unfold(OUTER)
    person.until(lambda: person.state(INNER) is State.WAITING, "the inner card")
    person.click(lambda: person.the_card(INNER).head)
    hand.key("1")
    person.sees(OUTER, State.COMPLETED)
    person.until(lambda: [note.delivered_ms is not None for note in notes(person, OUTER)] == [True], "delivered")
    person.until(lambda: "You noted: use short words" in person.last_words(), "the child heard it")
    person.quit()


def test_a_stopped_child_is_canceled_and_can_be_resumed(person: Person) -> None:
    person.start()
    person.begin("@demo pause 50 @demo survey")
    person.sees("pause 50", State.RUNNING)
    person.sees("survey", State.COMPLETED)
    assert not person.offers("pause 50", "resume")
    person.press("pause 50", "stop")
    person.sees("pause 50", State.CANCELED)
    person.until(lambda: person.offers("pause 50", "resume"), "Resume in the place of Stop")
    assert not person.offers("pause 50", "stop")
    assert person.lanes()["pause 50"] is State.CANCELED
    person.until(lambda: "canceled" in person.last_words(), "the parent was told, and went on")
    person.press("pause 50", "resume")
    person.sees("pause 50", State.RUNNING)
    assert not person.offers("pause 50", "resume")
    person.press("pause 50", "stop")
    person.sees("pause 50", State.CANCELED)
    person.quit()


def test_a_child_with_children_asks_before_it_is_stopped(person: Person) -> None:
    person.start()
    outer = "@demo pause 50"
    person.begin(f"@demo {outer}")
    person.sees(outer, State.RUNNING)
    person.until(lambda: person.lanes().get("pause 50") is State.RUNNING, "the grandchild")
    person.press(outer, "stop")
    person.until(lambda: person.the_card(outer).confirm is not None, "one line that asks")
    assert person.state(outer) is State.RUNNING
    hand.key("Escape")
    person.until(lambda: person.the_card(outer).confirm is None, "kept running")
    person.press(outer, "stop")
    person.until(lambda: person.the_card(outer).confirm is not None, "asked again")
    hand.key("Return")
    person.sees(outer, State.CANCELED)
    person.until(lambda: person.lanes() == {outer: State.CANCELED, "pause 50": State.CANCELED}, "both ended")
    person.quit()
