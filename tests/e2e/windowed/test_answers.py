"""Asks of children, answered on their cards by keys and by mouse: they clear in every place at once."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.asks import Ask
from ui.viewmodels.states import State
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.asks.questions import QuestionsForm
from ui.widgets.feed import Feed


def asks(person: Person) -> tuple[Ask, ...]:
    return person.window.world.asks()


def counted(person: Person) -> list[str]:
    """What the sidebar, the status bar and the inbox say of asks."""
    window = person.window
    return [
        window.sidebar.places["inbox"].accessibleName(),
        *(group.accessibleName() for group in window.status.groups),
    ]


def nobody_waits(person: Person) -> bool:
    said = " ".join(counted(person)).lower()
    return not asks(person) and "need" not in said.replace("needs you", "") and not person.talk.strip.isVisible()


def permission(person: Person, title: str) -> PermissionForm | None:
    card = person.card(title)
    form = card.ask.form if card is not None and card.ask is not None else None
    return form if isinstance(form, PermissionForm) else None


def question(person: Person, title: str) -> QuestionsForm | None:
    card = person.card(title)
    form = card.ask.form if card is not None and card.ask is not None else None
    return form if isinstance(form, QuestionsForm) else None


def test_a_permission_by_key_and_one_by_mouse(person: Person) -> None:
    person.start()
    person.begin("@demo write one.txt first @demo write two.txt second")
    person.sees("write one.txt first", State.WAITING)
    person.sees("write two.txt second", State.WAITING)
    person.until(lambda: permission(person, "write one.txt first") is not None, "the ask on its card")
    person.until(lambda: "2" in counted(person)[0], "two in the sidebar")
    assert person.tree_states()["write one.txt first"] is State.WAITING
    assert person.lanes()["write two.txt second"] is State.WAITING

    hand.key("1")  # in the composer: a letter like any other
    person.until(lambda: person.typed() == "1", "a digit in the composer")
    assert len(asks(person)) == 2
    hand.key("BackSpace")
    person.click(lambda: person.the_card("write one.txt first").head)  # takes the keyboard, and unfolds
    hand.key("1")
    person.until(lambda: len(asks(person)) == 1, "answered by its key")
    person.sees("write one.txt first", State.COMPLETED)
    assert (person.folder / "one.txt").read_text() == "first\n"
    assert not (person.folder / "two.txt").exists()

    def reject() -> QWidget:
        form = permission(person, "write two.txt second")
        assert form is not None
        return form.options[2]

    person.click(reject)
    person.until(lambda: nobody_waits(person), "cleared everywhere")
    person.sees("write two.txt second", State.COMPLETED)
    assert not (person.folder / "two.txt").exists()
    person.quit()


def test_a_question_by_digits(person: Person) -> None:
    person.start()
    person.begin("@demo ask Which way?")
    person.until(lambda: question(person, "ask Which way?") is not None, "the question on its card")
    person.click(lambda: the_question(person), QPoint(200, 60))  # beside the options: the ask has the keyboard
    hand.key("2")
    person.until(lambda: the_question(person).cards[1].isChecked() is True, "picked")
    assert len(asks(person)) == 1, "a digit picks; Enter sends"
    hand.key("Return")
    person.until(lambda: nobody_waits(person), "cleared everywhere")
    person.sees("ask Which way?", State.COMPLETED)
    person.until(lambda: "You answered: Todos" in person.last_words(), "the answer in the report")
    person.quit()


def test_a_question_by_keys_on_its_card(person: Person) -> None:
    person.start()
    person.begin("@demo ask Which way?")
    person.until(lambda: question(person, "ask Which way?") is not None, "the question on its card")
    person.click(lambda: person.the_card("ask Which way?").head)
    hand.key("2")
    person.until(lambda: the_question(person).cards[1].isChecked() is True, "picked")
    hand.key("Return")
    person.until(lambda: nobody_waits(person), "cleared everywhere", 2_000)


def the_question(person: Person) -> QuestionsForm:
    form = question(person, "ask Which way?")
    assert form is not None
    return form


def test_an_ask_of_a_grandchild_is_led_to_by_its_ancestors_card_by_the_strip_and_by_the_inbox(person: Person) -> None:
    window = person.start()
    person.begin("@demo survey @demo todos @demo readme @demo survey @demo todos @demo readme")
    person.until(lambda: "(Demo agent" in person.last_words(), "a long answer")
    person.say("@demo @demo write deep.txt down")
    card, inner = "@demo write deep.txt down", "write deep.txt down"
    person.until(lambda: len(asks(person)) == 1, "the grandchild's ask")
    person.until(lambda: person.offers(card, "show"), "Show on the card above it")
    assert not person.talk.strip.isVisible()
    hand.wheel(person.talk.feed.viewport(), 60)
    person.until(person.talk.strip.isVisible, "the strip: its card is out of sight")
    person.picture("strip")
    person.click(lambda: person.talk.strip.show_button)
    person.until(lambda: permission(person, inner) is not None, "unfolded down to the ask")
    person.until(lambda: not person.talk.strip.isVisible(), "no strip")
    person.until(lambda: not person.the_card(inner).visibleRegion().isEmpty(), "the ask in sight")

    hand.key("ctrl+3")
    person.until(lambda: window.page_name() == "inbox", "the inbox")
    assert window.inbox.asks.rowCount() == 1
    hand.key("1")
    person.until(lambda: not asks(person), "answered in the inbox")
    person.until((person.folder / "deep.txt").exists, "the file")
    hand.key("ctrl+1")
    person.until(person.composer_has_focus, "back, with the keyboard")
    person.sees(card, State.COMPLETED)
    assert nobody_waits(person)
    person.quit()


def test_the_own_ask_of_the_agent_stands_above_the_composer(person: Person) -> None:
    person.start()
    person.begin("write mine.txt by myself")
    person.until(lambda: bool(asks(person)), "the ask")
    room = person.talk._ask_room
    person.until(room.isVisible, "above the composer")
    assert not person.talk.strip.isVisible()
    person.click_word(room, "Allow once")
    person.until(lambda: nobody_waits(person) and not room.isVisible(), "cleared everywhere")
    person.until(lambda: "Wrote mine.txt" in person.last_words(), "written")
    assert isinstance(person.talk.feed, Feed)
    person.quit()
