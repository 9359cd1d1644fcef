"""Cancels that came before their call: handles remembered for 60 s, at most 256 a parent (contract 5, `cancel`).

Owns this memory only. A remembered handle is not used up by its call, since a call may be sent twice (contract 4); time
forgets it.
"""

from collections import OrderedDict

REMEMBER_S = 60.0
MOST_PER_PARENT = 256

_Handles = OrderedDict[str, tuple[float, str]]


class Withdrawals:
    """Moments are monotonic seconds."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, _Handles] = OrderedDict()
        """Handles in the order of their coming; parents in the order of their latest handle."""

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def remember(self, parent_id: str, handle: str, reason: str, mono: float) -> None:
        """The handle was cancelled before it was heard of; a repeat does nothing.

        Over the bound the oldest of the parent goes.
        """
        self._forget_old(mono)
        handles = self._of.setdefault(parent_id, OrderedDict())
        while handles and next(iter(handles.values()))[0] <= mono:
            handles.popitem(last=False)
        if handle in handles:
            return
        handles[handle] = (mono + REMEMBER_S, reason)
        self._of.move_to_end(parent_id)
        if len(handles) > MOST_PER_PARENT:
            handles.popitem(last=False)

    def reason(self, parent_id: str, handle: str | None, mono: float) -> str | None:
        """The reason given when this handle was cancelled early (may be empty), None if it was not."""
        self._forget_old(mono)
        if handle is None or handle not in self._of.get(parent_id, ()):
            return None
        until, reason = self._of[parent_id][handle]
        return reason if mono < until else None

    def forget(self, parent_id: str) -> None:
        """The parent is gone."""
        self._of.pop(parent_id, None)

    def _forget_old(self, mono: float) -> None:
        while self._of and next(reversed(next(iter(self._of.values())).values()))[0] <= mono:
            self._of.popitem(last=False)
