"""The transcripts that are looked at, each once.

Owns no transcript for longer than it is shown, but for the last few: what a page or card holds stays, the rest goes.
Ends with the window.
"""

from collections import OrderedDict
from weakref import WeakValueDictionary

from ui.viewmodels.transcript.model import Pages, Transcript
from ui.viewmodels.world import Batch, World

KEPT = 8
"""So many are kept though nobody shows them: going back to one costs nothing."""


class Transcripts:
    """`get` begins to load what is first wanted."""

    def __init__(self, world: World, orders: Pages) -> None:
        self._world, self._orders = world, orders
        self._shown: WeakValueDictionary[str, Transcript] = WeakValueDictionary()
        self._recent: OrderedDict[str, Transcript] = OrderedDict()
        world.changed.connect(self._changed)

    def get(self, session_id: str) -> Transcript:
        """The transcript of a session."""
        held = self._shown.get(session_id)
        if held is None:
            held = self._shown[session_id] = Transcript(session_id, self._world, self._orders)
            held.load()
        self._recent[session_id] = held
        self._recent.move_to_end(session_id)
        if len(self._recent) > KEPT:
            self._recent.popitem(last=False)
        return held

    def drop(self, session_id: str) -> None:
        """Nobody looks at it any more."""
        self._recent.pop(session_id, None)
        held = self._shown.pop(session_id, None)
        if held is not None:
            held.end()

    def reload(self) -> None:
        """Read all again: the host was started anew."""
        for held in list(self._shown.values()):
            held.reload()

    def _changed(self, batch: Batch) -> None:
        for session_id in batch.gone:
            self.drop(session_id)
