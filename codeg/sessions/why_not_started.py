"""One sentence on why a program did not start, from the system's error number.

Reads the program's first line at most.
"""

import errno
import os
from collections.abc import Sequence


def why_not_started(words: Sequence[str], program: str, cwd: str) -> str:
    """`words`: the step (`cwd` or `exec`) and the error number, as the keeper reports them."""
    step = words[0] if words else ""
    number = int(words[1]) if len(words) > 1 and words[1].isdigit() else errno.EIO
    if step == "cwd":
        return f"the folder {cwd} cannot be entered: {_said(number)}"
    if number == errno.ENOENT and os.path.exists(_at(program, cwd)):
        interpreter = _interpreter(_at(program, cwd))
        if interpreter:
            return f"{program} cannot be started: its first line names {interpreter}, which does not exist"
        return f"{program} cannot be started: the loader that it needs is not on this system"
    if number == errno.ENOEXEC:
        return f"{program} cannot be started: it is neither a program of this system nor a script with a #! line"
    if number == errno.EACCES and os.path.isdir(_at(program, cwd)):
        return f"{program} cannot be started: it is a folder"
    if number == errno.E2BIG:
        return f"{program} cannot be started: its arguments and environment are too large for the system"
    return f"{program} cannot be started: {_said(number)}"


def _said(number: int) -> str:
    text = os.strerror(number)
    return text[:1].lower() + text[1:]


def _at(program: str, cwd: str) -> str:
    return os.path.join(cwd, program)


def _interpreter(path: str) -> str:
    try:
        with open(path, "rb") as file:
            line = file.read(256).split(b"\n")[0]
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    words = line[2:].decode("utf-8", "replace").rstrip("\r ").split()
    name = words[0] if words else ""
    return f"{name}, with a carriage return after it" if line.endswith(b"\r") else name
