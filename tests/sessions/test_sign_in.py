"""The sentence that tells a person how to sign in: the catalogue's word, what the agent names, what can be set."""

from typing import Any

import pytest

from codeg.sessions.acp import read_initialize
from codeg.sessions.builtin_agents import builtin_agents
from codeg.sessions.sign_in import SignInWay, how_to_sign_in, read_ways
from codeg.sessions.types import AgentDefinition

PLAIN = AgentDefinition("custom:mine", "Mine", ("my-agent", "--acp"))
TOLD = AgentDefinition("codex", "Codex", ("codex-acp",), sign_in="To sign in, run `codex login` in a terminal.")
PI_0_0_34: list[dict[str, Any]] = [
    {
        "id": "pi_terminal_login",
        "name": "Launch pi in the terminal",
        "type": "terminal",
        "args": ["--terminal-login"],
        "env": {},
    }
]
QWEN_0_24: list[dict[str, Any]] = [
    {"id": "openai", "name": "Use OpenAI API key", "_meta": {"type": "terminal", "args": ["--auth-type=openai"]}}
]
CODEX_0_16: list[dict[str, Any]] = [
    {"id": "chatgpt", "name": "Login with ChatGPT"},
    {"type": "env_var", "id": "codex-api-key", "name": "Use CODEX_API_KEY", "vars": [{"name": "CODEX_API_KEY"}]},
    {"type": "env_var", "id": "openai-api-key", "name": "Use OPENAI_API_KEY", "vars": [{"name": "OPENAI_API_KEY"}]},
]


def test_ways_are_read_with_what_is_run_and_what_is_set() -> None:
    assert read_ways(PI_0_0_34) == (SignInWay("Launch pi in the terminal", ("--terminal-login",)),)
    assert read_ways(QWEN_0_24) == (SignInWay("Use OpenAI API key", ("--auth-type=openai",)),)
    assert [way.variables for way in read_ways(CODEX_0_16)] == [(), ("CODEX_API_KEY",), ("OPENAI_API_KEY",)]
    assert read_initialize({"authMethods": PI_0_0_34}).sign_in_ways == read_ways(PI_0_0_34)


@pytest.mark.parametrize("methods", [None, "x", [1, None], [{"args": 3, "type": "terminal", "vars": "x"}], [{}]])
def test_whatever_stands_there_is_no_fault(methods: Any) -> None:
    for way in read_ways(methods):
        assert (way.arguments, way.variables) == ((), ())
    how_to_sign_in(PLAIN, read_ways(methods))


def test_the_catalogues_word_comes_first_and_variables_are_named() -> None:
    assert how_to_sign_in(TOLD) == TOLD.sign_in
    assert how_to_sign_in(TOLD, read_ways(CODEX_0_16)) == (
        "To sign in, run `codex login` in a terminal. Or set CODEX_API_KEY or OPENAI_API_KEY, in your shell or as `env` "
        "of [agents.codex] in agents.toml."
    )


def test_an_agent_of_the_users_own_is_signed_in_by_the_line_that_it_names() -> None:
    assert how_to_sign_in(PLAIN, read_ways(PI_0_0_34)) == "Run `my-agent --terminal-login` in a terminal."
    both = (*read_ways(PI_0_0_34), SignInWay("More", ("--login", "two words")))
    assert how_to_sign_in(PLAIN, both) == (
        "Run `my-agent --terminal-login` or `my-agent --login 'two words'` in a terminal."
    )


def test_ways_without_a_line_are_named() -> None:
    assert how_to_sign_in(PLAIN, read_ways([{"id": "a", "name": "With A"}, {"id": "b"}])) == (
        "It names these ways to sign in: With A; b."
    )
    assert how_to_sign_in(PLAIN) == ""


def test_what_the_catalogue_tells_is_a_sentence_with_a_line_to_type() -> None:
    told = {agent.slug: agent.sign_in for agent in builtin_agents() if agent.sign_in}
    assert {"claude_code", "codex", "open_code", "gemini", "qwen", "pi"} <= told.keys()
    for sentence in told.values():
        assert sentence.startswith("To sign in, run `")
        assert sentence.endswith(".")
