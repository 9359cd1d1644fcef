"""A folder that is ours and closed to others, held by its descriptor (contract 3, runtime; B29).

Owns the checks (no link followed, owner, mode), the lock that makes one host the owner, and the writing and removing of
files in it by that descriptor, so that a folder that is swapped under its name meanwhile is not written to. Unix only.
"""

import fcntl
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Self

from codeg.runtime.discovery import LOCK_NAME
from codeg.store.faults import reason_of
from codeg.store.homes import make_missing_folders
from codeg.wire.places import why_foreign_dir, why_unsafe_dir

assert sys.platform != "win32"

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class UnsafeFolder(Exception):
    """The folder cannot be made, or is not ours. One sentence that names it."""


class PrivateFolder:
    """An open folder of user `uid`, 0700. Closing it releases the lock, if it was taken."""

    def __init__(self, path: str, uid: int) -> None:
        """Make the folder if it is absent, tighten it if it is ours and open to others.

        Raises:
            UnsafeFolder: it cannot be made, is a link, is no folder, or belongs to somebody else.
        """
        self.path = path
        self._uid = uid
        self._lock: int | None = None
        try:
            _make(path)
            self._descriptor = os.open(path, _FOLDER)
        except OSError as error:
            raise UnsafeFolder(_why_unusable(path, uid, error)) from error
        try:
            self._close_to_others()
        except BaseException:
            os.close(self._descriptor)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
        os.close(self._descriptor)

    def take_lock(self) -> bool:
        """Become the one owner until the folder is closed or this process dies; False = another process is.

        Raises:
            OSError: the file system has no locks, or something that is no file stands there.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        lock = os.open(LOCK_NAME, flags, 0o600, dir_fd=self._descriptor)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        except BaseException:
            os.close(lock)
            raise
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        self._lock = lock
        return True

    def lock_owner(self) -> int | None:
        """The pid that the owner of the lock wrote into it; None while it has not yet."""
        text = self.read(LOCK_NAME, 32)
        return int(text) if text is not None and text.strip().isdigit() else None

    def read(self, name: str, limit: int) -> bytes | None:
        """At most `limit` bytes of an ordinary file; None if there is none."""
        try:
            descriptor = os.open(
                name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=self._descriptor
            )
        except OSError:
            return None
        try:
            return os.read(descriptor, limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
        finally:
            os.close(descriptor)

    def write(self, name: str, content: bytes) -> None:
        """Put a file (0600) in its place in one step.

        Raises:
            OSError: it cannot be written, or a folder stands there.
        """
        beside = f".{name}.{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(beside, flags, 0o600, dir_fd=self._descriptor)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(beside, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            os.unlink(beside, dir_fd=self._descriptor)
            raise

    def remove_if(self, name: str, ours: Callable[[os.stat_result], bool]) -> None:
        """Remove a file if what stands there is judged to be ours; nothing there or an error: nothing happens."""
        try:
            if ours(os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)):
                os.unlink(name, dir_fd=self._descriptor)
        except OSError:
            return

    def stat(self, name: str) -> os.stat_result | None:
        """What stands there, links not followed; None = nothing."""
        try:
            return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def empty(self) -> None:
        """Remove everything in it.

        Raises:
            OSError: something cannot be removed.
        """
        for name in os.listdir(self._descriptor):
            found = self.stat(name)
            if found is not None and stat.S_ISDIR(found.st_mode):
                shutil.rmtree(name, dir_fd=self._descriptor)
            elif found is not None:
                os.unlink(name, dir_fd=self._descriptor)

    def _close_to_others(self) -> None:
        found = os.fstat(self._descriptor)
        what = f"The folder {self.path}"
        foreign = why_foreign_dir(found, self._uid, what)
        if foreign is None and why_unsafe_dir(found, self._uid, what) is not None:
            os.fchmod(self._descriptor, 0o700)
            found = os.fstat(self._descriptor)
        why = foreign or why_unsafe_dir(found, self._uid, what)
        if why is not None:
            raise UnsafeFolder(why)


def _make(path: str) -> None:
    if os.path.lexists(path):
        return
    make_missing_folders(os.path.dirname(path))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        # Somebody was faster; the checks on the open folder judge what it is.
        return


def _why_unusable(path: str, uid: int, error: OSError) -> str:
    try:
        why = why_foreign_dir(os.lstat(path), uid, f"The folder {path}")
    except OSError:
        why = None
    return why or f"The folder {path} cannot be used: {reason_of(error)}."
