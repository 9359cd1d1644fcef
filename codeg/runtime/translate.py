"""A `call` of the wire as a fact of the ledger (contract 6, delegate_to_agent and Limits).

Owns the judgement of a call's arguments against the world as it is now: the agent, the task's text, the folder. What
it finds against a call travels in the event; the ledger applies it in the contract's order. It starts nothing and
answers nobody.
"""

import hashlib
import json
import os
import uuid
from dataclasses import dataclass
from typing import Any

import anyio.to_thread

from codeg.broker.codes import Code
from codeg.broker.events import CallReceived
from codeg.broker.tasks import Parent, TaskRecord
from codeg.runtime.services import CataloguePort, DatabasePort, Services
from codeg.runtime.task_ids import new_task_id
from codeg.wire.models import Call

MOST_KEY = 256
"""Characters of an idempotency key."""

Refusal = tuple[Code, str]


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call, read.

    `refusal`: the first thing wrong with them; then the other fields hold what could be read.
    """

    agent_type: str = ""
    task: str = ""
    working_dir: str | None = None
    idempotency_key: str | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the child would work. `outside`: not in the parent's folder, links followed."""

    path: str
    outside: bool = False
    refusal: Refusal | None = None


def read_arguments(given: dict[str, Any], catalogue: CataloguePort) -> Arguments:
    """Read the arguments as the model gave them; null counts as absent, unknown ones are ignored."""
    agent_type, task = given.get("agent_type"), given.get("task")
    folder, key = given.get("working_dir"), given.get("idempotency_key") or None
    found = Arguments(
        agent_type if isinstance(agent_type, str) else "",
        task if isinstance(task, str) else "",
        folder if isinstance(folder, str) else None,
        key if isinstance(key, str) else None,
    )
    refusal = (
        _why_not_agent(agent_type, catalogue)
        or _why_not_task(task)
        or _why_not_key(key)
        or _why_not_text_folder(folder)
    )
    return Arguments(found.agent_type, found.task, found.working_dir, found.idempotency_key, refusal)


def why_not_startable(agent_type: str, catalogue: CataloguePort) -> Refusal | None:
    """What speaks against starting this agent now: unknown, disabled or not installed."""
    agent = catalogue.find(agent_type)
    if agent is None:
        known = ", ".join(catalogue.enabled_slugs()) or "none"
        return (
            Code.INVALID_AGENT_TYPE,
            f"agent_type {agent_type[:100]!r} is no agent that is known here; there are: {known}.",
        )
    if not agent.enabled:
        return (
            Code.AGENT_DISABLED,
            f"The agent {agent_type} is switched off in the settings; choose another agent_type.",
        )
    if not catalogue.installed(agent_type):
        why = catalogue.why_missing(agent_type)
        return Code.AGENT_NOT_INSTALLED, f"The agent {agent_type} is not installed on this machine: {why}"
    return None


async def why_not_again(record: TaskRecord, catalogue: CataloguePort) -> Refusal | None:
    """What speaks against starting the task's agent once more, as a reason not to resume. Looks at the disk."""
    found = why_not_startable(record.agent_type, catalogue)
    if found is not None:
        return Code.RESUME_UNAVAILABLE, found[1]
    if not await anyio.to_thread.run_sync(os.path.isdir, record.working_dir):
        return Code.RESUME_UNAVAILABLE, f"Its folder {record.working_dir} does not exist any more."
    return None


def digest_of(arguments: Arguments) -> str:
    """SHA-256 of what a repeat under one key must repeat: agent, task, folder as given."""
    meant = [arguments.agent_type, arguments.task, arguments.working_dir]
    return hashlib.sha256(json.dumps(meant, separators=(",", ":")).encode("ascii")).hexdigest()


def judge_folder(explicit: str | None, parents: str, rule: str) -> Folder:
    """The folder of the child, by the parent's folder and the setting `outside_folder` (`ask`, `allow`, `refuse`).

    Reads the disk.
    """
    path = parents if explicit is None else explicit
    if not os.path.isabs(path):
        return _bad_folder(path, "working_dir must be an absolute path; leave it out to use your own folder.")
    try:
        if not os.path.isdir(path):
            return _bad_folder(path, f"working_dir {path[:200]!r} is not an existing directory.")
        outside = explicit is not None and not _within(path, parents)
    except (OSError, ValueError):
        return _bad_folder(path, "working_dir cannot be looked at.")
    if outside and rule == "refuse":
        text = f"working_dir {path[:200]!r} is outside your folder {parents}; the settings refuse that."
        return _bad_folder(path, text)
    return Folder(path, outside=outside and rule != "allow")


async def prepare_call(services: Services, parent: Parent, call: Call) -> "tuple[CallReceived, bool]":
    """Look at the world for this call.

    Returns the event (its `ref` is 0, to be set by the asker) and whether it carries a key.
    """
    await services.catalogue.look_ready()
    arguments = read_arguments(call.input, services.catalogue)
    rule = services.outside_folder()
    folder = await anyio.to_thread.run_sync(judge_folder, arguments.working_dir, parent.folder, rule)
    stored = await keyed_record(services.database, parent, arguments)
    event = CallReceived(
        ref=0,
        parent=parent,
        task_id=new_task_id(arguments.agent_type, arguments.task),
        child_id=str(uuid.uuid4()),
        agent_type=arguments.agent_type,
        task_text=arguments.task,
        working_dir=folder.path,
        explicit_dir=arguments.working_dir,
        tool_use_id=call.parent_tool_use_id,
        external_handle=call.external_handle,
        idempotency_key=arguments.idempotency_key,
        digest=digest_of(arguments),
        refusal=_withheld(services, parent) or arguments.refusal or folder.refusal,
        folder_question=str(uuid.uuid4()) if folder.outside else None,
        keyed_record=stored,
    )
    return event, arguments.idempotency_key is not None


async def keyed_record(database: DatabasePort, parent: Parent, arguments: Arguments) -> TaskRecord | None:
    """The stored task of this parent under the call's key, if it has one."""
    key = arguments.idempotency_key
    if key is None:
        return None
    return await database.run(lambda store: store.task_by_key(parent.parent_id, key))


def _withheld(services: Services, parent: Parent) -> Refusal | None:
    """`[agents.X] delegate = false` withholds delegation from an agent, and holds even if it finds the tool."""
    record = services.sessions.get(parent.parent_id)
    agent = services.catalogue.find(record.agent_type) if record is not None and record.agent_type else None
    if agent is None or agent.delegate:
        return None
    return Code.DELEGATION_DISABLED, f"Delegation is switched off for the agent {agent.slug}."


def _why_not_agent(given: object, catalogue: CataloguePort) -> Refusal | None:
    if not isinstance(given, str) or not given:
        known = ", ".join(catalogue.enabled_slugs()) or "none"
        return Code.INVALID_ARGUMENTS, f"agent_type must be one of the known agents as a string: {known}."
    return why_not_startable(given, catalogue)


def _why_not_task(given: object) -> Refusal | None:
    if isinstance(given, str) and given.strip():
        return None
    return Code.INVALID_ARGUMENTS, "task must be a string that says what to do; it must not be empty or blank."


def _why_not_key(given: object) -> Refusal | None:
    if given is None or (isinstance(given, str) and len(given) <= MOST_KEY):
        return None
    return Code.INVALID_ARGUMENTS, f"idempotency_key must be a string of at most {MOST_KEY} characters, or be left out."


def _why_not_text_folder(given: object) -> Refusal | None:
    if given is None or isinstance(given, str):
        return None
    return Code.INVALID_ARGUMENTS, "working_dir must be an absolute path as a string, or be left out."


def _bad_folder(path: str, sentence: str) -> Folder:
    return Folder(path, refusal=(Code.INVALID_WORKING_DIR, sentence))


def _within(path: str, parents: str) -> bool:
    real, base = os.path.realpath(path), os.path.realpath(parents)
    return os.path.commonpath([real, base]) == base
