"""The environment that an agent is started with, and where its program is found (contract 7, B27, B31).

Pure but for the default look at the file system, which callers may replace. It starts nothing: `login_path` asks the
shell.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from codeg.sessions.types import AgentDefinition
from codeg.sessions.windows_command import find_program_windows

HOST_MARKERS = frozenset(
    {
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "AI_AGENT",
        "OPENCODE",
        "OPENCODE_PID",
        "GEMINI_CLI",
        "CODEG_TOKEN",
    }
)
"""Taken out by exact name: host programs' marks make agents refuse as nested. Never by prefix: sign-ins stay."""

MAX_TMPDIR = 60
"""Bytes. Agents make sockets below it, and a socket's path ends at 107 bytes (B27)."""

USER_FOLDERS = (
    ".local/bin",
    "bin",
    ".bun/bin",
    ".cargo/bin",
    ".deno/bin",
    ".npm-global/bin",
    ".npm-packages/bin",
    ".npm/bin",
    ".claude/local",
    ".opencode/bin",
    ".volta/bin",
    ".yarn/bin",
    ".config/yarn/global/node_modules/.bin",
    ".local/share/pnpm",
    ".local/share/pnpm/bin",
    ".local/share/fnm/aliases/default/bin",
    ".fnm/aliases/default/bin",
    ".local/share/mise/shims",
    ".asdf/shims",
    ".nodenv/shims",
    ".pyenv/shims",
    "n/bin",
    "go/bin",
    ".nix-profile/bin",
    "Library/pnpm",
    "Library/Application Support/fnm/aliases/default/bin",
    "AppData/Roaming/npm",
    "AppData/Local/pnpm",
    "AppData/Local/Volta/bin",
    "scoop/shims",
)
"""Below the home folder: where installers put programs without telling every shell."""

SYSTEM_FOLDERS = (
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/opt/local/bin",
    "/snap/bin",
    "/usr/bin",
    "/bin",
)

NVM_FOLDER = ".nvm/versions/node"
"""Below the home folder: one folder a version of Node, each with a `bin` of its own."""


class ProgramMissing(Exception):
    """No such program. The message names it, the folders searched and the setting that overrides it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def is_program(path: str) -> bool:
    """Whether it is a file that we may execute."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def search_path(
    login: str | None,
    own: str,
    home: str,
    is_folder: Callable[[str], bool] = os.path.isdir,
    names: Callable[[str], Sequence[str]] | None = None,
) -> str:
    """The PATH for agents: the login shell's, then what only our own has, then the usual folders that exist.

    `login`: None when the shell gave none. `names`: what is in a folder. Entries keep their order; of equal ones the
    first stays; of Node versions under nvm the newest comes first.
    """
    own_folders: list[str] = []
    if os.path.isabs(home):
        nvm = os.path.join(home, NVM_FOLDER)
        nodes = sorted((names or _names_in)(nvm), key=_version, reverse=True)
        own_folders = [os.path.join(home, each) for each in USER_FOLDERS]
        own_folders += [os.path.join(nvm, each, "bin") for each in nodes]
    usual = [each for each in (*own_folders, *SYSTEM_FOLDERS) if is_folder(each)]
    entries = [*(login or "").split(os.pathsep), *own.split(os.pathsep), *usual]
    return os.pathsep.join(dict.fromkeys(each for each in entries if each))


def _names_in(folder: str) -> Sequence[str]:
    """What is in a folder; nothing where it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return ()


def _version(name: str) -> tuple[int, ...]:
    """Numbers of a version such as v22.4.1, to sort by."""
    return tuple(int(part) for part in name.removeprefix("v").split(".") if part.isdecimal())


def agent_environment(
    base: Mapping[str, str], agent: AgentDefinition, path: str, drop: Iterable[str] = ()
) -> dict[str, str]:
    """What this agent gets: `base` (the user's) with `path`, less some names, then its own `env`.

    Taken out are `HOST_MARKERS`, the agent's `drop_env` and `drop` (a quirk's). A TMPDIR over `MAX_TMPDIR` bytes
    becomes /tmp, unless the agent's own `env` sets one.
    """
    gone = {"PATH", *HOST_MARKERS, *agent.drop_env, *drop}
    made = {name: value for name, value in base.items() if _same_case(name) not in gone}
    made["PATH"] = path
    if len(os.fsencode(made.get("TMPDIR", ""))) > MAX_TMPDIR:
        made["TMPDIR"] = "/tmp"  # noqa: S108  # the one folder with a short path that every system has
    made.update(agent.env)
    return made


def _same_case(name: str) -> str:
    return name.upper() if sys.platform == "win32" else name


def find_program(name: str, path: str, program: Callable[[str], bool] = is_program) -> str | None:
    """The absolute path of a program: itself if absolute, else the first on `path`.

    Entries of `path` that are relative are skipped: they would name files of the stranger's folder that we work in.
    """
    if sys.platform == "win32":
        return find_program_windows(name, path, os.environ.get("PATHEXT", ""), os.path.isfile)
    if os.path.isabs(name):
        return name if program(name) else None
    if "/" in name or not name:
        return None
    places = (os.path.join(folder, name) for folder in path.split(os.pathsep) if os.path.isabs(folder))
    return next((place for place in places if program(place)), None)


def how_to_install(agent: AgentDefinition, base: str | None) -> str:
    """What to do to have the agent's program, as sentences; empty where nothing is known.

    `base`: where the program is that the agent's own is only an adapter for; then only that one is missing.
    """
    if base is None or not agent.command:
        return agent.install
    return f"{agent.label} itself is there ({base}), only its adapter {agent.command[0]} is missing. {agent.install}"


def resolve_command(agent: AgentDefinition, path: str, program: Callable[[str], bool] = is_program) -> tuple[str, ...]:
    """The agent's command with its program made absolute.

    Raises:
        ProgramMissing: it is not there, or no command is known.
    """
    table = agent.slug.removeprefix("custom:")
    setting = f"set `command` of [agents.{table}] in config/agents.toml"
    base = find_program(agent.adapts, path, program) if agent.adapts else None
    install = f" {how_to_install(agent, base)}".rstrip()
    if not agent.command:
        raise ProgramMissing(f"no command is known for {agent.label}; {setting}.{install}")
    name, *arguments = agent.command
    expanded = os.path.expanduser(name) if name.startswith("~") else name
    found = find_program(expanded, path, program)
    if found is not None:
        return (found, *arguments)
    if "/" in expanded:
        fault = (
            "is not a program that can be run" if os.path.isabs(expanded) else "is neither a name nor an absolute path"
        )
        raise ProgramMissing(f"{name} {fault}; {setting}.{install}")
    folders = ", ".join(each for each in path.split(os.pathsep) if os.path.isabs(each))
    raise ProgramMissing(f"{name} was not found in {folders or 'any folder, since PATH is empty'}; {setting}.{install}")
