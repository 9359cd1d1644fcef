"""Folders with rights and a pipe's client as Windows has them: what `FolderSystem` and `PipeDialer` promise.

Rights are only written down. A lock is between instances, each of which stands for a process.
"""

import os
import socket
import time
from typing import Any, ClassVar

from anyio.from_thread import run_sync

from tests.fakes.fake_pipes import USER_SID, FakePipes


class FakeFolders:
    """Keeps `FolderSystem`. `rights`: the newest of each folder; `owners`: of folders that are somebody else's."""

    locked: ClassVar[dict[tuple[int, int], "FakeFolders"]] = {}

    def __init__(self) -> None:
        self.rights: dict[str, str] = {}
        self.owners: dict[str, str] = {}
        self.links: set[str] = set()

    def user_sid(self) -> str:
        return USER_SID

    def make_folder(self, path: str, sddl: str) -> None:
        os.mkdir(path)
        self.rights[path] = sddl

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path) and path not in self.links

    def owner_sid(self, path: str) -> str:
        return self.owners.get(path, USER_SID)

    def protect(self, path: str, sddl: str) -> None:
        self.rights[path] = sddl

    def lock(self, descriptor: int) -> bool:
        found = os.fstat(descriptor)
        return self.locked.setdefault((found.st_dev, found.st_ino), self) is self

    def died(self) -> None:
        """The process is gone, and its locks with it."""
        for key in [key for key, owner in self.locked.items() if owner is self]:
            del self.locked[key]


class FakeDialer:
    """Keeps `PipeDialer` on a thread beside the loop that serves `pipes`. `waits`: milliseconds of each wait."""

    def __init__(self, pipes: FakePipes) -> None:
        self.pipes = pipes
        self.opened: list[tuple[str, int, int]] = []
        self.waits: list[int] = []
        self.server = USER_SID
        self.closed = 0

    def user_sid(self) -> str:
        return USER_SID

    def open(self, name: str, access: int, flags: int) -> Any:
        self.opened.append((name, access, flags))
        return run_sync(self.pipes.dial, name)

    def wait(self, name: str, milliseconds: int) -> None:
        self.waits.append(milliseconds)
        time.sleep(0.001)

    def server_sid(self, handle: socket.socket) -> str:
        return self.server

    def read(self, handle: socket.socket, most: int, within_ms: int | None) -> bytes:
        handle.settimeout(None if within_ms is None else within_ms / 1000)
        return handle.recv(most)

    def write(self, handle: socket.socket, data: bytes, within_ms: int | None) -> int:
        handle.settimeout(None if within_ms is None else within_ms / 1000)
        return handle.send(data[:7])

    def close(self, handle: socket.socket) -> None:
        self.closed += 1
        handle.close()
