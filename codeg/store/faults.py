"""What can go wrong with the store, as one sentence for a person.

Owns the error type and the wording of SQLite's and the system's complaints; never decides what happens next.
"""

import errno
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

_FULL = "the disk is full"
_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: "the disk quota is used up",
    errno.EACCES: "permission denied",
    errno.EROFS: "the file system is read-only",
}
_DAMAGED = ("malformed", "not a database", "file is encrypted")


class StoreError(Exception):
    """The store cannot be opened, read or written. The message is one sentence that names the file and the reason."""


def reason_of(error: Exception) -> str:
    """The cause in a few words, without a stack or a number where words exist."""
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0) or os.strerror(error.errno or 0)
    text = str(error)
    if "disk is full" in text:
        return _FULL
    if any(word in text for word in _DAMAGED):
        return f"the file is damaged ({text}); it was left as it is"
    return text or type(error).__name__


@contextmanager
def told_as(doing: str, path: str) -> Generator[None]:
    """Turn whatever SQLite, the system or an undecodable row raises into a `StoreError`.

    Args:
        doing: `opened`, `read` or `written`.
        path: the database file, for the sentence.

    Raises:
        StoreError: in place of the original, which stays its cause.
    """
    try:
        yield
    except (sqlite3.Error, OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise StoreError(f"The store {path} could not be {doing}: {reason_of(error)}.") from error
