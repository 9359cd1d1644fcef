"""One live agent seen from the host: what its connection reports is recorded, shown and recognised here.

Owns the way of a session's facts to the store, the observers, the desk and the ledger, and the order in which a live
agent is set up and taken down (token, companion, process record). Never decides about turns: children and roots do.
Ends with `live`.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import anyio

from codeg.broker.events import Event, ToolCallSeen
from codeg.broker.tasks import ProcessIdentity, Usage, Work
from codeg.runtime.desk import Desk
from codeg.runtime.injection import HostAddress, companion_entry
from codeg.runtime.recorder import Recorder
from codeg.runtime.services import Activity, CataloguePort, DatabasePort, TokensPort
from codeg.runtime.sessions import Sessions
from codeg.runtime.snapshots import EntryChanged, OptionsChanged, Snapshots, UsageChanged
from codeg.runtime.spending import Spending
from codeg.sessions.connection import AgentConnection, AgentFailure, Launcher, LaunchSpec
from codeg.sessions.recognise import DelegationKey, delegation_key, recognise
from codeg.sessions.turn import TERMINAL
from codeg.sessions.types import (
    AgentDefinition,
    ConfigOption,
    Entry,
    PermissionRequest,
    ProcessStarted,
    SlashCommand,
    ThreadChange,
    TurnResult,
    TurnUsage,
)
from codeg.store.records import DropProcess, SaveProcess, SaveStderr


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every live agent of the host needs. `starting` bounds how many start at once (contract 6, Limits)."""

    post: Callable[[Event], None]
    database: DatabasePort
    sessions: Sessions
    snapshots: Snapshots
    recorder: Recorder
    desk: Desk
    catalogue: CataloguePort
    tokens: TokensPort
    launcher: Launcher
    starting: anyio.CapacityLimiter
    address: Callable[[], HostAddress]
    start_timeout_s: Callable[[], float]
    wall_ms: Callable[[], int]
    spending: Spending


@dataclass(frozen=True, slots=True)
class RootFacts:
    """What a front end shows of a live session (root or child) beside its record.

    `modes`: (id, name); `images`: its prompts may hold pictures.
    """

    modes: tuple[tuple[str, str], ...]
    mode: str | None
    usage: TurnUsage
    live_line: str
    tool_calls: int
    options: tuple[ConfigOption, ...] = ()
    commands: tuple[SlashCommand, ...] = ()
    images: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """How one agent is to be started."""

    session_id: str
    depth: int
    agent: AgentDefinition
    cwd: str
    attempt: int = 1
    resume_session_id: str | None = None


class Conversation:
    """Keeps `sessions.connection.SessionSink`. `on_exit`: the agent ended or broke outside a turn."""

    def __init__(
        self,
        around: Surroundings,
        start: Start,
        *,
        on_process: Callable[[ProcessIdentity], None],
        on_exit: Callable[[AgentFailure], None],
    ) -> None:
        self._around = around
        self._start = start
        self._on_process = on_process
        self._on_exit = on_exit
        self._session_id = start.session_id
        self._process: ProcessIdentity | None = None
        self._seen: dict[str, tuple[DelegationKey, bool]] = {}
        self._last_sign_ms = around.wall_ms()
        self.connection: AgentConnection | None = None
        self.usage = TurnUsage()

    @asynccontextmanager
    async def live(self) -> AsyncGenerator[AgentConnection]:
        """Start the agent and open its session.

        Leaving ends its whole tree and leaves no token, card or process record behind.

        Raises:
            AgentFailure: it could not be started.
        """
        around = self._around
        try:
            async with AsyncExitStack() as stack:
                async with around.starting:
                    token_file = around.tokens.mint(self._session_id)
                    stack.callback(around.tokens.revoke, token_file)
                    spec = await self._spec(token_file)
                    self.connection = await stack.enter_async_context(around.launcher.open(spec, self))
                yield self.connection
        except AgentFailure as failure:
            self.failed(failure)
            raise
        finally:
            self._over()

    async def _spec(self, token_file: str) -> LaunchSpec:
        around, start = self._around, self._start
        first_seq = 0
        if start.resume_session_id is not None or start.attempt > 1:
            around.recorder.flush(start.session_id)
            first_seq = await around.database.run(lambda store: store.entry_count(start.session_id))
        groups = around.sessions.groups_for(start.depth, start.agent.slug)
        agents = around.catalogue.custom_and_disabled()
        return LaunchSpec(
            agent=start.agent,
            cwd=start.cwd,
            mcp_servers=(companion_entry(around.address(), start.session_id, token_file, groups, agents),),
            start_timeout_s=around.start_timeout_s(),
            attempt=start.attempt,
            first_seq=first_seq,
            resume_session_id=start.resume_session_id,
        )

    def _over(self) -> None:
        around = self._around
        around.desk.session_gone(self._session_id)
        around.recorder.flush(self._session_id)
        around.sessions.process_over(self._session_id)
        if self._process is not None:
            around.database.write([DropProcess(self._process)])

    def failed(self, failure: AgentFailure) -> None:
        """Keep what the agent said on stderr with its session."""
        if failure.stderr:
            self._around.database.write([SaveStderr(self._session_id, failure.stderr)])

    def activity(self) -> Activity | None:
        """What it does now; None before its session is open."""
        if self.connection is None:
            return None
        line, calls = self.connection.live_line(), self.connection.tool_calls()
        return Activity(line=line, at_ms=self._last_sign_ms, tool_calls=calls, usage=usage_of(self.usage))

    def facts(self) -> RootFacts | None:
        """What a front end shows of it; None before its session is open."""
        connection = self.connection
        if connection is None:
            return None
        offers = connection.offers
        return RootFacts(
            modes=connection.modes,
            mode=connection.mode,
            usage=self.usage,
            live_line=connection.live_line(),
            tool_calls=connection.tool_calls(),
            options=offers.options,
            commands=offers.commands,
            images=offers.images,
        )

    def work(self) -> Work | None:
        """What it did in its present turn; None before its session is open."""
        if self.connection is None:
            return None
        calls, touched = self.connection.tool_calls(), self.connection.touched()
        if touched is None:
            return Work(calls)
        return Work(calls, touched.files, touched.added, touched.removed)

    def turn_over(self, result: TurnResult | None) -> None:
        """A turn ended; `result` None = it failed, what was reported until then was spent all the same."""
        self._around.spending.turn_over(self._session_id, result.usage if result is not None else self.usage)

    # ---- SessionSink

    def process_started(self, process: ProcessStarted) -> None:
        """Queue its identity for the store ahead of anything that the ledger makes of it."""
        self._process = ProcessIdentity(
            boot_id=process.boot_id,
            keeper_pid=process.keeper_pid,
            keeper_start=process.keeper_start,
            agent_pid=process.agent_pid,
            agent_start=process.agent_start,
        )
        self._around.sessions.process_began(self._session_id, process)
        self._around.database.write([SaveProcess(self._session_id, self._process)])
        self._on_process(self._process)

    def changed(self, change: ThreadChange) -> None:
        """Record and show an entry; a delegation among the tool calls goes to the ledger's matching."""
        self._last_sign_ms = self._around.wall_ms()
        self._around.recorder.mark(self._session_id, change.entry)
        self._around.snapshots.tell(EntryChanged(self._session_id, change))
        if change.entry.kind == "tool":
            self._look_at(change.entry)

    def permission_asked(self, request: PermissionRequest) -> None:
        """Show it to the person."""
        self._around.desk.permissions.asked(self._session_id, request, lambda option: self._answer(request.key, option))

    def permission_closed(self, key: str) -> None:
        """Take it off the desk."""
        self._around.desk.permissions.closed(self._session_id, key)

    def usage_changed(self, usage: TurnUsage) -> None:
        """Remember and show it."""
        self.usage = usage
        self._around.snapshots.tell(UsageChanged(self._session_id, usage))

    def options_changed(self) -> None:
        """Take over the title; the rest is read from the connection."""
        if self.connection is not None and self.connection.title:
            self._around.sessions.change(self._session_id, title=self.connection.title)
        self._around.snapshots.tell(OptionsChanged(self._session_id))

    def exited(self, failure: AgentFailure) -> None:
        """It ended outside a turn."""
        self.failed(failure)
        self._on_exit(failure)

    def _answer(self, key: str, option: str | None) -> bool:
        return self.connection is not None and self.connection.answer_permission(key, option)

    def _look_at(self, entry: Entry) -> None:
        found = recognise(entry.title, entry.raw_input, name=entry.tool_name)
        if found is None or found.tool != "delegate_to_agent" or not entry.tool_call_id:
            return
        seen = (delegation_key(found.arguments), entry.status in TERMINAL)
        if self._seen.get(entry.tool_call_id) == seen:
            return
        self._seen[entry.tool_call_id] = seen
        key, finished = seen
        self._around.post(
            ToolCallSeen(
                parent_id=self._session_id,
                tool_call_id=entry.tool_call_id,
                agent_type=key.agent_type,
                task_text=key.task_text,
                explicit_dir=key.explicit_dir,
                finished=finished,
            )
        )


def usage_of(usage: TurnUsage) -> Usage | None:
    """The same numbers in the ledger's words; None when nothing was reported."""
    if usage == TurnUsage():
        return None
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        context_used=usage.context_used,
        context_size=usage.context_size,
        cost_amount=usage.cost_amount,
        cost_currency=usage.cost_currency,
    )
