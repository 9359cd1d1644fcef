"""Starts what an entry names, as a host program would: is the companion there, and does it list its tools in time?

Owns two short runs of other programs: an entry's command, and a host program's own commands. Each is bounded and ends
with its whole process tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from codeg.jsonrpc.codec import Undecodable, decode, encode
from codeg.jsonrpc.framing import Frame, Splitter
from codeg.jsonrpc.messages import notification, request
from codeg.sessions.environment import HOST_MARKERS
from codeg.sessions.process import AgentProcess, SpawnFailed, spawn_agent
from codeg.sessions.reading import mapping, sequence, shorten
from codeg.wire.version import VERSION

ANSWER_S = 5.0
"""Start, `initialize` and `tools/list` together: some host programs give up at 5 s."""
COMMAND_S = 60.0
"""A host program's own command. Normal is below 5 s."""
# What the strictest host program leaves of the environment (Codex 0.171).
_KEPT = ("HOME", "LANG", "PATH", "SHELL", "TERM", "SYSTEMROOT", "USERPROFILE")
_LIST_ID = 2
_MOST_OUTPUT = 64 * 1024


async def why_silent(command: Sequence[str], extra: Mapping[str, str], env: Mapping[str, str]) -> str | None:
    """Why an entry's command does not serve, as a part of a sentence; None = it lists its tools.

    It is started from `/` with next to no environment.
    """
    stripped = {name: env[name] for name in _KEPT if name in env} | dict(extra)
    try:
        async with spawn_agent(command, stripped, "/") as process:
            with anyio.move_on_after(ANSWER_S):
                answer = await _listing(process)
                return await _judged(process, answer)
            return f"it did not list its tools within {ANSWER_S:.0f} s{_last_words(process)}"
    except SpawnFailed as failure:
        return failure.message.rstrip(".")


async def _listing(process: AgentProcess) -> Any:
    """The answer to `tools/list`; None at the end of the output."""
    client = {"name": "codeg-doctor", "version": VERSION}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    opening = (
        request(1, "initialize", hello),
        notification("notifications/initialized"),
        request(_LIST_ID, "tools/list", {}),
    )
    try:
        for message in opening:
            await process.send(encode(message) + b"\n")
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return None
    splitter = Splitter()
    while data := await process.receive():
        for frame in splitter.feed(data):
            answer = _read(frame.payload) if isinstance(frame, Frame) else {}
            if answer.get("id") == _LIST_ID:
                return answer
    return None


def _read(payload: bytes) -> dict[str, Any]:
    try:
        return mapping(decode(payload))
    except Undecodable:
        return {}


async def _judged(process: AgentProcess, answer: Any) -> str | None:
    if answer is None:
        await process.wait_exit()
        return f"it ended without an answer{_last_words(process)}"
    if not sequence(mapping(answer.get("result")).get("tools")):
        return "it listed no tools"
    return None


def _last_words(process: AgentProcess) -> str:
    said = [line.strip() for line in process.stderr_tail() if line.strip()]
    return f" ({shorten(said[-1], 300)})" if said else ""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program's command ended. `said`: its last line, of stderr where there is one; `output`: its stdout."""

    ok: bool
    said: str
    output: str = ""


async def run_command(
    command: Sequence[str], env: Mapping[str, str], folder: str, seconds: float = COMMAND_S
) -> Ran | None:
    """Run a host program's own command in this folder, with the user's environment and a closed stdin.

    None: it did not end within `seconds`; its processes are ended then.
    """
    kept = {name: value for name, value in env.items() if name not in HOST_MARKERS}
    output = bytearray()
    try:
        async with spawn_agent(command, kept, folder) as process:
            with anyio.move_on_after(seconds):
                await process.close_stdin()
                while piece := await process.receive():
                    output += piece[: _MOST_OUTPUT - len(output)]
                end = await process.wait_exit()
                written = output.decode(errors="replace")
                lines = [*written.splitlines(), *process.stderr_tail()]
                said = next((line.strip() for line in reversed(lines) if line.strip()), "")
                return Ran(end.code == 0, shorten(said, 300), written)
            return None
    except SpawnFailed as failure:
        return Ran(ok=False, said=failure.message)
