"""Results of our tools as the models of real host programs were shown them, word for word (versions beside them)."""

import json
from typing import Any

import pytest

from codeg.sessions.answers import Answers, Choice, answers_of
from codeg.sessions.envelopes import ToolReport, failure_of, reports_of, task_id_of
from codeg.sessions.recognise import OwnToolCall, recognise

TASK = "demo-readme-tfbqt6sb13eq"
ACKNOWLEDGED: dict[str, Any] = {
    "task_id": TASK,
    "status": "running",
    "agent_type": "demo",
    "child_conversation_id": "51221654-febb-4850-bceb-735502a2a199",
    "attempt": 1,
    "created_at": "2026-12-01T05:20:48.648Z",
    "message": f"task_id={TASK}\nStarting the agent. Call get_delegation_status with this task_id.",
}
WORDS = (
    f"task_id={TASK} status=running.\nStarting the agent. Call get_delegation_status with this task_id.\n"
    '{"agent_type":"demo","child_conversation_id":"51221654","attempt":1}'
)
# Several scripts, quotes, and a line separator that JSON.stringify leaves as it is and our text copy escapes.
SAID = 'README.md begins:\n\n# Grüße\u2028 "x"\n\n(Demo agent: no language model, a few fixed commands.)'
DONE: dict[str, Any] = {"task_id": TASK, "status": "completed", "duration_ms": 40, "text": SAID, "text_offset": 0}


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def escaped(value: Any) -> str:
    """Our own text copy."""
    return compact(value).replace("\u2028", "\\u2028")


def codex(text: str) -> str:
    """0.171: the structured copy, else the text."""
    return f"Wall time: 0.0142 seconds\nOutput:\n{text}"


def gemini(text: str) -> str:
    """0.61: the text copy."""
    return f"<untrusted_context>\n{text}\n</untrusted_context>"


ACKNOWLEDGEMENTS = {
    "codex": codex(compact(ACKNOWLEDGED)),
    "claude": compact(ACKNOWLEDGED),
    "opencode": WORDS,
    "gemini": gemini(WORDS),
    # 0.24: both copies, the structured one first, where they differ.
    "qwen": f"{compact(ACKNOWLEDGED)}\n{WORDS}",
}
REPLIES = {
    "codex": codex(compact({"tasks": [DONE]})),
    "claude": compact({"tasks": [DONE]}),
    "opencode": escaped({"tasks": [DONE]}),
    "gemini": gemini(escaped({"tasks": [DONE]})),
    "qwen": f"{compact({'tasks': [DONE]})}\n{escaped({'tasks': [DONE]})}",
}


@pytest.mark.parametrize("program", ACKNOWLEDGEMENTS)
def test_an_acknowledgement_names_its_task(program: str) -> None:
    shown = ACKNOWLEDGEMENTS[program]
    assert task_id_of(shown) == TASK
    assert [(each.task_id, each.status) for each in reports_of(shown)] == [(TASK, "running")]
    assert task_id_of(None, ({"type": "text", "text": shown},)) == TASK


@pytest.mark.parametrize("program", REPLIES)
def test_a_reply_brings_the_childs_text_as_it_was(program: str) -> None:
    read = (ToolReport(TASK, "completed", text=SAID, duration_ms=40),)
    assert reports_of(REPLIES[program]) == read
    assert reports_of(None, ({"type": "content", "content": {"type": "text", "text": REPLIES[program]}},)) == read


UNKNOWN: dict[str, Any] = {"task_id": "nope-2", "status": "unknown", "message": "No task of yours has this id."}
ERROR: dict[str, Any] = {
    "content": [{"type": "text", "text": "task_id=nope-2 status=unknown. No such task in this session."}],
    "structuredContent": UNKNOWN,
    "isError": True,
}


def told_as_error(response: Any, arguments: Any) -> str:
    found = compact([{"functionResponse": {"name": "cancel_delegation", "response": response}}])
    told = "MCP tool 'cancel_delegation' reported tool error for function call: "
    return f"{told}{compact({'name': 'cancel_delegation', 'args': arguments})} with response: {found}"


@pytest.mark.parametrize(
    "shown",
    [
        codex(compact(UNKNOWN)),
        told_as_error(ERROR, {"task_id": "nope-2"}),
        told_as_error({"error": ERROR, "content": ERROR["content"]}, {"task_id": "nope-2"}),
        told_as_error(ERROR, {"task_id": 'x} with response: [{"functionResponse": 1}]'}),
    ],
)
def test_an_error_of_ours_is_read(shown: str) -> None:
    assert reports_of(shown) == (ToolReport("nope-2", "unknown", message="No task of yours has this id."),)


def test_an_error_told_in_words_is_the_failure_of_the_call() -> None:
    shown = told_as_error(ERROR, {})
    assert failure_of(shown) == "task_id=nope-2 status=unknown. No such task in this session."
    # Claude Code 2.1, OpenCode 1.18.
    assert reports_of(ERROR["content"][0]["text"]) == (ToolReport("nope-2", "unknown"),)


@pytest.mark.parametrize(
    "shown",
    [
        "MCP tool 'x' reported tool error for function call: {broken",
        "MCP tool 'x' reported tool error for function call: {} and that was it",
        "MCP tool 'x' reported tool error for function call: {} with response: [{\"functionResponse\":{}}]",
        "MCP tool 'x' reported tool error for function call: {} with response: 7",
        "params/agent_type must be equal to one of the allowed values",
    ],
)
def test_an_error_that_is_not_ours_is_no_report(shown: str) -> None:
    assert reports_of(shown) == ()


@pytest.mark.parametrize(
    "shown",
    [
        f"{compact(DONE)}\nand what the child said beside it",
        f"{compact(DONE)}\n{compact({**DONE, 'task_id': 'another-task'})}",
        f"{compact(DONE)}\ntask_id={TASK}-longer",
        f"<untrusted_context>\n{compact(DONE)}\n</untrusted_context> and more",
    ],
)
def test_a_first_line_alone_is_no_copy_of_the_rest(shown: str) -> None:
    assert reports_of(shown) == ()


QUESTION = {"question": "Color?", "header": "Color", "options": [{"label": "Blue"}, {"label": "Red"}]}
ANSWER = {
    "state": "answered",
    "answers": [{"question": "Color?", "selected": ["Blue"], "header": "Color"}],
    "question_id": "question-c0b92b29bf0944f9",
}
ANSWERED = "The user answered (question_id=question-c0b92b29bf0944f9):\n1. [Color] Color?\n   -> Blue"


@pytest.mark.parametrize(
    "shown",
    [codex(compact(ANSWER)), compact(ANSWER), ANSWERED, gemini(ANSWERED), f"{compact(ANSWER)}\n{ANSWERED}"],
    ids=["codex", "claude", "opencode", "gemini", "qwen"],
)
def test_an_answer_of_the_person_is_read(shown: str) -> None:
    assert answers_of([QUESTION], shown) == Answers("answered", (Choice(("Blue",)),), "question-c0b92b29bf0944f9")


ARGUMENTS = {"agent_type": "demo", "task": "readme"}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("mcp__codeg__delegate_to_agent", ARGUMENTS),
        ("codeg_delegate_to_agent", ARGUMENTS),
        ("mcp_codeg_delegate_to_agent", ARGUMENTS),
        ("codeg.delegate_to_agent", json.dumps(ARGUMENTS)),
        # Qwen Code calls what its model has searched for by a tool of its own.
        ("tool_call", {"name": "mcp__codeg__delegate_to_agent", "arguments": ARGUMENTS}),
    ],
    ids=["codex and claude", "opencode", "gemini", "doubly encoded", "qwen"],
)
def test_a_call_is_ours_under_each_programs_name_for_it(name: str, given: Any) -> None:
    assert recognise(name, given) == OwnToolCall("delegate_to_agent", ARGUMENTS)


def test_a_search_for_our_tools_is_no_call_of_them() -> None:
    for given in ({"query": "delegate_to_agent"}, {"query": "select:mcp__codeg__delegate_to_agent"}):
        assert recognise("tool_search", given) is None
        assert recognise("ToolSearch", given) is None
