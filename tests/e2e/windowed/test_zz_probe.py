from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from ui.viewmodels.states import State
def test_probe(person: Person) -> None:
    person.start()
    person.begin("@demo pause 50")
    person.sees("pause 50", State.RUNNING)
    person.click(lambda: person.the_card("pause 50").head)
    hand.key("x")
    person.sees("pause 50", State.CANCELED)
    view = person.the_card("pause 50").view_now()
    print("stopping", view.stopping, person.the_card("pause 50").face.busy)
    hand.key("r")
    person._qtbot.wait(1500)
    print("after", person.state("pause 50"), person.talk.message.isVisible(), person.window.world.task(view.record.task_id).stopping)
    person.window.grab().save("/tmp/w/shots/probe.png")
    hand.key("r")
    person._qtbot.wait(800)
    print("after2", person.state("pause 50"))
