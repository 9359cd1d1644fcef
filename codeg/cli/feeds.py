"""Where `codeg run` gets its events: a host of its own in this process, or the one that runs already.

Owns the two doors behind one promise. Ends with its context.
"""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, Protocol

import anyio
from anyio.to_thread import run_sync

from codeg import api
from codeg.cli import output

Json = dict[str, Any]
PATIENCE_S: Final = 8.0
"""As long as a host may take to end (contract 2)."""
RETRY_S: Final = 0.1


class Feed(Protocol):
    """One run."""

    async def start(self, order: Json) -> str:
        """Open the session: `agent`, `cwd`, `prompt`, `yes`, `person`; its id."""
        ...

    async def events(self, session_id: str, after: int) -> tuple[list[Json], int, bool]:
        """Events after the cursor, the next cursor, whether the run has ended; waits up to 10 s."""
        ...

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks."""
        ...

    async def answer(self, request_id: str, option: str | None, answers: list[Json] | None) -> None:
        """The person's answer; None for both dismisses."""
        ...

    async def settle(self) -> None:
        """Wait until nobody else's work would end with this process."""
        ...


class OwnHost:
    """A host in this process."""

    def __init__(self, host: api.Host) -> None:
        self._host = host
        self._mine = ""

    async def start(self, order: Json) -> str:
        """Open the session."""
        self._mine = await self._host.runs.start(
            order["agent"], order["cwd"], order["prompt"], yes=order["yes"], person=order["person"]
        )
        return self._mine

    async def events(self, session_id: str, after: int) -> tuple[list[Json], int, bool]:
        """Events after the cursor."""
        return await self._host.runs.events(session_id, after, 10)

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks."""
        await self._host.runs.cancel(session_id)

    async def answer(self, request_id: str, option: str | None, answers: list[Json] | None) -> None:
        """The person's answer."""
        await self._host.desk.answer(request_id, option, answers, decline=option is None and answers is None)

    async def settle(self) -> None:
        """Other runs and outside sessions may have come to this host; their work is not to be lost."""
        moved = anyio.Event()

        def changed(_: api.Change) -> None:
            moved.set()

        leave = self._host.subscribe(changed)
        try:
            told = False
            while busy := self._others():
                if not told:
                    output.complain(f"{busy}; Ctrl-C ends it")
                told = True
                await moved.wait()
                moved = anyio.Event()
        finally:
            leave()

    def _others(self) -> str:
        now = self._host.snapshot()
        if now.tasks:
            return f"this host still works on {len(now.tasks)} task(s) of others"
        # Our own is closed a moment after its last event.
        others = any(s.kind == "root" and s.session_id != self._mine for s in now.sessions)
        return "another run uses this host" if others else ""


class RunningHost:
    """The host that runs already, over its socket."""

    def __init__(self, client: api.OperatorClient) -> None:
        self._client = client
        self._begun = False

    async def _ask(self, op: str, **fields: Any) -> Any:
        try:
            return await run_sync(lambda: self._client.request(op, **fields), abandon_on_cancel=True)
        except api.HostUnavailable as error:
            if self._begun:
                raise api.HostError(f"The host went away during the run: {error}") from error
            raise

    async def start(self, order: Json) -> str:
        """Open the session."""
        session_id: str = (await self._ask("run", **order))["session_id"]
        self._begun = True
        return session_id

    async def events(self, session_id: str, after: int) -> tuple[list[Json], int, bool]:
        """Events after the cursor."""
        page = await self._ask("run", session_id=session_id, after=after, wait_ms=10_000)
        return page["events"], page["next"], page["ended"]

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks."""
        await self._ask("run", session_id=session_id, cancel=True)

    async def answer(self, request_id: str, option: str | None, answers: list[Json] | None) -> None:
        """The person's answer."""
        said: Json = {"option": option} if option is not None else {"answers": answers} if answers is not None else {}
        await self._ask("answer", request_id=request_id, **(said or {"decline": True}))

    async def settle(self) -> None:
        """The host outlives us."""


@asynccontextmanager
async def open_feed(home: str | None) -> AsyncGenerator[Feed]:
    """The running host when there is one, else a host of our own for as long as the context lasts.

    A host that starts or stops at this moment is waited for, `PATIENCE_S` at most.

    Raises:
        HostRunning: it can neither be asked nor replaced.
    """
    client = api.OperatorClient(home)
    deadline = anyio.current_time() + PATIENCE_S
    async with AsyncExitStack() as stack:
        feed = await _running(client)
        while feed is None:
            try:
                feed = OwnHost(await stack.enter_async_context(api.open_host(api.HostSettings(home=home))))
            except api.HostRunning:
                if anyio.current_time() > deadline:
                    raise
                await anyio.sleep(RETRY_S)
                feed = await _running(client)
        yield feed


async def _running(client: api.OperatorClient) -> Feed | None:
    try:
        await run_sync(lambda: client.request("asks"))
    except api.HostUnavailable:
        return None
    return RunningHost(client)
