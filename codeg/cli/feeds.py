"""Where `codeg run` gets its events: a host of its own in this process, or the one that runs already.

Owns the two doors behind one promise. Ends with its context.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from anyio.to_thread import run_sync

from codeg import api

Json = dict[str, Any]


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


class OwnHost:
    """A host in this process."""

    def __init__(self, host: api.Host) -> None:
        self._host = host

    async def start(self, order: Json) -> str:
        """Open the session."""
        return await self._host.runs.start(
            order["agent"], order["cwd"], order["prompt"], yes=order["yes"], person=order["person"]
        )

    async def events(self, session_id: str, after: int) -> tuple[list[Json], int, bool]:
        """Events after the cursor."""
        return await self._host.runs.events(session_id, after, 10)

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks."""
        await self._host.runs.cancel(session_id)

    async def answer(self, request_id: str, option: str | None, answers: list[Json] | None) -> None:
        """The person's answer."""
        await self._host.desk.answer(request_id, option, answers, decline=option is None and answers is None)


class RunningHost:
    """The host that runs already, over its socket."""

    def __init__(self, client: api.OperatorClient) -> None:
        self._client = client

    async def _ask(self, op: str, **fields: Any) -> Any:
        return await run_sync(lambda: self._client.request(op, **fields), abandon_on_cancel=True)

    async def start(self, order: Json) -> str:
        """Open the session."""
        return (await self._ask("run", **order))["session_id"]

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


@asynccontextmanager
async def open_feed(home: str | None) -> AsyncGenerator[Feed]:
    """The running host when there is one, else a host of our own for as long as the context lasts."""
    client = api.OperatorClient(home)
    try:
        await run_sync(lambda: client.request("asks"))
    except api.HostUnavailable:
        pass
    else:
        yield RunningHost(client)
        return
    async with api.open_host(api.HostSettings(home=home)) as host:
        yield OwnHost(host)
