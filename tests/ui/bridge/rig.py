"""A bridge over a real host with agents in memory.

Owns the bridge and its home; `close` ends the host in order. Waiting is bounded and runs the event loop.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from codeg.api import HostSettings, SessionRecord
from tests.fakes.stub_connection import StubLauncher
from ui.bridge import Bridge
from ui.viewmodels.world import Batch, World

PATIENCE_MS = 5_000


class BridgeRig:
    """`told`: signals in their order, by name and arguments; `batches`: of the world."""

    def __init__(self, qtbot: QtBot, folder: Path, name: str = "home") -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.home = folder / name
        self.launcher = StubLauncher()
        self.world = World()
        self.told: list[tuple[Any, ...]] = []
        self.batches: list[Batch] = []
        self.bridge = Bridge(self.world, str(self.home), settings=HostSettings(launcher=self.launcher))
        bridge = self.bridge
        for signal in ("opened", "crashed", "refused", "host_running", "elsewhere", "raise_asked", "stopped"):
            getattr(bridge, signal).connect(self._noting(signal))
        self.world.changed.connect(self.batches.append)

    def _noting(self, name: str) -> Callable[..., None]:
        def note(*words: Any) -> None:
            self.told.append((name, *words))

        return note

    def open(self) -> "BridgeRig":
        """Start, and wait until the world is loaded."""
        self.bridge.start()
        self.until(lambda: self.heard("opened"))
        return self

    def heard(self, name: str) -> list[tuple[Any, ...]]:
        """Signals of that name."""
        return [told for told in self.told if told[0] == name]

    def until(self, condition: Callable[[], Any]) -> None:
        """Run the event loop until it holds."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)

    def asked(self, order: Callable[..., None], *words: Any, **fields: Any) -> Any:
        """The answer to an order that takes `then`; a refusal fails the test."""
        got: list[Any] = []
        order(*words, then=got.append, **fields)
        assert got == []
        self.until(lambda: got or self.heard("refused"))
        assert not self.heard("refused"), self.told
        return got[0]

    def session(self) -> str:
        """An open root session."""
        session_id = self.asked(self.bridge.open_session, "demo", str(self.folder))
        self.until(lambda: self.record(session_id).state == "idle")
        return session_id

    def record(self, session_id: str) -> SessionRecord:
        """As the world has it."""
        record = self.world.session(session_id)
        assert record is not None
        return record

    def turns(self) -> list[Any]:
        """Ends of turns."""
        return [turn for batch in self.batches for turn in batch.turns]

    def close(self) -> bool:
        """End it."""
        return self.bridge.stop()
