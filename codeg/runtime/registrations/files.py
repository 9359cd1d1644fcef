"""Other programs' files: read whole, replaced in one step, and only if nobody has changed them meanwhile.

Owns the reading and the replacing; never decides what is written. A byte order mark stays where it was.
"""

import codecs
import contextlib
import os
import stat
import sys
import tempfile
from dataclasses import dataclass

from codeg.runtime.registrations.json_layout import BrokenText
from codeg.runtime.services import UserError
from codeg.store.faults import reason_of
from codeg.store.homes import make_missing_folders


@dataclass(frozen=True, slots=True)
class Held:
    """A file as it was read. `content`: None = there is none. `text`: without a byte order mark."""

    path: str
    content: bytes | None
    text: str

    @property
    def marked(self) -> bool:
        """It begins with a byte order mark."""
        return (self.content or b"").startswith(codecs.BOM_UTF8)


def hold(path: str) -> Held:
    """Read the file.

    Raises:
        UserError: it cannot be read, is no ordinary file, or is not UTF-8 (with the line).
    """
    content = _content(path)
    try:
        return Held(path, content, (content or b"").decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise broken(path, BrokenText(line, "it is not UTF-8")) from error


def broken(path: str, fault: BrokenText) -> UserError:
    """What to say of a text that its program would refuse, or that has no place for our entry."""
    return UserError(
        "invalid_arguments", f"{path}, line {fault.line}: {fault.reason}; mend that line, nothing was written."
    )


def replace(held: Held, text: str, *, private: bool) -> None:
    """Put `text` in the file's place. A link to it stays a link; mode, owner and extended attributes stay.

    Args:
        held: the file as it was when `text` was made from it.
        text: the new content.
        private: a file or folder that is made is closed to others.

    Raises:
        UserError: it was changed meanwhile, is read-only, or cannot be written; it stays as it was.
    """
    mark = codecs.BOM_UTF8 if held.marked else b""
    target = os.path.realpath(held.path)
    folder = os.path.dirname(target)
    if held.content is not None and _is_read_only(target):
        raise UserError("conflict", f"{held.path} is read-only; nothing was written.")
    try:
        _make_folder(folder, private=private)
        descriptor, beside = tempfile.mkstemp(prefix=".codeg-", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(mark + text.encode())
                file.flush()
                os.fsync(file.fileno())
            _like(target, beside, private=private)
            _unchanged(held)
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise UserError("conflict", f"{held.path} could not be written: {reason_of(error)}.") from error


def _unchanged(held: Held) -> None:
    if _content(held.path) != held.content:
        raise UserError("conflict", f"{held.path} was changed meanwhile; nothing was written, try again.")


def _make_folder(folder: str, *, private: bool) -> None:
    if private:
        make_missing_folders(folder)
    else:
        os.makedirs(folder, exist_ok=True)


def _content(path: str) -> bytes | None:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise UserError("invalid_arguments", f"{path} is no ordinary file.")
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError("invalid_arguments", f"{path} could not be read: {reason_of(error)}.") from error


def _like(target: str, beside: str, *, private: bool) -> None:
    try:
        before = os.stat(target)
    except FileNotFoundError:
        if not private:
            os.chmod(beside, 0o666 & ~_umask())
        return
    if os.name == "posix" and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(OSError):
            os.chown(beside, before.st_uid, before.st_gid)
    # After the owner: a change of that takes bits away.
    os.chmod(beside, stat.S_IMODE(before.st_mode))
    if sys.platform == "linux":
        # Access lists and labels are attributes too.
        for name in os.listxattr(target):
            with contextlib.suppress(OSError):
                os.setxattr(beside, name, os.getxattr(target, name))


def _is_read_only(target: str) -> bool:
    """Its mode says so; the superuser could write all the same, and should not."""
    try:
        return not os.stat(target).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    except OSError:
        return False


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
