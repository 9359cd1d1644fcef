"""The host's log: `log/codeg.log`, rotating, without secrets (contract 3).

Owns the handler and what may stand in a line. Whatever was registered by `hide` appears as `[secret]`, in messages and
in tracebacks; text of a task, passed as `TaskText`, appears only at level debug. One record is one line, tracebacks
apart. Written by the host alone. A log that cannot be written never disturbs the work.
"""

import logging
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import Any

from codeg.store.homes import make_private_folder

FILES = 5
FILE_BYTES = 2 * 1024 * 1024
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}
"""Values of `CODEG_LOG`; absent = info."""
_SHORTEST = 6
"""A shorter value is no secret, and hiding it would blot out ordinary words."""
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_secrets: set[str] = set()
_log = logging.getLogger("codeg")


def hide(secret: str) -> None:
    """Never let this value into the log: a token, a task's secret environment. Under six characters it stays."""
    if len(secret) >= _SHORTEST:
        _secrets.add(secret)


def forget(secret: str) -> None:
    """The value is dead and need not be looked for any more."""
    _secrets.discard(secret)


def without_secrets(text: str) -> str:
    """The text with each registered secret replaced; the longest first, since one may contain another."""
    found = [secret for secret in tuple(_secrets) if secret in text]
    for secret in sorted(found, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    return text


class TaskText:
    """Text of a task or an agent, as an argument of a log call: its size, and the text itself only at level debug."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return f"({len(self.text)} characters)"

    __repr__ = __str__


class SecretsFilter(logging.Filter):
    """Makes a record fit to be seen: the message in one line, task text at level debug alone, no secret anywhere."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place; every record passes."""
        if record.levelno <= logging.DEBUG:
            record.args = _opened(record.args)
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):
            message = f"(a message that cannot be formatted: {record.msg!r})"
        record.msg = without_secrets(_one_line(message))
        record.args = None
        if record.exc_info:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_secrets(record.exc_text)
        if record.stack_info:
            record.stack_info = without_secrets(record.stack_info)
        return True


class _LogFile(RotatingFileHandler):
    """At most `FILES` files of `FILE_BYTES`, each 0600 from its first instant."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=_private)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the base's name
        """Drop it: a full disk must not cost the work, and stderr belongs to the front end."""


@contextmanager
def open_log(path: str, env: Mapping[str, str] | None = None) -> Generator[None]:
    """Write the log of this process to `path` (0600 in a folder 0700) until the context is left.

    Args:
        path: `log/codeg.log` of the home.
        env: the environment with `CODEG_LOG`; None = this process's. An unknown value counts as info and is named.

    Raises:
        OSError: the folder or file cannot be made.
    """
    wanted = (os.environ if env is None else env).get("CODEG_LOG", "").strip().lower()
    level = LEVELS.get(wanted, logging.INFO)
    make_private_folder(os.path.dirname(os.path.abspath(path)))
    handler = _LogFile(path, maxBytes=FILE_BYTES, backupCount=FILES - 1, encoding="utf-8")
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.addFilter(SecretsFilter())
    # Libraries speak only when something is wrong.
    root = logging.getLogger()
    before = (root.level, _log.level)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    _log.setLevel(level)
    if wanted and wanted not in LEVELS:
        _log.warning("CODEG_LOG=%s is none of %s; info it is.", wanted, ", ".join(LEVELS))
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        _log.setLevel(before[1])
        with suppress(OSError):
            handler.close()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _opened(args: Any) -> Any:
    if isinstance(args, TaskText):
        return args.text
    if isinstance(args, tuple):
        return tuple(_opened(arg) for arg in args)  # pyright: ignore[reportUnknownVariableType]  # whatever was logged
    return args


def _one_line(text: str) -> str:
    return (
        text
        if text.isprintable()
        else "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    )
