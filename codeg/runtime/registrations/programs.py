"""The host programs that we register in: where each keeps its configuration, and what its entry looks like.

Data, and pure functions of what they are given. Where a figure or a place is not from the program's own documentation
it was measured with the version named beside it.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from codeg.runtime.injection import SERVER_NAME
from codeg.runtime.registrations.documents import Form
from codeg.runtime.registrations.json_text import Element, Path

Scope = Literal["user", "project"]
SCOPES: tuple[Scope, ...] = ("user", "project")
Json = dict[str, Any]

LIMIT_S = 600
"""What we write as time limit of one call, in seconds: far above any wait of ours."""
PROGRESS_S = 5
"""How often a call that waits is told of progress, in seconds; the companion's own figure."""
START_S = 20
"""What we write as time limit of the companion's start, in seconds."""


@dataclass(frozen=True, slots=True)
class Place:
    """From where a program looks. `home`: the user's; `folder`: the project's; both absolute."""

    home: str
    folder: str
    env: Mapping[str, str]

    def under(self, variable: str, *default: str, tilde: bool = False) -> str:
        """The folder that a variable names, as seen from `folder`, else one below the home.

        `tilde`: the program itself reads `~` in it; to the others (all but Qwen Code 0.24.4) it is a folder's name.
        """
        named = self.env.get(variable, "").strip()
        if tilde and named.split("/")[0] == "~":
            return os.path.join(self.home, *named.split("/")[1:])
        return os.path.join(self.folder, named) if named else os.path.join(self.home, *default)


@dataclass(frozen=True, slots=True)
class Rule:
    """What else must be written where approval is no field of the entry: a rule in a file of its own."""

    path: Path
    value: str
    user: Callable[[Place], str]
    project: Callable[[Place], str]

    def file(self, scope: Scope, place: Place) -> str:
        """Where it stands."""
        return (self.user if scope == "user" else self.project)(place)


@dataclass(frozen=True, slots=True)
class Program:
    """One host program.

    `slug`: as a person types it; `agent`: its slug as an agent; `command`: its program; `client`: its
    `clientInfo.name`; `user`, `project`: files that it reads, the one to be made first; `folders`: where in the user's
    file it keeps what counts in one folder alone, by folder; `wait_s`: how long the companion lets a call wait there;
    `anew`: each word of progress starts its limit anew, and the companion gives one every `PROGRESS_S`;
    `limit_field`: the entry's limit for one call, `limit_unit` of it a second, taken from `least_limit` on;
    `default_limit_s`: what counts without it, None = nothing that we have met; `approval`: fields that let tools run
    unasked, else `rule`; `start`: fields of every entry; `one_list`: program and arguments are one list; `by_command`:
    it has a command of its own for entries; `no_mark`: it refuses a file that begins with a byte order mark; `notes`:
    what to know besides, by scope.
    """

    slug: str
    agent: str
    label: str
    command: str
    client: str
    form: Form
    path: Path
    wait_s: float
    user: Callable[[Place], tuple[str, ...]]
    project: Callable[[Place], tuple[str, ...]]
    start: Json
    limit_field: str = "timeout"
    limit_unit: int = 1000
    least_limit: float = 0
    default_limit_s: float | None = None
    approval: Json = field(default_factory=dict[str, Any])
    rule: Rule | None = None
    anew: bool = False
    one_list: bool = False
    by_command: bool = False
    no_mark: bool = False
    folders: str = ""
    notes: "tuple[tuple[Scope, str], ...]" = ()

    def typed(self, deed: Literal["add", "remove"], scope: Scope = "user") -> str:
        """The command of ours for it, as a sentence shows it to a person."""
        return f"`codeg mcp {deed} {self.slug}{' --scope project' if scope == 'project' else ''}`"

    def files(self, scope: Scope, place: Place) -> tuple[str, ...]:
        """The files of a scope, the one to be made first."""
        return (self.user if scope == "user" else self.project)(place)


def _claude_user(place: Place) -> tuple[str, ...]:
    return (os.path.join(place.under("CLAUDE_CONFIG_DIR"), ".claude.json"),)


def _opencode_user(place: Place) -> tuple[str, ...]:
    folder = os.path.join(place.under("XDG_CONFIG_HOME", ".config"), "opencode")
    own = place.env.get("OPENCODE_CONFIG", "").strip()
    # Later ones win over earlier ones when it merges them (1.18.33), and those that are there are written to first.
    usual = tuple(os.path.join(folder, name) for name in ("opencode.json", "opencode.jsonc", "config.json"))
    return (os.path.join(place.folder, own), *usual) if own else usual


def _opencode_project(place: Place) -> tuple[str, ...]:
    names = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
    return tuple(os.path.join(place.folder, *name.split("/")) for name in names)


def _in_project(*names: str) -> Callable[[Place], tuple[str, ...]]:
    return lambda place: (os.path.join(place.folder, *names),)


# Seen in their own lists as "pending approval" (2.1.332, 0.24.4).
_ASKED_FIRST = "{} starts servers of this file only after you approved them in it once."
_CLAUDE = Program(
    slug="claude-code",
    agent="claude_code",
    label="Claude Code",
    command="claude",
    client="claude-code",
    form="json",
    path=("mcpServers", SERVER_NAME),
    wait_s=110,
    user=_claude_user,
    project=_in_project(".mcp.json"),
    # Without `alwaysLoad` the model must search for the tools first (2.1.332). No `timeout`: without one it cuts no
    # call that we wait in, and to a shorter `MCP_TOOL_TIMEOUT` of the person's the companion keeps by itself.
    start={"type": "stdio", "alwaysLoad": True},
    # Its own schema: smaller values are passed over.
    least_limit=1000,
    rule=Rule(
        ("permissions", "allow", Element(f"mcp__{SERVER_NAME}")),
        f"mcp__{SERVER_NAME}",
        lambda place: os.path.join(place.under("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
        lambda place: os.path.join(place.folder, ".claude", "settings.json"),
    ),
    by_command=True,
    folders="projects",
    notes=(("project", _ASKED_FIRST.format("Claude Code")),),
)
_TRUST = "Gemini CLI starts servers only in folders that you trust."
_CODEX = Program(
    slug="codex",
    agent="codex",
    label="Codex",
    command="codex",
    client="codex-mcp-client",
    form="toml",
    path=("mcp_servers", SERVER_NAME),
    wait_s=110,
    user=lambda place: (os.path.join(place.under("CODEX_HOME", ".codex"), "config.toml"),),
    project=_in_project(".codex", "config.toml"),
    # Without `required` the first turn may start without the tools (0.171).
    start={"startup_timeout_sec": START_S, "required": True},
    limit_field="tool_timeout_sec",
    limit_unit=1,
    default_limit_s=300,
    approval={"default_tools_approval_mode": "approve"},
    notes=(("project", "Codex reads this file only in a project that you trust."),),
)
_OPENCODE = Program(
    slug="opencode",
    agent="open_code",
    label="OpenCode",
    command="opencode",
    client="opencode",
    form="jsonc",
    path=("mcp", SERVER_NAME),
    wait_s=110,
    anew=True,
    user=_opencode_user,
    project=_opencode_project,
    start={"type": "local", "enabled": True},
    default_limit_s=60,
    one_list=True,
)
_GEMINI = Program(
    slug="gemini",
    agent="gemini",
    label="Gemini CLI",
    command="gemini",
    client="gemini-cli-mcp-client",
    form="json with comments",
    path=("mcpServers", SERVER_NAME),
    wait_s=110,
    user=lambda place: (os.path.join(place.under("GEMINI_CLI_HOME"), ".gemini", "settings.json"),),
    project=_in_project(".gemini", "settings.json"),
    start={},
    approval={"trust": True},
    no_mark=True,
    # Said by the program itself (0.61).
    notes=(("user", _TRUST), ("project", _TRUST)),
)
_QWEN = Program(
    slug="qwen",
    agent="qwen",
    label="Qwen Code",
    command="qwen",
    client="qwen-cli-mcp-client",
    form="json with comments",
    path=("mcpServers", SERVER_NAME),
    wait_s=110,
    user=lambda place: (os.path.join(place.under("QWEN_HOME", ".qwen", tilde=True), "settings.json"),),
    project=_in_project(".qwen", "settings.json"),
    start={},
    approval={"trust": True},
    notes=(("project", _ASKED_FIRST.format("Qwen Code")),),
)
PROGRAMS = (_CLAUDE, _CODEX, _OPENCODE, _GEMINI, _QWEN)
