"""The host programs of the suite: what each is called, how its print mode is asked, and how it names our tools.

One description for each; differences between the programs stand here and nowhere in the tests.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.realclients import recipes
from tests.realclients.machine import Machine
from tests.realclients.model import Call
from tests.realclients.packages import PACKAGES, Tier, bin_of
from tests.realclients.recipes import Place, Recipe
from tests.realclients.running import Running

Json = dict[str, Any]
TOOLS = (
    "delegate_to_agent",
    "get_delegation_status",
    "cancel_delegation",
    "resume_delegation",
    "ask_user_question",
    "check_user_feedback",
)


@dataclass(frozen=True, slots=True)
class HostProgram:
    """One host program.

    `slug`: as `codeg mcp add` takes it; `package`: of `packages.PACKAGES`; `words`: arguments of its print mode with a
    prompt; `said`: texts of its model, from its output; `prefix`: before each tool's name as its model sees it; `file`:
    of its configuration below the home; `entry`: the keys on the way to our entry; `limit_field`: of the entry, the
    longest call, `limit_unit` of it a second; `env_field`: of the entry, variables of the companion; `client`: its
    name, by which outside sessions are known; `deferred`: its model must search for the tools first; `patient`: each
    progress notification starts its limit anew; `asks`: without approval it runs no tool of ours unasked.
    """

    slug: str
    label: str
    package: str
    recipe: Recipe
    words: Callable[[str], list[str]]
    said: Callable[[list[Json]], Iterator[str]]
    prefix: str
    file: str
    entry: tuple[str, str]
    client: str
    limit_field: str = "timeout"
    limit_unit: int = 1000
    env_field: str = "env"
    deferred: bool = False
    patient: bool = False
    asks: bool = True

    @property
    def tier(self) -> Tier:
        return PACKAGES[self.package].tier

    @property
    def version(self) -> str:
        return PACKAGES[self.package].version

    def named(self, tool: str) -> str:
        """The whole name of a tool of ours, as its model knows it."""
        return self.prefix + tool

    def call(self, tool: str, **arguments: Any) -> Call:
        return Call(tool, arguments, self.named(tool))

    def config(self, place: Place) -> Path:
        """The file that `codeg mcp add` writes to."""
        return place.home / self.file

    def start(self, machine: Machine, prompt: str, **extra: str) -> Running:
        """Its print mode with a prompt."""
        program = bin_of(self.package) / PACKAGES[self.package].program
        return machine.start([str(program), *self.words(prompt)], extra)

    def answer(self, running: Running) -> str:
        """All that its model said, as its output tells it."""
        return "".join(self.said(running.events()))

    def adjust(self, place: Place, *, limit_s: int, max_wait_ms: int) -> None:
        """A person's own changes to the entry: the longest call, and how long the companion waits at most."""
        path, env = self.config(place), {"CODEG_MCP_MAX_WAIT_MS": str(max_wait_ms)}
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            line = f'{self.env_field} = {{ CODEG_MCP_MAX_WAIT_MS = "{max_wait_ms}" }}'
            text = re.sub(rf"(?m)^{self.limit_field} = .*$", f"{self.limit_field} = {limit_s}\n{line}", text)
        else:
            settings: Json = json.loads(text)
            entry: Json = settings[self.entry[0]][self.entry[1]]
            entry |= {self.limit_field: limit_s * self.limit_unit, self.env_field: env}
            text = json.dumps(settings, indent=2)
        path.write_text(text, encoding="utf-8")


def _codex_said(events: list[Json]) -> Iterator[str]:
    for event in events:
        item: Json = event.get("item") or {}
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            yield item.get("text", "")


def _claude_said(events: list[Json]) -> Iterator[str]:
    for event in events:
        if event.get("type") == "result":
            yield str(event.get("result", ""))


def _opencode_said(events: list[Json]) -> Iterator[str]:
    for event in events:
        part: Json = event.get("part") or {}
        if event.get("type") == "text":
            yield str(part.get("text", ""))


def _gemini_said(events: list[Json]) -> Iterator[str]:
    for event in events:
        if event.get("type") == "message" and event.get("role") == "assistant":
            yield str(event.get("content", ""))


CODEX = HostProgram(
    slug="codex",
    label="Codex",
    package="codex",
    recipe=recipes.CODEX,
    words=lambda prompt: ["exec", "--skip-git-repo-check", "--json", prompt],
    said=_codex_said,
    prefix="mcp__codeg__",
    file=".codex/config.toml",
    entry=("mcp_servers", "codeg"),
    client="codex-mcp-client",
    limit_field="tool_timeout_sec",
    limit_unit=1,
)
CLAUDE = HostProgram(
    slug="claude-code",
    label="Claude Code",
    package="claude",
    recipe=recipes.CLAUDE,
    words=lambda prompt: ["-p", prompt, "--output-format", "stream-json", "--verbose"],
    said=_claude_said,
    prefix="mcp__codeg__",
    file=".claude.json",
    entry=("mcpServers", "codeg"),
    client="claude-code",
)
OPENCODE = HostProgram(
    slug="opencode",
    label="OpenCode",
    package="opencode",
    recipe=recipes.OPENCODE,
    words=lambda prompt: ["run", "--format", "json", prompt],
    said=_opencode_said,
    prefix="codeg_",
    file=".config/opencode/opencode.json",
    entry=("mcp", "codeg"),
    client="opencode",
    env_field="environment",
    patient=True,
    asks=False,
)
GEMINI = HostProgram(
    slug="gemini",
    label="Gemini CLI",
    package="gemini",
    recipe=recipes.GEMINI,
    words=lambda prompt: ["-p", prompt, "-m", "gemini-2.5-flash", "-o", "stream-json"],
    said=_gemini_said,
    prefix="mcp_codeg_",
    file=".gemini/settings.json",
    entry=("mcpServers", "codeg"),
    client="gemini-cli-mcp-client",
)
QWEN = HostProgram(
    slug="qwen",
    label="Qwen Code",
    package="qwen",
    recipe=recipes.QWEN,
    words=lambda prompt: ["--auth-type", "openai", "-p", prompt, "-o", "stream-json"],
    said=_claude_said,
    prefix="mcp__codeg__",
    file=".qwen/settings.json",
    entry=("mcpServers", "codeg"),
    client="qwen-cli-mcp-client",
    deferred=True,
)
HOSTS = (CODEX, CLAUDE, OPENCODE, GEMINI, QWEN)
