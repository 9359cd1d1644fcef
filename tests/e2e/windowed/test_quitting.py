"""Every way to the end: at once, with tasks running, without a window; and what is there at the next start."""

from time import monotonic

from codeg.api import OperatorClient
from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.states import State


def test_quit_at_once(person: Person) -> None:
    person.start()
    began = monotonic()
    person.quit()
    assert monotonic() - began < 8


def test_one_question_while_tasks_run_then_stop_and_resume_at_the_next_start(person: Person) -> None:
    person.start()
    person.begin("@demo pause 50 @demo @demo pause 51")
    person.sees("pause 50", State.RUNNING)
    person.until(lambda: person.lanes().get("pause 51") is State.RUNNING, "the grandchild")
    hand.key("ctrl+q")
    person.until(lambda: person.scrim() is not None, "one question")
    person.picture("quit")
    hand.key("Escape")
    person.until(lambda: person.scrim() is None, "stayed")
    assert person.codes == []
    person.sees("pause 50", State.RUNNING)
    person.until(person.composer_has_focus, "the keyboard where it was")
    hand.key("ctrl+q")
    person.choose("Stop them and quit")
    person.ends()

    person.start()
    person.until(lambda: person.state("pause 50") in {State.INTERRUPTED, State.CANCELED}, "what became of it")
    person.until(lambda: person.offers("pause 50", "resume"), "Resume")
    person.press("pause 50", "resume")
    person.sees("pause 50", State.RUNNING)
    hand.key("ctrl+q")
    person.choose("Stop them and quit")
    person.ends()


def test_keep_running_without_a_window_until_it_is_raised_again(person: Person) -> None:
    window = person.start()
    person.begin("@demo pause 50 @demo pause 3")
    person.sees("pause 50", State.RUNNING)
    hand.key("ctrl+q")
    person.choose("Keep running")
    person.until(lambda: not window.isVisible(), "no window")
    assert person.codes == []
    tasks = OperatorClient(str(person.home))
    person.until(lambda: person.window.world.running_count() == 1, "one has ended meanwhile")
    assert tasks.request("raise")["raised"]
    person.until(window.isVisible, "raised")
    person.sees("pause 3", State.COMPLETED)
    person.sees("pause 50", State.RUNNING)
    hand.click(person.talk.composer.editor)
    person.until(person.composer_has_focus, "the keyboard")
    hand.key("ctrl+q")
    person.choose("Stop them and quit")
    person.ends()
