"""All that a front end may use: the command line and the desktop import nothing else of Codeg.

Owns the names, and the choice between a running host and the store for what the shell only looks at. Raises
`UserError` (somebody asked for what cannot be done), `HostUnavailable` (no host runs) and `HostError` (one sentence).
"""

import base64
import os
import platform
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

from codeg.broker.codes import BlockKind, Code, Phase, Status
from codeg.broker.tasks import Answer, Block, End, Refused, TaskRecord, TaskView, Unknown, Usage
from codeg.runtime.agent_path import AgentPath
from codeg.runtime.agents_file import Imported as ImportedAgent
from codeg.runtime.agents_file import import_entry
from codeg.runtime.app import HostSettings, open_host
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.client import TO_DO, HostUnavailable, OperatorClient
from codeg.runtime.conversation import RootFacts
from codeg.runtime.discovery import HostRunning
from codeg.runtime.doctor import Finding, examine
from codeg.runtime.host import Host
from codeg.runtime.logs import open_log
from codeg.runtime.loop import HostFailed as HostError
from codeg.runtime.probing import AgentProbe
from codeg.runtime.registrations.checkup import Registration
from codeg.runtime.registrations.programs import PROGRAMS
from codeg.runtime.registrations.programs import Scope as McpScope
from codeg.runtime.registrations.registrar import Outcome as McpOutcome
from codeg.runtime.registrations.registrar import Registrar, here, program_of
from codeg.runtime.services import Activity, UserError
from codeg.runtime.snapshots import (
    AgentsChanged,
    AsksChanged,
    Change,
    DayUsageChanged,
    EntryChanged,
    NotesChanged,
    NotesOffered,
    OptionsChanged,
    QuestionChanged,
    SessionChanged,
    SessionDeleted,
    SettingsChanged,
    Snapshot,
    TaskChanged,
    TurnFinished,
    UsageChanged,
)
from codeg.runtime.stored import StoredTasks
from codeg.sessions.answers import Answers, answers_of
from codeg.sessions.answers import Choice as AnswerChoice
from codeg.sessions.connection import AgentFailure
from codeg.sessions.diffs import line_changes
from codeg.sessions.envelopes import ToolReport, failure_of, legacy_outcome, reports_of, task_id_of
from codeg.sessions.recognise import OwnToolCall, recognise
from codeg.sessions.registry_entry import registry_platform
from codeg.sessions.types import (
    AgentDefinition,
    ConfigOption,
    Entry,
    Image,
    SlashCommand,
    ThreadChange,
    TurnResult,
    TurnUsage,
)
from codeg.store.homes import HomePaths, home_paths
from codeg.store.records import DayUsage, Hit, NoteRecord, QuestionRecord, SessionRecord
from codeg.store.settings import DesktopSettings, Settings, SettingsError, change_settings, load_settings
from codeg.store.store import StoreError
from codeg.wire.version import VERSION

__all__ = [
    "MCP_HOSTS",
    "VERSION",
    "Activity",
    "AgentDefinition",
    "AgentFailure",
    "AgentProbe",
    "AgentsChanged",
    "Answer",
    "AnswerChoice",
    "Answers",
    "AsksChanged",
    "Block",
    "BlockKind",
    "Change",
    "Code",
    "ConfigOption",
    "DayUsage",
    "DayUsageChanged",
    "DesktopSettings",
    "End",
    "Entry",
    "EntryChanged",
    "Finding",
    "Hit",
    "HomePaths",
    "Host",
    "HostError",
    "HostRunning",
    "HostSettings",
    "HostUnavailable",
    "Image",
    "ImportedAgent",
    "McpOutcome",
    "McpScope",
    "NoteRecord",
    "NotesChanged",
    "NotesOffered",
    "OperatorClient",
    "OptionsChanged",
    "OwnToolCall",
    "Phase",
    "QuestionChanged",
    "QuestionRecord",
    "Refused",
    "Registration",
    "RootFacts",
    "SessionChanged",
    "SessionDeleted",
    "SessionRecord",
    "Settings",
    "SettingsChanged",
    "SettingsError",
    "SlashCommand",
    "Snapshot",
    "Status",
    "TaskChanged",
    "TaskRecord",
    "TaskView",
    "ThreadChange",
    "ToolReport",
    "TurnFinished",
    "TurnResult",
    "TurnUsage",
    "Unknown",
    "Usage",
    "UsageChanged",
    "UserError",
    "answers_of",
    "change_settings",
    "doctor",
    "failure_of",
    "home_paths",
    "import_agent",
    "legacy_outcome",
    "line_changes",
    "list_agents",
    "list_sessions",
    "list_tasks",
    "load_settings",
    "mcp_add",
    "mcp_remove",
    "mcp_show",
    "open_host",
    "open_log",
    "recognise",
    "reports_of",
    "show_task",
    "task_id_of",
    "task_result",
    "wait_tasks",
]

Json = dict[str, Any]
T = TypeVar("T")

MOST_LISTED = 1_000
"""Newest tasks and sessions of a list."""
MCP_HOSTS = tuple(program.slug for program in PROGRAMS)
"""Host programs that the companion can be registered in."""
_PAGE = 200
_RESULT_PAGE = 1024 * 1024
_ENDS = frozenset({"completed", "failed", "canceled", "interrupted", "unknown"})


def list_tasks(home: str | None) -> list[Json]:
    """The newest 1,000 tasks as reports without text, from the running host, else from the store."""
    return _either(home, lambda client: _paged(client, "tasks", "task_id"), lambda store: store.tasks(MOST_LISTED))


def show_task(home: str | None, task_id: str) -> Json:
    """One report; an unknown id is a report with `unknown`."""
    return _either(home, lambda client: client.request("show", task_id=task_id), lambda store: store.show(task_id))


def wait_tasks(home: str | None, task_ids: Sequence[str]) -> list[Json]:
    """Reports once all of these tasks have ended; without a host all have."""
    return _either(
        home, lambda client: _waited(client, task_ids), lambda store: [store.show(task_id) for task_id in task_ids]
    )


def task_result(home: str | None, task_id: str) -> bytes | None:
    """The whole text of a task, byte for byte; None = there is no such task."""
    return _either(home, lambda client: _whole_result(client, task_id), lambda store: store.result(task_id))


def list_sessions(home: str | None) -> list[Json]:
    """The newest 1,000 sessions, from the running host, else from the store."""
    return _either(home, lambda client: _paged(client, "sessions", "id"), lambda store: store.sessions(MOST_LISTED))


def list_agents(home: str | None) -> tuple[list[Json], str | None]:
    """Every known agent, and what is wrong with the user's file, if anything (file, line, reason)."""
    paths = home_paths(home)
    try:
        settings, fault = load_settings(paths.settings_file), None
    except SettingsError as error:
        settings, fault = Settings(), str(error)
    catalogue = AgentCatalogue(paths.agents_file, AgentPath(os.environ).find, settings.agent)
    listed = catalogue.listing()
    faults = [*([fault] if fault else []), *map(str, catalogue.problems())]
    return listed, "\n".join(faults) or None


def import_agent(home: str | None, entry_file: str) -> ImportedAgent:
    """Add the agent of a registry entry (`agent.json`) to the user's agents; nothing is downloaded.

    Raises:
        UserError: the entry or agents.toml cannot be used; nothing was written.
    """
    system = registry_platform(sys.platform, platform.machine())
    return import_entry(home_paths(home).agents_file, entry_file, system, AgentPath(os.environ).find)


async def doctor(home: str | None) -> list[Json]:
    """All findings, as `codeg doctor --json` prints them."""
    return [finding.shown() for finding in await examine(home, lambda: _reach(home))]


async def mcp_add(home: str | None, host: str, scope: McpScope, approve: bool) -> McpOutcome:
    """Register the companion in a host program; `approve`: its tools run there without asking."""
    return await Registrar(program_of(host), scope, here(home)).add(approve=approve)


async def mcp_remove(home: str | None, host: str, scope: McpScope) -> McpOutcome:
    """Take the companion out of a host program's configuration again."""
    return await Registrar(program_of(host), scope, here(home)).remove()


def mcp_show(home: str | None, host: str, scope: McpScope, approve: bool) -> McpOutcome:
    """What `mcp_add` would write, as `snippet`; changes nothing."""
    return Registrar(program_of(host), scope, here(home)).show(approve=approve)


def _reach(home: str | None) -> Finding:
    try:
        OperatorClient(home).request("asks")
    except HostUnavailable as error:
        return Finding("host", "warning", str(error).removesuffix(TO_DO).strip(), TO_DO)
    except UserError as error:
        return Finding("host", "error", error.message, "Stop the host and start it again.")
    return Finding("host", "ok", "A host runs and answers.")


def _either(home: str | None, ask: Callable[[OperatorClient], T], look: Callable[[StoredTasks], T]) -> T:
    try:
        return ask(OperatorClient(home))
    except HostUnavailable:
        pass
    try:
        return look(StoredTasks(home))
    except StoreError as error:
        raise HostError(str(error)) from error


def _paged(client: OperatorClient, op: str, key: str) -> list[Json]:
    return list(islice(client.pages(op, key, _PAGE), MOST_LISTED))


def _waited(client: OperatorClient, task_ids: Sequence[str]) -> list[Json]:
    reports: dict[str, Json] = {}
    while open_ids := [task_id for task_id in dict.fromkeys(task_ids) if task_id not in reports]:
        for report in client.request("wait", task_ids=open_ids, wait_ms=0):
            if report["status"] in _ENDS:
                reports[report["task_id"]] = report
    return [reports[task_id] for task_id in task_ids]


def _whole_result(client: OperatorClient, task_id: str) -> bytes | None:
    text, offset = bytearray(), 0
    while True:
        page: Json = client.request("result", task_id=task_id, offset=offset, limit=_RESULT_PAGE)
        if page["status"] == "unknown":
            return None
        text += base64.b64decode(page["data"])
        if page["next_offset"] is None:
            return bytes(text)
        offset = page["next_offset"]
