"""The main job without a mouse: start, watch, answer, stop, resume, and the palette."""

from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.states import State
from ui.workspace.new_session import NewSession


def current(person: Person) -> str:
    """The task of the card that the keyboard is on."""
    feed = person.talk.feed
    on = [card for card in person.cards() if card.row is not None and card.row.key == feed.current]
    return on[0].face.title if on and on[0].face is not None and feed.hasFocus() else ""


def walk_to(person: Person, title: str) -> None:
    for _ in range(30):
        if current(person) == title:
            return
        before = person.talk.feed.current
        hand.key("k")
        person.until(lambda before=before: person.talk.feed.current != before, f"up, towards {title}")
    raise AssertionError(f"never came to {title}")


def test_the_main_job_without_a_mouse(person: Person) -> None:
    window = person.start()
    page = window.stack.currentWidget()
    assert page is not None
    demo = person.button(page, "Try the demo")
    for _ in range(12):
        if demo.hasFocus():
            break
        before = person.focus()
        hand.key("Tab")
        person.until(lambda before=before: person.focus() is not before, "the next control")
    assert demo.hasFocus(), "Tab comes to the demo"
    hand.key("space")
    person.until(lambda: isinstance(window.sessions.page(), NewSession) and person.typed() == "", "the form")
    person.write("@demo pause 50 @demo write k.txt by keys")
    hand.key("Return")
    person.until(lambda: window.sessions.conversation() is not None, "the conversation")
    person.sees("pause 50", State.RUNNING)
    person.sees("write k.txt by keys", State.WAITING)

    person.until(person.composer_has_focus, "in the composer")
    hand.key("shift+F6")
    person.until(person.talk.feed.hasFocus, "in the transcript")
    walk_to(person, "write k.txt by keys")
    hand.key("1")
    person.sees("write k.txt by keys", State.COMPLETED)
    assert (person.folder / "k.txt").exists()
    person.until(person.talk.feed.hasFocus, "still in the transcript")
    walk_to(person, "pause 50")
    hand.key("Right")
    person.until(lambda: person.the_card("pause 50").is_open(), "unfolded")
    hand.key("Left")
    person.until(lambda: not person.the_card("pause 50").is_open(), "folded")
    hand.key("x")
    person.sees("pause 50", State.CANCELED)
    person.until(lambda: person.the_button("pause 50", "resume").isEnabled(), "Resume, once it has ended")
    hand.key("r")
    person.sees("pause 50", State.RUNNING)
    hand.key("s")
    person.until(lambda: person.the_card("pause 50").field is not None, "a note")
    hand.key("Escape")
    person.until(person.talk.feed.hasFocus, "back in the transcript")
    hand.key("x")
    person.sees("pause 50", State.CANCELED)

    hand.key("F6")
    person.until(person.composer_has_focus, "back in the composer")
    hand.key("ctrl+k")
    person.until(lambda: person.focus() is not None and not person.composer_has_focus(), "the palette")
    hand.write("board")
    hand.key("Return")
    person.until(lambda: window.page_name() == "board", "the board, by the palette")
    hand.key("ctrl+1")
    person.until(person.composer_has_focus, "the conversation, with its caret")
    person.quit()
