"""Where a user's Codeg lives: configuration, data, logs (contract 3), and folders that are closed to others.

Owns the choice between one home folder and the system's own places. The runtime folder is not chosen here: host and
companion share one function for it (`codeg.wire.places`).
"""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

_APP = "codeg"


@dataclass(frozen=True, slots=True)
class HomePaths:
    """Absolute folders and files of one home. `home` is None where the system's own places are used."""

    home: str | None
    config: str
    data: str
    log: str

    @property
    def settings_file(self) -> str:
        """`config/settings.toml`."""
        return os.path.join(self.config, "settings.toml")

    @property
    def agents_file(self) -> str:
        """`config/agents.toml`."""
        return os.path.join(self.config, "agents.toml")

    @property
    def store_file(self) -> str:
        """`data/codeg.db`."""
        return os.path.join(self.data, "codeg.db")

    @property
    def demo(self) -> str:
        """`data/demo`: sessions of the demo agent."""
        return os.path.join(self.data, "demo")

    @property
    def log_file(self) -> str:
        """`log/codeg.log`."""
        return os.path.join(self.log, "codeg.log")


def home_paths(home: str | None = None, env: Mapping[str, str] | None = None) -> HomePaths:
    """The places of `--home`, else of `CODEG_HOME` in `env`, else the system's own (platformdirs). Nothing is made.

    Args:
        home: value of `--home`; a relative one counts from the working directory, `~` is the user's home; None or
            empty = not given.
        env: the environment; None = this process's.
    """
    given = home or (os.environ if env is None else env).get("CODEG_HOME") or None
    if given:
        base = os.path.abspath(os.path.expanduser(given))
        return HomePaths(base, *(os.path.join(base, name) for name in ("config", "data", "log")))
    # Costs 30 ms, and a home of one's own needs none of it.
    from platformdirs import PlatformDirs  # noqa: PLC0415  # see above

    dirs = PlatformDirs(_APP, appauthor=False, roaming=False)
    return HomePaths(None, *map(os.path.abspath, (dirs.user_config_dir, dirs.user_data_dir, dirs.user_log_dir)))


def make_private_folder(path: str) -> None:
    """Make the folder and what is missing above it, each 0700; tighten it if it is ours and open to others.

    Raises:
        OSError: it cannot be made, or something that is no folder stands there.
    """
    make_missing_folders(path)
    tighten(path, 0o700)


def make_missing_folders(path: str) -> None:
    """Make the folder and what is missing above it, each 0700 whatever the umask; change nothing that is there.

    Raises:
        OSError: as `make_private_folder`.
    """
    missing: list[str] = []
    at = os.path.abspath(path)
    while not os.path.isdir(at):
        missing.append(at)
        above = os.path.dirname(at)
        if above == at:
            break
        at = above
    for folder in reversed(missing):
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            if not os.path.isdir(folder):
                raise


def tighten(path: str, mode: int) -> None:
    """Take the rights of others off a file or folder of ours; leave what is not ours, or shared (sticky), alone."""
    if os.name != "posix":
        return
    now = os.stat(path)
    if now.st_uid == os.geteuid() and stat.S_IMODE(now.st_mode) & 0o077 and not now.st_mode & stat.S_ISVTX:
        os.chmod(path, mode)
