"""Bring the rows of a Qt model to a new order by removes, moves and inserts, and never by a reset.

Owns the steps only; the keys are the model's. Pure but for the model it drives.
"""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex

_TOP = QModelIndex()


def settle(model: QAbstractItemModel, keys: list[str], wanted: Sequence[str]) -> None:
    """Make `keys`, which `model` shows one below the other, equal to `wanted`; each key stands there once."""
    places = {key: number for number, key in enumerate(wanted)}
    _remove(model, keys, places)
    held = set(keys)
    row = 0
    while row < len(wanted):
        key = wanted[row]
        if row < len(keys) and keys[row] == key:
            row += 1
        elif key not in held:
            last = row + 1
            while last < len(wanted) and wanted[last] not in held:
                last += 1
            model.beginInsertRows(_TOP, row, last - 1)
            keys[row:row] = wanted[row:last]
            model.endInsertRows()
            row = last
        elif row + 1 < len(keys) and keys[row + 1] == key:
            own = places[keys[row]]
            _move(model, keys, row, sum(places[other] < own for other in keys))
        else:
            _move(model, keys, keys.index(key, row + 1), row)


def _remove(model: QAbstractItemModel, keys: list[str], places: dict[str, int]) -> None:
    last = len(keys) - 1
    while last >= 0:
        if keys[last] in places:
            last -= 1
            continue
        first = last
        while first > 0 and keys[first - 1] not in places:
            first -= 1
        model.beginRemoveRows(_TOP, first, last)
        del keys[first : last + 1]
        model.endRemoveRows()
        last = first - 1


def _move(model: QAbstractItemModel, keys: list[str], row: int, to: int) -> None:
    """Move a row so that it stands at `to` afterwards."""
    model.beginMoveRows(_TOP, row, row, _TOP, to + 1 if to > row else to)
    keys.insert(to, keys.pop(row))
    model.endMoveRows()
