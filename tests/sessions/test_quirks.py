"""What single programs do otherwise: shapes as they were recorded from them (versions in the names of the tests' data)."""

from typing import Any

import pytest

from codeg.sessions import acp
from codeg.sessions.quirks import auth_status, codex, gemini, pi, qwen
from codeg.sessions.session_state import SessionState
from codeg.sessions.thread import Thread

CODEX_0_16 = "Model metadata for `x-1` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."
GEMINI_0_61: dict[str, Any] = {
    "stopReason": "end_turn",
    "_meta": {"quota": {"token_count": {"input_tokens": 20, "output_tokens": 10}, "model_usage": []}},
}
QWEN_0_24 = {"usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "thoughtTokens": 0}, "durationMs": 435}
PI_0_0_34: dict[str, Any] = {
    "sessionId": "s",
    "configOptions": [],
    "_meta": {"piAcp": {"startupInfo": "pi v1.6.0\n---\n"}},
}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}, **more}


def folded(*updates: dict[str, Any], greeting: str = "") -> Thread:
    thread = Thread()
    thread.greeting = greeting
    thread.begin_turn(None, 5)
    for update in updates:
        thread.apply(update, 7)
    return thread


def kinds(thread: Thread) -> list[tuple[str, str]]:
    return [(change.entry.kind, change.entry.text) for change in thread.take_changes()]


def test_a_warning_of_codex_is_a_notice_and_no_part_of_the_result() -> None:
    thread = folded(said(CODEX_0_16), said("Hello"), said(" there."))
    assert thread.turn.final_text() == "Hello there."
    assert kinds(thread) == [("notice", CODEX_0_16), ("message", "Hello there.")]


@pytest.mark.parametrize(
    "piece",
    [
        "",
        "Model metadata",
        f"I saw this: {CODEX_0_16}",
        CODEX_0_16 + " It means that the name is unknown here",
        CODEX_0_16 + "x" * 1_000 + ".",
    ],
)
def test_what_only_speaks_of_a_warning_is_an_answer(piece: str) -> None:
    assert not codex.warning(piece)
    assert folded(said(piece)).turn.final_text() == piece


def test_the_greeting_of_pi_is_a_notice_on_both_sides_of_the_first_prompt() -> None:
    greeting = pi.greeting(PI_0_0_34)
    assert greeting == "pi v1.6.0\n---\n"
    late = folded(said(greeting), said("Hello."), greeting=greeting)
    assert late.turn.final_text() == "Hello."
    early = Thread()
    early.apply(said(greeting), 1)
    early.begin_turn("hi", 2)
    early.apply(said("Hello."), 3)
    assert early.turn.final_text() == "Hello."
    assert kinds(early) == [("notice", greeting), ("user", "hi"), ("message", "Hello.")]


@pytest.mark.parametrize("opened", [{}, {"_meta": None}, {"_meta": {"piAcp": {"startupInfo": 3}}}])
def test_without_a_greeting_nothing_is_taken_for_one(opened: dict[str, Any]) -> None:
    assert pi.greeting(opened) == ""
    assert kinds(folded(said(""), said("x"))) == [("message", "x")]


def test_tokens_of_gemini_stand_in_the_meta_of_its_answer() -> None:
    answer = acp.read_prompt_answer(GEMINI_0_61)
    assert (answer.stop_reason, answer.input_tokens, answer.output_tokens) == ("end_turn", 20, 10)
    usage = {"usage": {"inputTokens": 3, "outputTokens": 4}}
    told = acp.read_prompt_answer({**GEMINI_0_61, **usage})
    assert (told.input_tokens, told.output_tokens) == (3, 4), "what the protocol has comes first"
    assert gemini.tokens({"_meta": {"quota": []}}) == (None, None)


def test_tokens_of_qwen_are_summed_over_the_answers_of_its_model() -> None:
    thread = folded(said("a"), said("", _meta=QWEN_0_24), said("b"), said("", _meta=QWEN_0_24))
    assert (thread.turn.input_tokens, thread.turn.output_tokens) == (20, 10)
    assert thread.turn.final_text() == "ab"
    assert qwen.tokens({"usage": {"inputTokens": "many"}}) is None
    thread.begin_turn(None, 9)
    assert thread.turn.input_tokens is None


@pytest.mark.parametrize(
    ("params", "known"),
    [
        ({"authStatus": {"kind": "none", "label": "Not logged in"}}, False),
        ({"authStatus": {"kind": "api_key", "label": "Anthropic API key", "detail": "ANTHROPIC_API_KEY"}}, True),
        ({"authStatus": {}}, None),
        ({}, None),
    ],
)
def test_who_is_signed_in_is_read_from_the_status_that_is_pushed(params: dict[str, Any], known: bool | None) -> None:
    assert auth_status.signed_in(params) is known


MODES: dict[str, Any] = {
    "currentModeId": "auto",
    "availableModes": [{"id": "auto", "name": "Auto"}, {"id": "default", "name": "Ask"}],
}
OPTION = {
    "id": "mode",
    "category": "mode",
    "type": "select",
    "currentValue": "auto",
    "options": [{"value": "auto", "name": "Auto"}, {"value": "default", "name": "Ask"}],
}


def shown(state: SessionState, option_id: str) -> str:
    return next(option.value for option in state.offered_options() if option.option_id == option_id)


def test_a_mode_that_is_told_in_both_shapes_is_the_same_in_both() -> None:
    """Qwen answers set_mode with nothing and its option stays as it was."""
    state = SessionState()
    state.read_opened({"modes": MODES, "configOptions": [OPTION]})
    state.mode_was_set("default")
    assert (state.mode, shown(state, "mode")) == ("default", "default")
    state.apply({"sessionUpdate": "current_mode_update", "currentModeId": "auto"})
    assert (state.mode, shown(state, "mode")) == ("auto", "auto")
    state.apply({"sessionUpdate": "config_option_update", "configOptions": [{**OPTION, "currentValue": "default"}]})
    assert (state.mode, shown(state, "mode")) == ("default", "default")
    state.apply({"sessionUpdate": "config_option_update", "configOptions": [{**OPTION, "currentValue": "unheard"}]})
    assert state.mode == "default"


def test_models_that_are_only_listed_are_an_option_too() -> None:
    """Gemini 0.61 has no config options; its models are set by the older method."""
    state = SessionState()
    models = {
        "currentModelId": "b",
        "availableModels": [{"modelId": "a", "name": "A"}, {"modelId": "b"}, {"name": "?"}],
    }
    state.read_opened({"modes": MODES, "models": {**models, "availableModels": models["availableModels"][:2]}})
    [option] = state.offered_options()
    assert (option.option_id, option.category, option.value) == ("model", "model", "b")
    assert option.choices == (("a", "A"), ("b", "b"))
    state.model_was_set("a")
    assert shown(state, "model") == "a"
    state.read_options({"configOptions": [OPTION]})
    assert [each.option_id for each in state.offered_options()] == ["mode", "model"]
    assert state.models_listed


def test_models_that_are_an_option_already_are_left_to_it() -> None:
    """Qwen and Pi have both."""
    model: dict[str, Any] = {
        "id": "model",
        "category": "model",
        "type": "select",
        "currentValue": "x",
        "options": [{"value": "x"}],
    }
    state = SessionState()
    state.read_opened({"configOptions": [model], "models": {"availableModels": [{"modelId": "y"}]}})
    assert not state.models_listed
    assert [option.value for option in state.offered_options()] == ["x"]
    state.read_opened({"models": {"availableModels": "odd"}})
    assert not state.models_listed


GEMINI_MCP_0_61: dict[str, Any] = {
    "sessionUpdate": "tool_call_update",
    "toolCallId": "mcp_codeg_delegate_to_agent__fc1",
    "status": "pending",
    "title": "delegate_to_agent (codeg MCP Server)",
    "content": [{"type": "content", "content": {"type": "text", "text": '{"agent_type":"demo","task":"readme"}'}}],
    "locations": [],
    "kind": "other",
}


def test_arguments_that_gemini_tells_as_text_are_the_input() -> None:
    thread = folded(GEMINI_MCP_0_61)
    assert thread.tool_call(GEMINI_MCP_0_61["toolCallId"])["rawInput"] == {"agent_type": "demo", "task": "readme"}
    thread.apply({**GEMINI_MCP_0_61, "status": "completed", "content": []}, 9)
    assert thread.tool_call(GEMINI_MCP_0_61["toolCallId"])["rawInput"] == {"agent_type": "demo", "task": "readme"}


@pytest.mark.parametrize(
    "change",
    [
        {"status": "completed"},
        {"title": "cat x.json"},
        {"content": [{"type": "content", "content": {"type": "text", "text": "{not JSON"}}]},
        {"content": [{"type": "content", "content": {"type": "text", "text": "[1]"}}]},
        {"content": GEMINI_MCP_0_61["content"] * 2},
        {"content": None},
    ],
)
def test_other_text_is_no_input(change: dict[str, Any]) -> None:
    assert gemini.arguments({**GEMINI_MCP_0_61, **change}) == {}
    assert "rawInput" not in folded({**GEMINI_MCP_0_61, **change}).tool_call(GEMINI_MCP_0_61["toolCallId"])


def test_an_input_that_was_told_is_kept() -> None:
    assert folded({**GEMINI_MCP_0_61, "rawInput": {"a": 1}}).tool_call(GEMINI_MCP_0_61["toolCallId"])["rawInput"] == {
        "a": 1
    }
