"""The settings as they are now: read again when the file changed.

Owns the last good reading. A file that is broken while the host runs changes nothing and is named in the log once; one
that is broken at the start is the caller's to report. Never writes. Ends with the host.
"""

import logging
import os
from collections.abc import Callable

from codeg.broker.tasks import Limits
from codeg.store.settings import AgentSettings, Settings, SettingsError, load_settings

logger = logging.getLogger(__name__)


class LiveSettings:
    """Who is named by `on_change` is called with the settings before and now, by whoever looks first after a change.

    Raises:
        SettingsError: on construction, when the file cannot be used.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._stamp = _stamp_of(path)
        self._settings = load_settings(path)
        self._changed: Callable[[Settings, Settings], None] = lambda _before, _now: None

    def on_change(self, changed: Callable[[Settings, Settings], None]) -> None:
        """Name who is told."""
        self._changed = changed

    @property
    def path(self) -> str:
        """The file."""
        return self._path

    def limits(self) -> Limits:
        """What the ledger is to enforce now."""
        return self.now().delegation.limits()

    def agent(self, slug: str) -> AgentSettings:
        """What the settings say of an agent now."""
        return self.now().agent(slug)

    def now(self) -> Settings:
        """The settings at this moment; costs one look at the file."""
        stamp = _stamp_of(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                fresh = load_settings(self._path)
            except SettingsError as error:
                logger.warning("%s The settings stay as they were.", error)
                return self._settings
            if fresh != self._settings:
                before, self._settings = self._settings, fresh
                self._changed(before, fresh)
        return self._settings


def _stamp_of(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
