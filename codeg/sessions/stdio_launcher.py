"""Starts an agent as a process and opens its session over stdin and stdout.

Owns the order of start and end, and what a failed start is called. The process tree is `process`'s, the conversation
`stdio_connection`'s. Each context ends its whole tree.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import cast

import anyio

from codeg.sessions.connection import AgentConnection, LaunchSpec, SessionSink
from codeg.sessions.environment import ProgramMissing, agent_environment, resolve_command
from codeg.sessions.failures import Wording
from codeg.sessions.process import spawn_agent
from codeg.sessions.process_types import AgentProcess, SpawnFailed
from codeg.sessions.stdio_connection import StdioConnection

Spawn = Callable[[Sequence[str], Mapping[str, str], str], AbstractAsyncContextManager[AgentProcess]]
SearchPath = Callable[[], Awaitable[str]]


class StdioLauncher:
    """Starts agents as processes; keeps the promise `Launcher`.

    `path` gives the PATH for agents (`environment.search_path`, with what the login shell says), `base` is the user's
    environment, `spawn` starts a program that lives as long as its context.
    """

    def __init__(
        self, path: SearchPath, base: Mapping[str, str], client_version: str, spawn: Spawn = spawn_agent
    ) -> None:
        self._path = path
        self._base = base
        self._client_version = client_version
        self._spawn = spawn

    @asynccontextmanager
    async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
        """Start the agent and open its session; see the promise.

        Raises:
            AgentFailure: on entering.
        """
        wording = Wording(spec.agent)
        try:
            path = await self._path()
            command = resolve_command(spec.agent, path)
            environment = agent_environment(self._base, spec.agent, path)
            async with self._spawn(command, environment, spec.cwd) as process:
                sink.process_started(process.identity)
                connection = StdioConnection(spec, sink, process, self._client_version)
                async with anyio.create_task_group() as tasks:
                    try:
                        await connection.open(tasks)
                        yield connection
                    finally:
                        await connection.stop()
                        tasks.cancel_scope.cancel()
        except (SpawnFailed, ProgramMissing) as failed:
            raise wording.not_started(failed.message) from None
        except BaseExceptionGroup as group:
            raise _only(group) from None


def _only(error: BaseException) -> BaseException:
    """What was raised inside: a task group wraps it, although its own tasks raise nothing."""
    while isinstance(error, BaseExceptionGroup):
        inner = cast("BaseExceptionGroup[BaseException]", error).exceptions
        if len(inner) != 1:
            break
        error = inner[0]
    return cast("BaseException", error)
