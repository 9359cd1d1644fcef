"""Bridges that end with their test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.bridge.rig import BridgeRig


@pytest.fixture
def make_rig(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], BridgeRig]]:
    """Bridges of one home."""
    made: list[BridgeRig] = []

    def make() -> BridgeRig:
        made.append(BridgeRig(qtbot, tmp_path))
        return made[-1]

    yield make
    assert [rig.close() for rig in reversed(made)] == [True] * len(made)


@pytest.fixture
def rig(make_rig: Callable[[], BridgeRig]) -> BridgeRig:
    """A bridge whose host is open."""
    return make_rig().open()
