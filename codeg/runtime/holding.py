"""A part of the shell whose tasks live in a group of its own.

Owns that group: nothing is started before it is there, and all that was started ends with it.
"""

import anyio
import anyio.abc


class Holding:
    """Base of such a part."""

    def __init__(self) -> None:
        self._held: anyio.abc.TaskGroup | None = None

    @property
    def _group(self) -> anyio.abc.TaskGroup:
        assert self._held is not None, "run() comes first"
        return self._held

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Hold the part's tasks until cancelled."""
        async with anyio.create_task_group() as group:
            self._held = group
            task_status.started()
            await anyio.sleep_forever()
