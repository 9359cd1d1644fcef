"""The table of host programs."""

import pytest

from companion import hosts


@pytest.mark.parametrize(
    ("name", "wait_ms"),
    [
        ("claude-code", 110_000),
        ("Claude-Code", 110_000),
        ("codex-mcp-client", 110_000),
        ("opencode", 50_000),
        ("gemini-cli-mcp-client", 110_000),
        ("qwen-cli-mcp-client-codeg", 110_000),
        ("jcode", 25_000),
        ("somebody", 50_000),
        ("", 50_000),
    ],
)
def test_a_wait_ends_before_the_programs_own_limit(name: str, wait_ms: int) -> None:
    assert hosts.longest_wait_ms(name, {}) == wait_ms


def test_where_progress_starts_the_limit_anew_a_call_that_is_told_of_it_waits_longer() -> None:
    assert hosts.longest_wait_ms("opencode", {}, told=True) == 110_000
    assert hosts.longest_wait_ms("opencode", {"CODEG_MCP_MAX_WAIT_MS": "3000"}, told=True) == 3000
    assert hosts.longest_wait_ms("codex-mcp-client", {}, told=True) == 110_000
    assert hosts.longest_wait_ms("somebody", {}, told=True) == 50_000


def test_the_environment_overrides_the_table_within_reason() -> None:
    assert hosts.longest_wait_ms("claude-code", {"CODEG_MCP_MAX_WAIT_MS": "3000"}) == 3000
    assert hosts.longest_wait_ms("claude-code", {"CODEG_MCP_MAX_WAIT_MS": "1"}) == 100
    for junk in ("", "soon", "-5", "0", "9" * 20):
        assert hosts.longest_wait_ms("x", {"CODEG_MCP_MAX_WAIT_MS": junk}) == 50_000


def test_a_shorter_limit_that_claude_code_hands_down_is_kept_to() -> None:
    assert hosts.longest_wait_ms("claude-code", {"MCP_TOOL_TIMEOUT": "30000"}) == 27_000
    assert hosts.longest_wait_ms("claude-code", {"MCP_TOOL_TIMEOUT": "900000"}) == 110_000
    assert hosts.longest_wait_ms("codex-mcp-client", {"MCP_TOOL_TIMEOUT": "30000"}) == 110_000


def test_a_program_that_shows_both_copies_gets_half() -> None:
    assert hosts.find_host("qwen-cli-mcp-client-x").reply_bytes == 4_500
    assert hosts.find_host("unheard-of").reply_bytes == 9_000


def test_every_row_names_its_source_and_no_row_hides_another() -> None:
    for at, row in enumerate(hosts.HOSTS):
        assert row.source
        assert not any(row.prefix.startswith(earlier.prefix) for earlier in hosts.HOSTS[:at])


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("claude-code", "claude-code"),
        (" Claude-Code ", "claude-code"),
        ("qwen-cli-mcp-client-codeg", "qwen-cli-mcp-client"),
        ("zed/0.200.1", "zed"),
        ("My Host 1.2", "my host"),
        ("host-v2.0", "host"),
        ("host@3.1", "host"),
        ("inspector-codeg", "inspector"),
        ("gpt-4", "gpt-4"),
        ("", "unknown"),
    ],
)
def test_an_identity_has_neither_version_nor_server_name(given: str, name: str) -> None:
    assert hosts.normal_name(given) == name


def test_a_session_id_is_never_taken_from_another_programs_variable() -> None:
    environment = {"CLAUDE_CODE_SESSION_ID": "s1"}
    assert hosts.session_id("claude-code", {"threadId": "t"}, environment) == "s1"
    assert hosts.session_id("codex-mcp-client", {"threadId": "t"}, environment) == "t"
    assert hosts.session_id("codex-mcp-client", {}, environment) == ""
    assert hosts.session_id("opencode", {"threadId": "t"}, environment) == ""
