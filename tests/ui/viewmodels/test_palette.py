"""What the palette lists: prefixes, ranks, what was used last, and what does not apply."""

from tests.ui import scene
from tests.ui.worlds import a_desk, a_world
from ui.viewmodels.commands import Command
from ui.viewmodels.palette import commands_of_children, lines_for, places_of, split

COMMANDS = (
    Command("stop", "Stop this turn", "Conversation", "Ctrl+.", "stop"),
    Command("ask", "Go to the oldest ask", "Needs you", "Alt+N", "inbox"),
    Command("restart", "Restart the stopped host", "Host", enabled=False, reason="only while it is stopped"),
    Command("board", "Board", "Go to", "Ctrl+2"),
)


def test_prefixes_limit_what_is_looked_for() -> None:
    assert split("@re") == ("session", "re")
    assert split("> stop ") == ("command", "stop")
    assert split("#") == ("ask", "")
    assert split("a@b") == ("", "a@b")


def test_what_does_not_apply_is_last_with_its_reason() -> None:
    lines = lines_for("stop", COMMANDS, [], [])
    assert [line.value for line in lines] == ["stop", "restart"]
    assert (lines[1].enabled, lines[1].reason) == (False, "only while it is stopped")
    assert lines[0].hits == (0, 1, 2, 3)


def test_an_empty_query_begins_with_what_was_used_last() -> None:
    lines = lines_for("", COMMANDS, [], ["board", "gone", "restart"])
    assert [line.value for line in lines] == ["board", "stop", "ask", "restart"]


def test_each_prefix_finds_its_kind_in_the_world() -> None:
    places = places_of(a_world())
    kinds = {query: {line.kind for line in lines_for(query, COMMANDS, places, [])} for query in ("@", ">", "#")}
    assert kinds == {"@": {"session"}, ">": {"command"}, "#": {"ask"}}
    assert lines_for("@retry", COMMANDS, places, [])[0].value == scene.RETRY
    child = lines_for("@property tests", COMMANDS, places, [])[0]
    assert child.value == f"child-{scene.PROPERTY}"


def test_live_children_can_be_stopped_each_and_all() -> None:
    world, orders = a_desk()
    made = commands_of_children(world, orders, scene.RETRY)
    assert [command.text for command in made if "Codex" in command.text] == [
        "Stop Codex, Write the retry policy with jitter and a budget"
    ]
    made[-1].run()
    assert [order.given["task_id"] for order in orders.all("cancel_task")] == [scene.POLICY, scene.SETTLEMENT]
    assert commands_of_children(world, orders, None) == []
