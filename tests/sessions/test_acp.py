"""Messages of the protocol: built as the official models have them, read whatever comes."""

from typing import Any

import acp.schema as models
import pytest
from pydantic import BaseModel

from codeg.jsonrpc.codec import decode, encode
from codeg.sessions import acp
from codeg.sessions.reading import clean
from codeg.sessions.session_state import SessionState
from codeg.sessions.types import ConfigOption, Image, McpServer, SlashCommand, TurnUsage

SERVER = McpServer("codeg", "/usr/bin/python3", ("-I", "-m", "companion"), (("NAME", "value"),))
BOOLEAN = {"id": "fast", "type": "boolean"}


@pytest.mark.peer
@pytest.mark.parametrize(
    ("model", "params"),
    [
        (models.InitializeRequest, acp.initialize_params("1.2.3")),
        (models.NewSessionRequest, acp.session_params("/work", [SERVER])),
        (models.NewSessionRequest, acp.session_params("/work", [])),
        (models.LoadSessionRequest, acp.session_params("/work", [SERVER], "s1")),
        (models.ResumeSessionRequest, acp.session_params("/work", [SERVER], "s1")),
        (models.PromptRequest, acp.prompt_params("s1", "do it")),
        (models.CancelNotification, acp.cancel_params("s1")),
        (models.SetSessionModeRequest, acp.set_mode_params("s1", "default")),
        (models.SetSessionConfigOptionSelectRequest, acp.set_option_params("s1", {}, "model", "small")),
        (models.SetSessionConfigOptionBooleanRequest, acp.set_option_params("s1", BOOLEAN, "fast", "true")),
        (models.RequestPermissionResponse, acp.permission_result("once")),
        (models.RequestPermissionResponse, acp.permission_result(None)),
    ],
)
def test_all_that_we_send_is_valid_by_the_official_models(model: type[BaseModel], params: dict[str, Any]) -> None:
    sent = decode(encode(params))
    read = model.model_validate(sent)
    kept = read.model_dump(by_alias=True, exclude_unset=True, mode="json")
    without_later_words = {name: value for name, value in sent.items() if name != "clientCapabilities"}
    assert {name: kept[name] for name in without_later_words} == without_later_words


@pytest.mark.peer
def test_methods_are_named_as_the_official_package_names_them() -> None:
    from acp import meta

    ours = {
        acp.INITIALIZE,
        acp.NEW_SESSION,
        acp.LOAD_SESSION,
        acp.RESUME_SESSION,
        acp.SET_MODE,
        acp.SET_OPTION,
        acp.PROMPT,
        acp.CANCEL,
    }
    assert ours <= set(meta.AGENT_METHODS.values())
    assert {acp.UPDATE, acp.REQUEST_PERMISSION} <= set(meta.CLIENT_METHODS.values())


def test_files_and_terminals_are_not_offered() -> None:
    capabilities = acp.initialize_params("1")["clientCapabilities"]
    assert capabilities["fs"] == {"readTextFile": False, "writeTextFile": False}
    assert capabilities["terminal"] is False


def test_a_prompt_goes_out_as_it_is() -> None:
    text = "  two\nlines \u2028 \x00 😀 @x "
    assert acp.prompt_params("s", text)["prompt"] == [{"type": "text", "text": text}]


def test_images_follow_the_text_and_stand_alone_without_one() -> None:
    block = {"type": "image", "mimeType": "image/png", "data": "aGk="}
    image = Image("image/png", "aGk=")
    assert acp.prompt_params("s", "look", [image])["prompt"] == [{"type": "text", "text": "look"}, block]
    assert acp.prompt_params("s", "", [image, image])["prompt"] == [block, block]
    assert acp.prompt_params("s", "")["prompt"] == [{"type": "text", "text": ""}]
    assert "aGk=" not in repr(image)


@pytest.mark.parametrize(
    ("told", "images"),
    [({"image": True}, True), ({"image": False}, False), ({"image": "yes"}, False), ({}, False), (None, False)],
)
def test_whether_images_are_taken_is_read_from_the_capabilities(told: Any, images: bool) -> None:
    assert acp.read_initialize({"agentCapabilities": {"promptCapabilities": told}}).images is images


@pytest.mark.parametrize(
    ("capabilities", "via"),
    [
        ({"loadSession": True, "sessionCapabilities": {"resume": {}, "list": {}}}, "resume"),
        ({"loadSession": True, "sessionCapabilities": {}}, "load"),
        ({"loadSession": True, "sessionCapabilities": {"resume": None}}, "load"),
        ({"sessionCapabilities": {"resume": False}}, "none"),
        ({"loadSession": "yes", "sessionCapabilities": []}, "none"),
        (None, "none"),
    ],
)
def test_how_a_session_can_be_re_attached_is_read_from_the_capabilities(capabilities: Any, via: str) -> None:
    answer = {"protocolVersion": 1, "agentCapabilities": capabilities, "agentInfo": {"name": "x", "version": 3}}
    facts = acp.read_initialize(answer)
    assert (facts.resume_via, facts.name, facts.version, facts.protocol_version) == (via, "x", "", 1)


@pytest.mark.parametrize("result", [None, [], "x", 5, {"protocolVersion": "1"}, {"authMethods": [3, {"id": "login"}]}])
def test_odd_answers_to_initialize_are_read_as_far_as_they_go(result: Any) -> None:
    assert acp.read_initialize(result).protocol_version is None


def test_a_permission_request_is_read_and_joined_with_its_earlier_call() -> None:
    asked = acp.read_permission(
        {
            "sessionId": "s",
            "toolCall": {"toolCallId": "t", "kind": "execute", "title": None, "rawInput": {}, "content": []},
            "options": [
                {"optionId": "a", "name": "Always", "kind": "allow_always"},
                {"optionId": "b", "kind": 5},
                {"name": "no id"},
                "odd",
            ],
        }
    )
    assert [(option.option_id, option.name, option.kind) for option in asked.options] == [
        ("a", "Always", "allow_always"),
        ("b", "b", ""),
    ]
    joined = acp.joined_tool_call({"toolCallId": "t", "title": "rm -r x", "rawInput": {"cmd": "rm"}}, asked.tool_call)
    assert joined == {"toolCallId": "t", "title": "rm -r x", "rawInput": {"cmd": "rm"}, "kind": "execute"}
    assert acp.permission_title(joined) == "rm -r x"
    assert acp.permission_title({"kind": "execute"}) == "Run a tool (execute)"
    assert acp.permission_title({}) == "Run a tool"
    assert len(acp.permission_title({"title": "x\n" * 5000})) == 400


@pytest.mark.parametrize("params", [None, [], {"toolCall": 3, "options": None}, {"options": {"a": 1}}])
def test_odd_permission_requests_have_no_options(params: Any) -> None:
    assert acp.read_permission(params).options == ()


def test_the_answer_to_a_prompt_keeps_odd_stop_reasons() -> None:
    answer = acp.read_prompt_answer({"stopReason": "new_reason", "usage": {"inputTokens": 5, "outputTokens": "x"}})
    assert (answer.stop_reason, answer.input_tokens, answer.output_tokens) == ("new_reason", 5, None)
    assert acp.read_prompt_answer(None).stop_reason == "unknown"
    assert acp.read_prompt_answer({"usage": {"inputTokens": True}}).input_tokens is None


@pytest.mark.parametrize(
    ("code", "message", "data"),
    [
        (-32000, "anything", None),
        (-32603, "Authentication required", None),
        (-32603, "Internal error", {"details": "You are not logged in. Please run /login"}),
        (-32603, "Internal error", "Please sign in first"),
        (1, "Login required", None),
        (1, "Please run `claude /login`", None),
    ],
)
def test_an_error_that_wants_a_sign_in_is_known_by_code_or_words(code: int, message: str, data: Any) -> None:
    assert acp.wants_sign_in(code, message, data)


@pytest.mark.parametrize("message", ["Internal error", "the author is required", "log in the file", "sign the input"])
def test_other_errors_want_none(message: str) -> None:
    assert not acp.wants_sign_in(-32603, message, {"details": "nothing"})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "error 5: bad"),
        ({}, "error 5: bad"),
        ("more\nof it", "error 5: bad (more of it)"),
        ({"details": "why"}, "error 5: bad (why)"),
        ({"a": [1]}, 'error 5: bad ({"a": [1]})'),
        ("bad", "error 5: bad"),
    ],
)
def test_an_error_in_words_has_code_message_and_what_its_data_adds(data: Any, sentence: str) -> None:
    assert acp.error_sentence(5, "bad", data) == sentence


def test_an_error_in_words_is_bounded() -> None:
    assert len(acp.error_sentence(1, "x" * 10_000, "y" * 10_000)) <= 2_000


class TestSessionState:
    def test_modes_proper(self) -> None:
        state = SessionState()
        state.read_opened({"modes": {"currentModeId": "a", "availableModes": [{"id": "a", "name": "A"}, {"id": "b"}]}})
        assert (state.modes, state.mode, state.mode_option) == ((("a", "A"), ("b", "")), "a", "")
        assert state.apply({"sessionUpdate": "current_mode_update", "currentModeId": "b"}) == "options"
        assert state.mode == "b"

    def test_a_config_option_stands_for_modes_where_there_are_none(self) -> None:
        option = {
            "id": "mode",
            "type": "select",
            "currentValue": "build",
            "options": [
                {"value": "build", "name": "Build"},
                {"group": "x", "options": [{"value": "plan", "name": "P"}]},
            ],
        }
        state = SessionState()
        state.read_opened({"configOptions": [{"id": "model"}, option]})
        assert (state.modes, state.mode, state.mode_option) == ((("build", "Build"), ("plan", "P")), "build", "mode")
        changed = {"sessionUpdate": "config_option_update", "configOptions": [{**option, "currentValue": "plan"}]}
        assert state.apply(changed) == "options"
        assert state.mode == "plan"

    def test_modes_proper_win_over_an_option(self) -> None:
        state = SessionState()
        state.read_opened(
            {
                "configOptions": [{"id": "mode", "currentValue": "x", "options": [{"value": "x"}]}],
                "modes": {"currentModeId": "a", "availableModes": [{"id": "a"}]},
            }
        )
        assert (state.mode, state.mode_option) == ("a", "")

    def test_context_and_cost(self) -> None:
        state = SessionState()
        cost = {"amount": 0.25, "currency": "USD"}
        assert state.apply({"sessionUpdate": "usage_update", "used": 5, "size": 9, "cost": cost}) == "usage"
        assert state.apply({"sessionUpdate": "usage_update", "used": "x", "size": 10}) == "usage"
        assert state.usage == TurnUsage(context_used=5, context_size=10, cost_amount=0.25, cost_currency="USD")

    def test_title_and_commands(self) -> None:
        state = SessionState()
        assert state.apply({"sessionUpdate": "session_info_update", "title": "About"}) == "options"
        state.apply({"sessionUpdate": "session_info_update", "updatedAt": "now"})
        assert state.title == "About"
        state.apply({"sessionUpdate": "session_info_update", "title": None})
        assert state.title is None
        state.apply({"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "x"}, 5]})
        assert state.commands == ({"name": "x"},)
        assert state.offered_commands() == (SlashCommand("x", ""),)

    def test_commands_as_a_person_sees_them(self) -> None:
        state = SessionState()
        told = [
            {"name": "/plan", "description": "Make\x1b a plan", "input": {"hint": "what for"}},
            {"name": "/"},
            {"description": "no name"},
        ]
        state.apply({"sessionUpdate": "available_commands_update", "availableCommands": told})
        assert state.offered_commands() == (SlashCommand("plan", clean("Make\x1b a plan"), "what for"),)

    def test_options_as_a_person_chooses_among_them(self) -> None:
        state = SessionState()
        choices = [{"value": "a", "name": "A"}, {"group": "g", "options": [{"value": "b", "name": "B"}]}, {}]
        told: list[Any] = [
            {"id": "m", "name": "Model", "category": "model", "description": "Which", "currentValue": "a"},
            {"id": "on", "type": "boolean", "currentValue": True},
            {"name": "no id"},
            7,
        ]
        told[0]["options"] = choices
        state.read_options({"configOptions": told})
        assert state.offered_options() == (
            ConfigOption("m", "Model", "model", "a", (("a", "A"), ("b", "B")), "Which"),
            ConfigOption("on", "on", "", "true", (("true", "On"), ("false", "Off"))),
        )

    def test_what_is_about_the_conversation_is_left_alone(self) -> None:
        assert SessionState().apply({"sessionUpdate": "agent_message_chunk"}) == ""
        assert SessionState().apply({"sessionUpdate": ["odd"]}) == ""
