"""The agent programs of the suite: which agent of the catalogue each is, and what it does in its own way.

One description for each; differences between the programs stand here and nowhere in the tests.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tests.realclients import recipes
from tests.realclients.model import Call
from tests.realclients.packages import PACKAGES
from tests.realclients.recipes import Place, Recipe

Json = dict[str, Any]
Refused = Literal["goes on", "ends its turn", "cancels its turn"]


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """One agent program.

    `slug`: in the catalogue; `package`: whose version counts; `more`: further packages that it needs on PATH; `shell`:
    its own tool that runs a command; `options`: what it offers where it asks leave for one, in its own words, by kind;
    none = it never asks; `refused`: what it does when leave is refused; `tokens`: it tells them; `context`: likewise;
    `thoughts`: it shows them; `resumes`: it takes up an earlier session; `mcp`: it starts the servers it is given;
    `prefix`: before our tools' names as its model sees them; `host`: what `codeg mcp add` calls the program, whose
    configuration it shares, "" = it has none; `own_program`: the package of that program, where it is another; `hides`:
    its model searches for the tools of servers before it sees them; `chatty`: it writes to stderr while it works.
    """

    slug: str
    label: str
    package: str
    recipe: Recipe
    shell: Callable[[str], Call]
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    refused: Refused = "goes on"
    more: tuple[str, ...] = ()
    tokens: bool = True
    context: bool = True
    thoughts: bool = True
    resumes: bool = True
    mcp: bool = True
    prefix: str = "mcp__codeg__"
    host: str = ""
    own_program: tuple[str, ...] = ()
    hides: bool = False
    chatty: bool = False

    @property
    def id(self) -> str:
        return self.package

    @property
    def version(self) -> str:
        return PACKAGES[self.package].version

    @property
    def packages(self) -> tuple[str, ...]:
        return (self.package, *self.more)

    def own(self, tool: str, **arguments: Any) -> Call:
        """A call of a tool of ours."""
        return Call(tool, arguments, self.prefix + tool)


def _escalated(command: str) -> Call:
    # Without leave a command would run in a sandbox that not every machine allows.
    asked = {"cmd": command, "sandbox_permissions": "require_escalated", "justification": "the test says so"}
    return Call("exec_command", {**asked, "yield_time_ms": 600_000})


def _asking(place: Place) -> None:
    recipes.OPENCODE.configure(place)
    path = place.home / ".config" / "opencode" / "opencode.json"
    settings: Json = json.loads(path.read_text(encoding="utf-8"))
    settings["permission"] = {"bash": "ask", "edit": "ask"}
    path.write_text(json.dumps(settings, indent=2), encoding="utf-8")


CODEX_OPTIONS = {"allow_once": "Yes, proceed", "reject_once": "No, and tell Codex what to do differently"}

CLAUDE = AgentProgram(
    slug="claude_code",
    label="Claude Code (claude-agent-acp)",
    package="claude-acp",
    recipe=recipes.CLAUDE,
    shell=lambda command: Call("Bash", {"command": command, "description": "run it"}),
    options={"allow_once": "Yes", "reject_once": "No"},
    host="claude-code",
    own_program=("claude",),
    hides=True,
    chatty=True,
)
CODEX = AgentProgram(
    slug="codex",
    label="Codex (codex-acp, Node)",
    package="codex-acp2",
    recipe=recipes.CODEX_ADAPTER,
    shell=_escalated,
    options=CODEX_OPTIONS,
    refused="cancels its turn",
    host="codex",
)
CODEX_RUST = replace(
    CODEX,
    label="Codex (codex-acp, Rust)",
    package="codex-acp",
    tokens=False,
)
OPENCODE = AgentProgram(
    slug="open_code",
    label="OpenCode",
    package="opencode",
    recipe=Recipe(_asking, recipes.OPENCODE.env),
    shell=lambda command: Call("bash", {"command": command, "description": "run it"}),
    options={"allow_once": "Allow once", "reject_once": "Reject"},
    refused="ends its turn",
    prefix="codeg_",
    host="opencode",
)
GEMINI = AgentProgram(
    slug="gemini",
    label="Gemini CLI",
    package="gemini",
    recipe=recipes.GEMINI,
    shell=lambda command: Call("run_shell_command", {"command": command, "description": "run it"}),
    options={"allow_once": "Allow", "reject_once": "Reject"},
    context=False,
    resumes=False,
    prefix="mcp_codeg_",
    host="gemini",
)
QWEN = AgentProgram(
    slug="qwen",
    label="Qwen Code",
    package="qwen",
    recipe=recipes.QWEN,
    shell=lambda command: Call(
        "run_shell_command", {"command": command, "description": "run it", "is_background": False}
    ),
    options={"allow_once": "Allow", "reject_once": "Reject"},
    refused="ends its turn",
    context=False,
    host="qwen",
    hides=True,
)
PI = AgentProgram(
    slug="pi",
    label="Pi (pi-acp)",
    package="pi-acp",
    more=("pi",),
    recipe=recipes.PI,
    shell=lambda command: Call("bash", {"command": command}),
    tokens=False,
    mcp=False,
)
AGENTS = (CLAUDE, CODEX, CODEX_RUST, OPENCODE, GEMINI, QWEN, PI)


def node_first(place: Place, path: str) -> None:
    """The login shell of this user knows the same PATH: agents are looked for by what it says."""
    Path(place.home / ".profile").write_text(f"export PATH='{path}'\n", encoding="utf-8")
