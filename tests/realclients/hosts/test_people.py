"""The model asks the person behind the program, and hears a word that they left."""

import json

from codeg.sessions.answers import Choice, answers_of
from tests.realclients.hosts.work import end_of, one, outside
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, in_turns, marked, say
from tests.realclients.programs import HostProgram
from tests.support import until

QUESTION = "Welche Farbe? 🎨"
OPTIONS = [{"label": "Blue", "description": "like the sea"}, {"label": "Red", "description": "like fire"}]


def test_a_question_is_answered_and_a_note_is_read(registered: HostProgram, machine: Machine, cell: Cell) -> None:
    program, model, rig = registered, machine.model, machine.rig
    cell("hosts", program.label, program.version, "ask")
    asked = {"question": QUESTION, "header": "Color", "multiSelect": False, "options": OPTIONS}
    pull = Turn(calls=(program.call("check_user_feedback"),), gate="pull")
    model.script("ask", in_turns(one(program, "ask_user_question", questions=[asked]), pull, say("END {result}")))
    running = program.start(machine, f"go {marked('ask')}")
    open_asks = until(lambda: rig.codeg_json("asks"), "the question waits for the person", 60)
    assert open_asks[0]["questions"][0]["question"] == QUESTION
    answers = json.dumps([{"question": QUESTION, "selected": ["Blue"]}])
    assert rig.codeg("answer", open_asks[0]["request_id"], "--answers", answers).returncode == 0
    model.reached("pull")
    assert answers_of([asked], model.results("ask")[0]).choices == (Choice(("Blue",)),)
    assert rig.codeg("note", outside(machine, program)["id"], "Bitte kürzer – 手短に").returncode == 0
    model.release("pull")
    end_of(running)
    assert "Bitte kürzer – 手短に" in model.results("ask")[1]
    assert rig.codeg_json("asks") == []
