"""What each host program can take: how long one tool call may last, and how much of a reply its model sees.

Owns the table, each figure with its source; never measures anything. Known by `clientInfo.name`; a host that is not
listed gets the defaults. A figure is our own bound: it lies below the program's limit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

DEFAULT_WAIT_MS: Final = 50_000
"""Most hosts cut a call at 60 s (the SDKs' default; B15)."""
DEFAULT_REPLY_BYTES: Final = 9_000
"""Contract 6 "Reply size": bytes of the serialised text."""
MAX_REPLY_BYTES: Final = 1024 * 1024
"""Contract 6: the most that one reply may ask for."""
SHORTEST_WAIT_MS: Final = 100
LONGEST_WAIT_MS: Final = 3_600_000


class Host:
    """One row: our bounds; `source` says where they come from.

    `told_wait_ms`: of a call that is told of progress, where each word of it starts the program's limit anew.
    """

    __slots__ = ("prefix", "reply_bytes", "source", "told_wait_ms", "wait_ms")

    def __init__(
        self, prefix: str, wait_ms: int, reply_bytes: int, source: str, *, told_wait_ms: int | None = None
    ) -> None:
        self.prefix = prefix
        self.wait_ms = wait_ms
        self.told_wait_ms = wait_ms if told_wait_ms is None else told_wait_ms
        self.reply_bytes = reply_bytes
        self.source = source


_DEFAULT: Final = Host("", DEFAULT_WAIT_MS, DEFAULT_REPLY_BYTES, "contract 4 and 6")
# Longer prefixes stand before shorter ones that they begin with.
HOSTS: Final = (
    Host(
        "claude-code",
        110_000,
        DEFAULT_REPLY_BYTES,
        "contract 4: above 120 s calls move to the background; 2.1 shows 145 kB whole",
    ),
    Host(
        "codex-mcp-client",
        110_000,
        DEFAULT_REPLY_BYTES,
        "measured: 300 s at 0.171, 120 s before; above 12 kB the middle is cut out",
    ),
    Host(
        "opencode",
        DEFAULT_WAIT_MS,
        DEFAULT_REPLY_BYTES,
        "measured: 60 s at 1.18, anew with each word of progress; results above 50 kB vanish whole",
        told_wait_ms=110_000,
    ),
    Host(
        "gemini-cli-mcp-client",
        110_000,
        DEFAULT_REPLY_BYTES,
        "measured: over 200 s at 0.61; above 40 kB the middle is cut out",
    ),
    Host(
        "qwen-cli-mcp-client",
        110_000,
        DEFAULT_REPLY_BYTES // 2,
        "measured: over 200 s at 0.24; both copies are shown where they differ, above 25 kB a preview",
    ),
    Host("jcode", 25_000, DEFAULT_REPLY_BYTES, "reported: 30 s for every call (B15)"),
)
_SERVER_SUFFIXED: Final = "qwen-cli-mcp-client"
CLAUDE_CODE: Final = "claude-code"


def find_host(client_name: str) -> Host:
    """The row of a program, by the beginning of its `clientInfo.name` in any case."""
    name = client_name.strip().lower()
    for host in HOSTS:
        if name.startswith(host.prefix):
            return host
    return _DEFAULT


def normal_name(client_name: str) -> str:
    """The program's name as an identity (contract 1): lower case, no version, no server-name suffix, else `unknown`."""
    name = client_name.strip().lower()
    if name.startswith(_SERVER_SUFFIXED):
        return _SERVER_SUFFIXED
    for part in ("/", "@", " v", "-v", " "):
        head, mark, tail = name.rpartition(part)
        if mark and head and tail[:1].isdigit():
            name = head.strip()
    for suffix in ("-codeg", ":codeg", "_codeg", " (codeg)"):
        name = name.removesuffix(suffix)
    return name or "unknown"


def longest_wait_ms(client_name: str, environment: Mapping[str, str], *, told: bool = False) -> int:
    """How long one call may wait: `CODEG_MCP_MAX_WAIT_MS` in ms, held to 100..3,600,000, else the table.

    `told`: the call asked for word of progress, and gets it every few seconds.
    Claude Code hands its own limit down in `MCP_TOOL_TIMEOUT`; a shorter one than ours is kept to, a tenth to spare.
    """
    override = _whole(environment.get("CODEG_MCP_MAX_WAIT_MS"))
    if override:
        return min(max(override, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
    host = find_host(client_name)
    longest = host.told_wait_ms if told else host.wait_ms
    limit = _whole(environment.get("MCP_TOOL_TIMEOUT")) if host.prefix == CLAUDE_CODE else 0
    return min(longest, max(limit * 9 // 10, SHORTEST_WAIT_MS)) if limit else longest


def session_id(client_name: str, meta: Mapping[str, object], environment: Mapping[str, str]) -> str:
    """The program's own session id, "" without one. Never read from another program's variable (contract 1)."""
    name = client_name.strip().lower()
    if name.startswith(CLAUDE_CODE):
        return environment.get("CLAUDE_CODE_SESSION_ID", "")
    thread = meta.get("threadId") if name.startswith("codex") else None
    return thread if isinstance(thread, str) else ""


def _whole(text: str | None) -> int:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
