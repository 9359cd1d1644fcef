"""The agents that Codeg knows without being told (contract 7): commands, how to install them, ask-first modes.

Data only. Commands were tried with the programs where `mode` is given, and taken from the programs' own documentation
elsewhere.
"""

import sys

from codeg.sessions.types import AgentDefinition

DEMO = "demo"


_AGENTS = (
    AgentDefinition(
        slug="claude_code",
        label="Claude Code",
        command=("claude-agent-acp",),
        mode="default",
        install="Install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
        sign_in="To sign in, run `claude` in a terminal and type /login.",
        adapts="claude",
    ),
    AgentDefinition(
        slug="codex",
        label="Codex",
        command=("codex-acp",),
        mode="read-only",
        install="Install it with `npm install -g @agentclientprotocol/codex-acp`.",
        sign_in="To sign in, run `codex login` in a terminal.",
        adapts="codex",
    ),
    AgentDefinition(
        slug="open_code",
        label="OpenCode",
        command=("opencode", "acp"),
        install="Install it with `npm install -g opencode-ai`.",
        sign_in="To sign in, run `opencode auth login` in a terminal.",
    ),
    AgentDefinition(
        slug="gemini",
        label="Gemini CLI",
        command=("gemini", "--acp"),
        # Without this it starts itself a second time and leaves that process behind.
        env=(("GEMINI_CLI_NO_RELAUNCH", "true"),),
        mode="default",
        install="Install it with `npm install -g @google/gemini-cli`.",
        sign_in="To sign in, run `gemini` in a terminal and type /auth, or set GEMINI_API_KEY.",
    ),
    AgentDefinition(
        slug="cline",
        label="Cline",
        command=("cline", "--acp"),
        install="Install it with `npm install -g cline`.",
        sign_in="To sign in, run `cline auth` in a terminal.",
    ),
    AgentDefinition(
        slug="open_claw",
        label="OpenClaw",
        command=("openclaw", "acp"),
        install="Install it with `npm install -g openclaw` and start its gateway.",
    ),
    AgentDefinition(
        slug="hermes",
        label="Hermes",
        command=("hermes", "acp"),
        install="Install it with `pip install hermes-agent`.",
    ),
    AgentDefinition(
        slug="code_buddy",
        label="CodeBuddy",
        command=("codebuddy", "--acp"),
        install="Install it with `npm install -g @tencent-ai/codebuddy-code`.",
    ),
    AgentDefinition(
        slug="kimi_code",
        label="Kimi Code",
        command=("kimi", "acp"),
        install="Install it with `uv tool install kimi-cli`.",
    ),
    AgentDefinition(
        slug="pi",
        label="Pi",
        command=("pi-acp",),
        install="Install it with `npm install -g pi-acp @earendil-works/pi-coding-agent`.",
        sign_in="To sign in, run `pi` in a terminal and type /login.",
        adapts="pi",
    ),
    AgentDefinition(
        slug="grok",
        label="Grok",
        command=("grok", "agent", "stdio"),
        install="Install it with `npm install -g @xai-official/grok`.",
    ),
    AgentDefinition(
        slug="cursor",
        label="Cursor",
        command=("cursor-agent", "acp"),
        install="Install the Cursor CLI as https://cursor.com/docs/cli says.",
        sign_in="To sign in, run `cursor-agent login` in a terminal.",
    ),
    AgentDefinition(
        slug="deepseek",
        label="DeepSeek",
        command=("deepseek-acp",),
        install="Install it with `npm install -g deepseek-acp`.",
    ),
    AgentDefinition(
        slug="qoder",
        label="Qoder",
        command=("qodercli", "--acp"),
        install="Install it with `npm install -g @qoder-ai/qodercli`.",
    ),
    AgentDefinition(
        slug="antigravity",
        label="Antigravity",
        command=("agy_acp_server.par", "--uid="),
        install="Download Google's ACP server (https://antigravity.google/docs) and put it on PATH.",
    ),
    AgentDefinition(
        slug="qwen",
        label="Qwen Code",
        command=("qwen", "--acp"),
        mode="default",
        install="Install it with `npm install -g @qwen-code/qwen-code`.",
        sign_in="To sign in, run `qwen` in a terminal and type /auth.",
    ),
    AgentDefinition(
        slug=DEMO,
        label="Demo",
        command=(sys.executable, "-I", "-m", "codeg.demo"),
        install="It comes with Codeg.",
    ),
)


def builtin_agents() -> tuple[AgentDefinition, ...]:
    """All of them, in the order in which they are listed."""
    return _AGENTS
