"""The main job in the window: from the first start page to nested cards with results, and all of it again after a restart."""

from tests.e2e.windowed import hand
from tests.e2e.windowed.person import HEAD, Person
from ui.viewmodels.states import State
from ui.widgets.welcome import WelcomePage
from ui.workspace.new_session import NewSession


def test_first_start_offers_the_demo_and_two_children_run_nested(person: Person) -> None:
    window = person.start()
    page = window.stack.currentWidget()
    assert isinstance(page, WelcomePage)
    person.until(lambda: person.button(page, "Try the demo").isVisible(), "the demo's button")
    person.click_word(page, "Try the demo")
    person.until(lambda: isinstance(window.sessions.page(), NewSession), "the form")
    person.until(lambda: person.typed() == "", "the caret in the form")
    person.write("@demo survey @demo @demo todos")
    hand.key("Return")
    person.until(lambda: window.sessions.conversation() is not None, "the conversation")
    person.until(person.composer_has_focus, "the caret in the composer of the new conversation")
    person.sees("survey", State.COMPLETED)
    person.sees("@demo todos", State.COMPLETED)
    person.until(lambda: "(Demo agent" in person.last_words(), "the answer")

    inside = person.unfold("@demo todos").inside
    assert inside is not None
    assert inside.result.isVisible()
    person.until(lambda: "TODO" in inside.result.toPlainText(), "the whole result")
    person.click(lambda: inside.more)
    person.until(lambda: person.state("todos") is State.COMPLETED, "the grandchild's card inside")
    assert person.the_card("todos").stand.depth == 1
    deep = person.unfold("todos").inside
    assert deep is not None and deep.result.isVisible()
    person.picture("nested")
    person.click(lambda: person.the_card("@demo todos").head, HEAD)
    person.until(lambda: not person.the_card("@demo todos").is_open(), "folded")
    person.quit()


def test_everything_is_there_after_a_restart(person: Person) -> None:
    window = person.start()
    person.begin("@demo survey @demo todos")
    session = person.talk.session_id
    person.sees("survey", State.COMPLETED)
    person.sees("todos", State.COMPLETED)
    person.unfold("todos")
    hand.key("ctrl+backslash")
    person.until(lambda: len(window.sessions.area.layout_now.groups()) == 2, "two panes")
    person.until(person.composer_has_focus, "the caret in the new pane")
    person.write("a draft that is kept")
    size = window.size()
    person.quit()

    window = person.start()
    layout = window.sessions.area.layout_now
    assert [group.tabs for group in layout.groups()] == [(session,), (session,)]
    assert window.page_name() == "conversation"
    assert window.size() == size
    person.sees("survey", State.COMPLETED)
    card = person.sees("todos", State.COMPLETED)
    assert card.is_open()
    assert card.inside is not None and card.inside.result.isVisible()
    assert person.talk.composer.text().strip() == "a draft that is kept"
    assert person.tree_states()["survey"] is State.COMPLETED
    person.quit()
