"""A model under Qt's own watch, and what it tells, in short words.

Owns nothing; ends with the model.
"""

from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtTest import QAbstractItemModelTester


def watch(model: QAbstractItemModel) -> list[str]:
    """`in 1-3`, `out 2-2`, `move`, `data 4`, `layout`, `reset`, as they come."""
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    told: list[str] = []

    def inserted(_parent: QModelIndex, first: int, last: int) -> None:
        told.append(f"in {first}-{last}")

    def removed(_parent: QModelIndex, first: int, last: int) -> None:
        told.append(f"out {first}-{last}")

    def moved() -> None:
        told.append("move")

    def changed(first: QModelIndex) -> None:
        told.append(f"data {first.row()}")

    model.rowsInserted.connect(inserted)
    model.rowsRemoved.connect(removed)
    model.rowsMoved.connect(moved)
    model.dataChanged.connect(changed)
    model.layoutChanged.connect(lambda: told.append("layout"))
    model.modelReset.connect(lambda: told.append("reset"))
    return told


def moves(told: list[str]) -> list[str]:
    """Without what only says something else."""
    return [word for word in told if not word.startswith("data")]
