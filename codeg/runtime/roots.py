"""Root sessions: agents that a person talks to, from the desktop or from `codeg run`.

Owns the list of the live ones, and what may be begun: each agent session has one driver. Ends when its group is
cancelled.
"""

import base64
import os
import uuid
from collections.abc import Sequence
from dataclasses import replace

from codeg.broker.codes import Code
from codeg.runtime.asking import invalid
from codeg.runtime.conversation import RootFacts, Start, Surroundings
from codeg.runtime.holding import Holding
from codeg.runtime.root import Prompt, Root
from codeg.runtime.services import UserError
from codeg.sessions.connection import AgentFailure
from codeg.sessions.types import AgentDefinition, Image
from codeg.store.records import SessionRecord

MOST_IMAGES = 20
IMAGES_SIZE = 32 * 1024 * 1024
"""Characters of base64 of one prompt: a message of ours has 64 MiB at most."""


def _check_images(images: Sequence[Image], facts: RootFacts | None) -> None:
    if facts is None:
        raise UserError("conflict", "The session is not open yet.")
    if not facts.images:
        raise invalid("This agent takes no images.")
    if len(images) > MOST_IMAGES or sum(len(image.data) for image in images) > IMAGES_SIZE:
        raise invalid(f"A prompt takes at most {MOST_IMAGES} images of {IMAGES_SIZE // 2**20} MiB together.")
    for image in images:
        if not image.mime.startswith("image/") or not _is_base64(image.data):
            raise invalid("An image is given by its type, such as image/png, and its bytes in base64.")


def _is_base64(data: str) -> bool:
    try:
        return bool(base64.b64decode(data, validate=True))
    except ValueError:
        return False


def _is_folder(path: str) -> bool:
    return os.path.isabs(path) and os.path.isdir(path)


class Roots(Holding):
    """All live root sessions. `run` owns their tasks."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self._around = around
        self._live: dict[str, Root] = {}
        self._beginning: set[str] = set()
        self._ending = False

    async def begin(self, agent_slug: str, cwd: str) -> str:
        """Begin to open a root session; returns its id at once. Its state tells how that goes.

        Raises:
            UserError: an agent that is not known, enabled or installed; a folder that is not an absolute, existing one.
        """
        agent = self._agent(agent_slug)
        if not _is_folder(cwd):
            raise UserError(
                "invalid_working_dir", f"{cwd or 'The empty text'} is no absolute path of an existing folder."
            )
        now = self._around.wall_ms()
        session_id = f"session-{uuid.uuid4().hex[:20]}"
        record = SessionRecord(
            session_id=session_id,
            kind="root",
            folder=cwd,
            state="starting",
            created_ms=now,
            updated_ms=now,
            root_id=session_id,
            agent_type=agent.slug,
        )
        await self._begin(record, Start(session_id=session_id, depth=0, agent=agent, cwd=cwd))
        return session_id

    async def reopen(self, session_id: str) -> None:
        """Begin to open an ended root session again, with the agent's own memory of it.

        Raises:
            UserError: no ended root session of that id, one whose agent never opened it, or an agent that is not there.
        """
        self._refuse_second(session_id)
        record = await self._around.database.run(lambda store: store.session(session_id))
        if record is None or record.kind != "root" or self._around.sessions.is_deleted(session_id):
            raise invalid(f"There is no root session {session_id}.")
        if record.agent_session_id is None:
            raise UserError(
                "resume_unavailable", "The agent never opened this session, so there is nothing to go on with."
            )
        agent = self._agent(record.agent_type or "")
        reopened = replace(record, state="starting", updated_ms=self._around.wall_ms())
        await self._begin(
            reopened,
            Start(
                session_id=session_id,
                depth=0,
                agent=agent,
                cwd=record.folder,
                resume_session_id=record.agent_session_id,
            ),
        )

    async def opened(self, session_id: str) -> None:
        """Wait until a begun session is open.

        Raises:
            AgentFailure: it could not be opened.
        """
        root = self._root(session_id)
        await root.opened.wait()
        if root.failure is not None:
            raise root.failure

    def prompt(self, session_id: str, text: str, note_ids: Sequence[str] = (), images: Sequence[Image] = ()) -> None:
        """Begin a turn. `note_ids`: offered notes that the text holds; `images`: 20 at most, 32 MiB of base64 together.

        Raises:
            UserError: not live, a turn under way, nothing to say, or images that the agent does not take.
        """
        root = self._root(session_id)
        if not text.strip() and not images:
            raise invalid("A prompt needs a text.")
        if images:
            _check_images(images, root.facts())
        if root.closing:
            raise invalid(f"The session {session_id} is being closed.")
        if root.busy:
            raise UserError("conflict", "The session works on a turn; cancel it or wait for its end.")
        root.prompt(Prompt(text, tuple(note_ids), tuple(images)))

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and the session's tasks.

        Raises:
            UserError: not live.
        """
        await self._root(session_id).cancel()

    def begin_close(self, session_id: str) -> None:
        """Begin to end the session; one that has ended: nothing."""
        root = self._live.get(session_id)
        if root is not None:
            root.close()

    async def close(self, session_id: str) -> None:
        """End the session and wait until its agent is gone; one that has ended: nothing."""
        root = self._live.get(session_id)
        if root is not None:
            root.close()
            await root.gone.wait()

    async def set_mode(self, session_id: str, mode_id: str) -> None:
        """Change the agent's session mode.

        Raises:
            UserError: not open, or the agent refuses.
        """
        connection = self._root(session_id).connection
        if connection is None:
            raise UserError("conflict", "The session is not open yet.")
        try:
            await connection.set_mode(mode_id)
        except AgentFailure as failure:
            raise UserError(failure.code, failure.message) from failure

    async def set_option(self, session_id: str, option_id: str, value: str) -> None:
        """Change a config option of the agent (`true` or `false` for a switch).

        Raises:
            UserError: not open, an option or value that is not offered, or the agent refuses.
        """
        connection = self._root(session_id).connection
        if connection is None:
            raise UserError("conflict", "The session is not open yet.")
        option = next((each for each in connection.offers.options if each.option_id == option_id), None)
        if option is None:
            raise invalid(f"The agent offers no option {option_id}.")
        if option.choices and value not in dict(option.choices):
            raise invalid(f"The option {option.name} does not take {value}.")
        try:
            await connection.set_option(option_id, value)
        except AgentFailure as failure:
            raise UserError(failure.code, failure.message) from failure

    def is_live(self, session_id: str) -> bool:
        """It is open, or about to be."""
        return session_id in self._live

    def facts(self, session_id: str) -> RootFacts | None:
        """What a front end shows of a live root; None before it is open."""
        root = self._live.get(session_id)
        return root.facts() if root is not None else None

    async def close_all(self) -> None:
        """End all sessions, in parallel, and wait until they are gone; no other begins any more."""
        self._ending = True
        roots = tuple(self._live.values())
        for root in roots:
            root.close()
        for root in roots:
            await root.gone.wait()

    async def _begin(self, record: SessionRecord, start: Start) -> None:
        self._refuse_second(record.session_id)
        self._beginning.add(record.session_id)
        try:
            await self._around.sessions.save(record)
        finally:
            self._beginning.discard(record.session_id)
        if self._ending:
            self._around.sessions.change(record.session_id, state="ended")
            raise UserError(Code.HOST_UNAVAILABLE, "The host is ending.")
        if self._around.sessions.is_deleted(record.session_id):
            self._around.sessions.change(record.session_id, state="ended")
            raise invalid(f"There is no root session {record.session_id}.")
        root = Root(self._around, start)
        self._live[record.session_id] = root

        def over() -> None:
            del self._live[record.session_id]

        self._group.start_soon(root.run, over)

    def _refuse_second(self, session_id: str) -> None:
        """One agent session has one driver."""
        if session_id in self._live or session_id in self._beginning:
            raise UserError("conflict", "This session is open already.")

    def _agent(self, slug: str) -> AgentDefinition:
        agent = self._around.catalogue.find(slug)
        if agent is None:
            known = ", ".join(self._around.catalogue.enabled_slugs())
            raise UserError("invalid_agent_type", f"There is no agent {slug}. Known agents: {known}.")
        if not agent.enabled:
            raise UserError("agent_disabled", f"The agent {slug} is disabled in agents.toml.")
        if not self._around.catalogue.installed(slug):
            why = self._around.catalogue.why_missing(slug)
            raise UserError("agent_not_installed", f"{agent.label} is not installed: {why}")
        return agent

    def _root(self, session_id: str) -> Root:
        root = self._live.get(session_id)
        if root is None:
            raise invalid(f"The session {session_id} is not open.")
        return root
