"""A running core with stub agents and a real store: what the tests of the shell drive."""

import itertools
import math
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from codeg.broker.codes import Status
from codeg.broker.events import CallReceived, CancelRequested, Event, ResumeRequested, StatusAsked
from codeg.broker.tasks import Answer, Limits, Parent, Refused, TaskView
from codeg.runtime.core import Core, CoreParts, open_core
from codeg.runtime.database import open_database
from codeg.runtime.injection import HostAddress
from codeg.runtime.loop import system_now
from codeg.runtime.snapshots import Change, TaskChanged, What
from tests.runtime.stubs import PATIENCE_S, GatedLauncher, HeldDatabase, Leftovers, StubCatalogue, StubTokens

_ids = itertools.count(1)


class Rig:
    """The core and everything around it that a test may turn."""

    def __init__(self, folder: Path, limits: Limits, starts_at_once: int) -> None:
        self.folder = folder
        self.limits = limits
        self.launcher = GatedLauncher()
        self.catalogue = StubCatalogue()
        self.tokens = StubTokens()
        self.leftovers = Leftovers()
        self.changes: list[What] = []
        self.core: Core
        self.database: HeldDatabase
        self.parts = CoreParts(
            launcher=self.launcher,
            catalogue=self.catalogue,
            tokens=self.tokens,
            address=lambda: HostAddress("/run/broker.sock", 77, None),
            limits=lambda: self.limits,
            start_timeout_s=lambda: 60.0,
            result_cache_bytes=lambda: 512 * 1024 * 1024,
            end_leftovers=self.leftovers,
            now=system_now,
            starts_at_once=starts_at_once,
        )

    # ---- scripts of agents

    def held(self, name: str, then: str = "") -> str:
        """A task that waits for `let(name)`, then says its name."""
        return f"@wait {self.folder / name} @say Result of {name}. {then}".strip()

    def let(self, name: str) -> None:
        """Let that task go on."""
        (self.folder / name).touch()

    # ---- what a companion asks for

    async def ask(self, make: Callable[[int], Event]) -> tuple[Answer, ...]:
        """Ask the broker and wait for the answer."""
        answers: list[tuple[Answer, ...]] = []
        done = anyio.Event()

        def answered(found: tuple[Answer, ...]) -> None:
            answers.append(found)
            done.set()

        self.core.broker.ask(make, answered)
        with anyio.fail_after(PATIENCE_S):
            await done.wait()
        return answers[0]

    def parent(self, parent_id: str = "root") -> Parent:
        """A parent: a session of the core, else a root by that name."""
        return self.core.sessions.parent(parent_id) or Parent(parent_id, parent_id, 0, str(self.folder))

    async def call(self, text: str, parent_id: str = "root", agent: str = "demo", **fields: Any) -> TaskView:
        """A delegation that is accepted."""
        answer = await self.try_call(text, parent_id, agent, **fields)
        assert isinstance(answer, TaskView), answer
        return answer

    async def try_call(self, text: str, parent_id: str = "root", agent: str = "demo", **fields: Any) -> Answer:
        """A delegation, whatever becomes of it."""
        number = next(_ids)
        parent = self.parent(parent_id)
        answers = await self.ask(
            lambda ref: CallReceived(
                ref=ref,
                parent=parent,
                task_id=f"{agent}-task-{number}",
                child_id=f"child-{number}",
                agent_type=agent,
                task_text=text,
                working_dir=fields.pop("working_dir", parent.folder),
                **fields,
            )
        )
        return answers[0]

    async def ended(self, task_id: str) -> TaskView:
        """The task at its end."""
        answers = await self.ask(lambda ref: StatusAsked(ref, None, (task_id,), math.inf))
        assert isinstance(answers[0], TaskView)
        return answers[0]

    async def snapshot(self, task_id: str) -> TaskView:
        """The task as it stands."""
        answers = await self.ask(lambda ref: StatusAsked(ref, None, (task_id,)))
        assert isinstance(answers[0], TaskView)
        return answers[0]

    async def cancel(self, task_id: str) -> TaskView:
        """Cancel it, by the operator."""
        answers = await self.ask(lambda ref: CancelRequested(ref, None, task_id))
        assert isinstance(answers[0], TaskView)
        return answers[0]

    async def resume(self, task_id: str, parent_id: str = "root") -> TaskView | Refused:
        """Resume it, by the operator."""
        parent = self.parent(parent_id)
        answers = await self.ask(lambda ref: ResumeRequested(ref, None, task_id, parent))
        assert isinstance(answers[0], (TaskView, Refused))
        return answers[0]

    async def text(self, task_id: str) -> str:
        """Its result text."""
        return (await self.core.broker.result(task_id, 0, 1_000_000)).decode()

    async def root(self, agent: str = "demo") -> str:
        """A root session that is open and idle."""
        session_id = await self.core.roots.begin(agent, str(self.folder))
        with anyio.fail_after(PATIENCE_S):
            await self.core.roots.opened(session_id)
        return session_id

    async def settled(self) -> None:
        """Everything posted is carried out."""
        with anyio.fail_after(PATIENCE_S):
            await self.core.broker.settled()

    def prompt_accepted(self, task_id: str) -> bool:
        """The task's prompt was written, and that is durable."""
        view = self.core.broker.view(task_id)
        return view is not None and view.record.started_ms is not None

    def statuses(self, task_id: str) -> list[Status]:
        """The statuses that observers saw of a task, repeats left out."""
        seen: list[Status] = []
        for what in self.changes:
            if (
                isinstance(what, TaskChanged)
                and what.view.record.task_id == task_id
                and seen[-1:] != [what.view.status]
            ):
                seen.append(what.view.status)
        return seen


@asynccontextmanager
async def open_rig(folder: Path, limits: Limits | None = None, starts_at_once: int = 2) -> AsyncGenerator[Rig]:
    """A rig over the store in `folder`; everything is ended on leaving."""
    rig = Rig(folder, limits or Limits(), starts_at_once)

    def noted(change: Change) -> None:
        rig.changes.append(change.what)

    with anyio.fail_after(60):
        async with open_database(str(folder / "codeg.db")) as database:
            rig.database = HeldDatabase(database)
            async with open_core(rig.database, rig.parts) as core:
                rig.core = core
                core.snapshots.subscribe(noted)
                yield rig
