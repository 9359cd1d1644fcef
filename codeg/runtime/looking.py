"""Looking for something: a text in all conversations, the files of a folder.

Owns the bounds of both. A search takes the database's thread in slices of a few milliseconds, so that other work gets
its turn; files are looked for on a thread of their own. Changes nothing; ends with each call.
"""

import os
import time
from collections import deque
from collections.abc import Callable
from functools import partial

import anyio
import anyio.to_thread

from codeg.runtime.asking import invalid
from codeg.runtime.services import DatabasePort, UserError
from codeg.store.records import Hit
from codeg.store.store import Store

SEARCH_S = 3.0
"""Seconds of one search in all."""
SLICE_S = 0.015
"""Seconds of the database's thread at a time."""
MOST_NEEDLE = 1_000
FILES_S = 2.0
"""Seconds of looking for files."""
SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})
_MOST_IGNORE = 256 * 1024
_NOT_PLAIN = frozenset("*?[!\\")


async def search(
    database: DatabasePort, text: str, limit: int, clock: Callable[[], float] = time.monotonic
) -> tuple[Hit, ...]:
    """Places that hold the text, newest first.

    Raises:
        UserError: nothing to look for, or too much of it.
    """
    needle = text.strip()
    if not needle or len(needle) > MOST_NEEDLE:
        raise invalid(f"A search takes a text of 1 to {MOST_NEEDLE} characters.")
    found: list[Hit] = []
    until, before = clock() + SEARCH_S, None
    while len(found) < limit and clock() < until:
        look = partial(_slice, needle=needle, before=before, limit=limit - len(found))
        hits, before = await database.run(look)
        found += hits
        if before is None:
            break
    return tuple(found)


def _slice(store: Store, *, needle: str, before: int | None, limit: int) -> tuple[list[Hit], int | None]:
    return store.search(needle, before, limit, SLICE_S)


async def files_below(folder: str, limit: int, seconds: float = FILES_S) -> tuple[str, ...]:
    """Relative paths of the folder's files, sorted.

    Raises:
        UserError: no absolute path of an existing folder.
    """
    if not os.path.isabs(folder) or not await anyio.to_thread.run_sync(os.path.isdir, folder):
        raise UserError("invalid_working_dir", f"{folder or 'The empty text'} is no absolute path of a folder.")
    return await anyio.to_thread.run_sync(_walk, folder, limit, time.monotonic() + seconds, abandon_on_cancel=True)


def _walk(folder: str, limit: int, until: float) -> tuple[str, ...]:
    """Breadth first, so that a bound cuts what lies deep."""
    skipped = SKIPPED | _ignored(folder)
    found: list[str] = []
    folders = deque([""])
    while folders and len(found) < limit and time.monotonic() < until:
        below = folders.popleft()
        for name, is_folder in _names(os.path.join(folder, below)):
            path = f"{below}/{name}" if below else name
            if name in skipped or f"/{path}" in skipped:
                continue
            if is_folder:
                folders.append(path)
            else:
                found.append(path)
    return tuple(sorted(found[:limit]))


def _names(folder: str) -> list[tuple[str, bool]]:
    """Names in a folder, each with whether it is a folder itself; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []


def _ignored(folder: str) -> frozenset[str]:
    """What the folder's `.gitignore` names plainly: a name anywhere, or `/path` from the folder itself."""
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            lines = file.read(_MOST_IGNORE).splitlines()
    except OSError:
        return frozenset()
    plain = (line.strip().rstrip("/") for line in lines)
    plain = [line for line in plain if line and not line.startswith("#") and not _NOT_PLAIN & set(line)]
    return frozenset(f"/{line.lstrip('/')}" if "/" in line else line for line in plain)
