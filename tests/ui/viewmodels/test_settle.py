"""Rows come to a new order by exact steps."""

import random

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from tests.ui.viewmodels.watching import watch
from ui.viewmodels.settle import settle

Index = QModelIndex | QPersistentModelIndex


class Letters(QAbstractListModel):
    def __init__(self, keys: str) -> None:
        super().__init__()
        self.keys = list(keys)
        self.told = watch(self)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self.keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        return self.keys[index.row()] if role == Qt.ItemDataRole.DisplayRole else None

    def settle(self, wanted: str) -> list[str]:
        self.told.clear()
        settle(self, self.keys, list(wanted))
        assert "".join(self.keys) == wanted
        return self.told


@pytest.mark.parametrize(
    ("before", "wanted", "steps"),
    [
        ("abc", "abc", []),
        ("", "abc", ["in 0-2"]),
        ("abcdef", "af", ["out 1-4"]),
        ("abc", "axyzbc", ["in 1-3"]),
        ("abcd", "bcda", ["move"]),
        ("abcd", "dabc", ["move"]),
        ("abcd", "bxda", ["out 2-2", "move", "in 1-1"]),
    ],
)
def test_the_fewest_steps_are_taken(qapp: object, before: str, wanted: str, steps: list[str]) -> None:
    assert Letters(before).settle(wanted) == steps


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_wanted_comes_and_who_points_at_a_row_still_does(qapp: object, seed: int) -> None:
    dice, model = random.Random(seed), Letters("")
    for _ in range(60):
        held = {key: QPersistentModelIndex(model.index(row)) for row, key in enumerate(model.keys)}
        letters = dice.sample("abcdefghijklmnop", dice.randrange(17))
        model.settle("".join(letters))
        for key, index in held.items():
            assert (index.data() if key in letters else index.isValid()) == (key if key in letters else False)
