"""What PATH the user's login shell has (contract 7): a desktop session or a host program often knows only a bare one.

Asks the shell once per host; it is started and ended like an agent, so that a profile that hangs or forks leaves
nothing behind. Whatever goes wrong, the answer is None, and our own PATH is used.
"""

import os
import sys
from collections.abc import Callable, Mapping

import anyio

from codeg.sessions.environment import HOST_MARKERS, is_program, search_path
from codeg.sessions.process import SpawnFailed, spawn_agent

if sys.platform != "win32":
    import pwd

LIMIT_S = 3.0
_MAX_OUTPUT = 1 << 20
_MARK = "--codeg-path--"
# plain words alone: bash, zsh, fish and csh read them alike, and `printenv` gives what the shell exports in one form
COMMAND = f"echo {_MARK}; printenv PATH; echo {_MARK}"


def account() -> tuple[str, str]:
    """Home folder and login shell of this user by the password database; empty strings where it has none."""
    if sys.platform == "win32":
        return os.path.expanduser("~"), ""
    try:
        entry = pwd.getpwuid(os.getuid())
    except KeyError:
        return os.path.expanduser("~"), ""
    return entry.pw_dir, entry.pw_shell


def login_shell(database: str, variable: str, program: Callable[[str], bool] = is_program) -> str | None:
    """The shell to ask: the password database's, else that of `$SHELL`; None when neither is a program."""
    return next((each for each in (database, variable) if os.path.isabs(each) and program(each)), None)


def parse_path(output: bytes) -> str | None:
    """The PATH between the last two marks; profiles may print around them. None where there is none."""
    pieces = output.split(_MARK.encode())
    if len(pieces) < 3:
        return None
    path = os.fsdecode(pieces[-2]).strip("\r\n")
    return path if "/" in path and "\n" not in path else None


async def read_login_path(env: Mapping[str, str], shell: str | None, limit_s: float = LIMIT_S) -> str | None:
    """Run the shell as a login shell with the user's `env` and take its PATH. None when it gives none within `limit_s`.

    Returns within `limit_s` plus the time that ending the shell's tree takes.
    """
    if shell is None:
        return None
    kept = {name: value for name, value in env.items() if name not in HOST_MARKERS}
    output = bytearray()
    try:
        async with spawn_agent((shell, "-l", "-c", COMMAND), kept, "/") as process:
            with anyio.move_on_after(limit_s):
                await process.close_stdin()
                while (piece := await process.receive()) and len(output) < _MAX_OUTPUT:
                    output += piece
            await process.stop(grace_s=0.0)
    except SpawnFailed:
        return None
    return parse_path(bytes(output))


async def path_for_agents(env: Mapping[str, str]) -> str:
    """The PATH for every agent of this host: ask once and keep it. Takes `LIMIT_S` and a little at most.

    `env`: the host's own environment.
    """
    home, shell = account()
    login = await read_login_path(env, login_shell(shell, env.get("SHELL", "")))
    return search_path(login, env.get("PATH", ""), env.get("HOME") or home)
