"""The promise of a live agent: one program, one ACP session, one owner.

Owns the interface that `stdio_connection` keeps and that every fake must keep too (one contract suite for all). It
never does I/O.
Calls on a sink are made in the order in which the agent's messages arrived, from the connection's own task.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from codeg.sessions.diffs import Touched
from codeg.sessions.types import (
    AgentDefinition,
    Image,
    McpServer,
    Offers,
    PermissionRequest,
    ProcessStarted,
    ThreadChange,
    TurnResult,
    TurnUsage,
)


class AgentFailure(Exception):
    """The agent did not do its part.

    `code`: a value of the contract's codes (`spawn_failed`, `agent_start_timeout`, `agent_crashed`, `subagent_error`,
    `auth_required`, `resume_unavailable`). The message names the step, exit code or signal and the tail of stderr.
    `text`: what the agent had written in the turn that failed. `stderr`: the last lines of its stderr, to keep with
    its session.
    """

    def __init__(self, code: str, message: str, text: str = "", stderr: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.text = text
        self.stderr = stderr


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What to start.

    `resume_session_id`: re-attach this session (`session/resume`, else `session/load`) instead of opening a new one.
    """

    agent: AgentDefinition
    cwd: str
    mcp_servers: tuple[McpServer, ...]
    start_timeout_s: float
    attempt: int = 1
    first_seq: int = 0
    """Sequence number of the first entry that this connection adds to the conversation."""
    resume_session_id: str | None = None
    greeted: Callable[[str], None] | None = None
    """Called once the agent has answered `initialize`, with the version that it told (empty = none); must not raise."""


class SessionSink(Protocol):
    """Where a connection reports to. No call blocks or raises."""

    def process_started(self, process: ProcessStarted) -> None:
        """Keeper and agent run. Called once, before anything is asked of the agent."""
        ...

    def changed(self, change: ThreadChange) -> None:
        """An entry was added or replaced. History replayed by a load is never reported."""
        ...

    def permission_asked(self, request: PermissionRequest) -> None:
        """The agent asks leave; `AgentConnection.answer_permission` answers.

        Never called after `cancel` until the next prompt.
        """
        ...

    def permission_closed(self, key: str) -> None:
        """The request is moot: the turn was cancelled, or the agent withdrew it or went away."""
        ...

    def usage_changed(self, usage: TurnUsage) -> None:
        """Context and cost as last reported."""
        ...

    def options_changed(self) -> None:
        """Modes, config options, commands or the session's title changed; read them from the connection."""
        ...

    def exited(self, failure: AgentFailure) -> None:
        """The agent ended or broke outside a turn (inside one, `prompt` raises). Called at most once."""
        ...


class AgentConnection(Protocol):
    """One live agent. Made open by `Launcher.open`; leaving that context ends its whole process tree within 5 s."""

    @property
    def session_id(self) -> str:
        """The agent's own session id."""
        ...

    @property
    def resume_via(self) -> str:
        """`resume`, `load` or `none`: how this agent can be re-attached, by its capabilities."""
        ...

    @property
    def modes(self) -> "tuple[tuple[str, str], ...]":
        """(mode id, name) offered; the current one is `mode`."""
        ...

    @property
    def mode(self) -> str | None:
        """The current mode id."""
        ...

    @property
    def title(self) -> str | None:
        """The session's title as the agent last told it."""
        ...

    @property
    def offers(self) -> Offers:
        """What a person can choose from, as last told."""
        ...

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        record: bool = True,
        written: Callable[[], None] | None = None,
    ) -> TurnResult:
        """Send one prompt and wait for its end. `record`: keep text and images as a `user` entry.

        `written` is called once, when the prompt was written to the agent whole (contract 6, `started_at`); it must
        not raise. Once the turn has ended, no tool call of it waits to begin; one under way goes on only behind a turn
        that the agent ended by itself.

        Raises:
            AgentFailure: the agent crashed, broke the protocol, or answered with an error.
        """
        ...

    async def cancel(self) -> None:
        """Send `session/cancel` for the turn under way, answer its open permissions `cancelled`. No turn: nothing."""
        ...

    def answer_permission(self, key: str, option_id: str | None) -> bool:
        """Answer with an option, or `cancelled` for None. False when it is not open any more.

        Raises:
            ValueError: the option is none of those offered; the request stays open.
        """
        ...

    async def set_mode(self, mode_id: str) -> None:
        """Change the session mode.

        Raises:
            AgentFailure: the agent refused.
        """
        ...

    async def set_option(self, option_id: str, value: str) -> None:
        """Change a config option.

        Raises:
            AgentFailure: the agent refused.
        """
        ...

    def live_line(self) -> str:
        """One line on what it does now, 120 characters at most: its latest text, else its thought, else its tool."""
        ...

    def tool_calls(self) -> int:
        """Tool calls of the present turn."""
        ...

    def touched(self) -> Touched | None:
        """Files and lines that the present turn changed, by its diffs; None where it told none."""
        ...

    async def stop(self) -> None:
        """End the agent: `session/cancel` if a turn runs, stdin closed, TERM to the tree, KILL.

        Returns when the tree is gone, within 5 s. Open calls end with a failure; `exited` is not told.
        """
        ...


class Launcher(Protocol):
    """Starts agents."""

    def open(self, spec: LaunchSpec, sink: SessionSink) -> AbstractAsyncContextManager[AgentConnection]:
        """Start the agent and open its session; ready on entering.

        Raises:
            AgentFailure: on entering: it could not be started, did not answer within `start_timeout_s` of the process's
                own start, wants a sign-in, or (with `resume_session_id`) cannot re-attach (`resume_unavailable`).
        """
        ...
