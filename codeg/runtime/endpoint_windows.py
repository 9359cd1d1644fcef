"""The endpoint on Windows: runtime folder, lock, pipe name, `broker.json`, `tokens/` (contract 3 and 5).

It has not run on Windows. Owns the claim of one host on one state directory, from the lock to the removal of its own
files. Folders are closed to others by their rights, the files in them inherit those. The system's calls are injected
(`system_windows` makes the real ones). It makes no pipe: the server does, by the name that stands in `broker.json`.
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from codeg.runtime.discovery import LOCK_NAME, EndpointError, HostRunning, fresh_record
from codeg.runtime.pipe_windows import PipeServer, PipeSystem, new_pipe_name
from codeg.runtime.transport import Server
from codeg.sessions.descriptor_limit import raise_descriptor_limit
from codeg.store.faults import reason_of
from codeg.store.homes import make_missing_folders
from codeg.wire.discovery import Discovery, dump
from codeg.wire.places import DISCOVERY_NAME, TOKENS_NAME, places


class FolderSystem(Protocol):
    """The system's calls. Errors are OSError."""

    def user_sid(self) -> str:
        """SID of this process's user."""
        ...

    def make_folder(self, path: str, sddl: str) -> None:
        """Make it with these rights. FileExistsError: something stands there."""
        ...

    def is_folder(self, path: str) -> bool:
        """A folder, and neither a link nor a junction."""
        ...

    def owner_sid(self, path: str) -> str:
        """SID of its owner."""
        ...

    def protect(self, path: str, sddl: str) -> None:
        """Give it these rights and none of the folder above."""
        ...

    def lock(self, descriptor: int) -> bool:
        """Lock an open file until it is closed or this process ends; False = another process has it."""
        ...


@dataclass(frozen=True, slots=True)
class WindowsEndpoint:
    """Keeps `Endpoint`. `pipes`: the system's calls for the pipe, made on the event loop that serves it."""

    record: Discovery
    tokens_folder: str
    descriptor_limit: int
    pipes: Callable[[], PipeSystem]

    def server(self) -> Server:
        """What listens there."""
        return PipeServer(self.record.socket, self.pipes())


def _real_pipes() -> PipeSystem:
    from codeg.runtime.pipe_system_windows import windows_pipes  # noqa: PLC0415  # Windows only

    return windows_pipes(asyncio.get_running_loop())


def folder_rights(user_sid: str) -> str:
    """SDDL: this user owns it; this user and SYSTEM may do everything in it and below, nobody else anything."""
    return f"O:{user_sid}D:P(A;OICI;FA;;;{user_sid})(A;OICI;FA;;;SY)"


@contextmanager
def open_windows_endpoint(
    home: str | None,
    account_home: str,
    system: FolderSystem,
    pipes: Callable[[], PipeSystem] = _real_pipes,
) -> Generator[WindowsEndpoint]:
    """Claim the state directory and say in `broker.json` by which pipe it is reached.

    Args:
        home: `--home` or `CODEG_HOME` as an absolute path; None = the default below `account_home`.
        account_home: the account's home.
        system: the system's calls for folders.
        pipes: those for the pipe.

    Raises:
        HostRunning: another host owns it.
        EndpointError: a folder cannot be used, or the system refuses.
    """
    try:
        run = places(home, account_home, 0).run
    except ValueError as error:
        raise EndpointError(str(error)) from error
    with ExitStack() as stack:
        try:
            _private(run, system)
            _lock(stack, os.path.join(run, LOCK_NAME), system)
            tokens = os.path.join(run, TOKENS_NAME)
            _private(tokens, system)
            _empty(tokens)
            stack.callback(_empty, tokens)
            record = stack.enter_context(fresh_record(new_pipe_name()))
            _publish(stack, os.path.join(run, DISCOVERY_NAME), record)
        except OSError as error:
            raise EndpointError(f"The host cannot be made reachable: {reason_of(error)}.") from error
        yield WindowsEndpoint(record, tokens, raise_descriptor_limit(), pipes)


def _private(path: str, system: FolderSystem) -> None:
    """Make the folder, or take one that is ours and close it to others."""
    user = system.user_sid()
    make_missing_folders(os.path.dirname(path))
    try:
        system.make_folder(path, folder_rights(user))
    except FileExistsError:
        if not system.is_folder(path):
            raise EndpointError(f"{path} is a link or no folder; it is left alone.") from None
        if system.owner_sid(path) != user:
            raise EndpointError(f"The folder {path} belongs to another user; it is left alone.") from None
        system.protect(path, folder_rights(user))


def _lock(stack: ExitStack, path: str, system: FolderSystem) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOINHERIT", 0), 0o600)
    stack.callback(os.close, descriptor)
    if not system.lock(descriptor):
        os.lseek(descriptor, 0, os.SEEK_SET)
        owner = os.read(descriptor, 32).strip()
        raise HostRunning(int(owner) if owner.isdigit() else None)
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, f"{os.getpid()}\n".encode())


def _empty(tokens: str) -> None:
    with suppress(OSError):
        for name in os.listdir(tokens):
            os.unlink(os.path.join(tokens, name))


def _publish(stack: ExitStack, path: str, record: Discovery) -> None:
    content = dump(record)
    beside = f"{path}.{secrets.token_hex(8)}"
    with open(beside, "xb") as file:
        stack.callback(_remove, beside)
        file.write(content)
    os.replace(beside, path)
    stack.callback(_withdraw, path, content)


def _withdraw(path: str, content: bytes) -> None:
    with suppress(OSError):
        with open(path, "rb") as file:
            ours = file.read(len(content) + 1) == content
        if ours:
            os.unlink(path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
