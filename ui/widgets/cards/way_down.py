"""The way from a card down to the card of a child further below (the card's *Show*, jumps from elsewhere).

Owns nothing; a transcript that is still read is waited for.
"""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from shiboken6 import isValid

from ui.viewmodels.world import World
from ui.widgets.feed.feed import Feed


@runtime_checkable
class Reveals(Protocol):
    """A view that can unfold down to a child."""

    def reveal(self, session_id: str) -> None:
        """Unfold down to it."""
        ...


def way_below(top: str, session_id: str, world: World) -> tuple[str, ...]:
    """Sessions below `top` down to `session_id`; () where it does not stand below."""
    path = (*world.path_of(session_id), session_id)
    return path[path.index(top) + 1 :] if top in path else ()


def reveal_in(feed: Feed, task_id: str, session_id: str) -> None:
    """Jump to a card of the transcript inside, once it is read, and on from there."""
    if not isValid(feed) or feed.transcript is None:
        return
    if feed.transcript.loading:
        once = Qt.ConnectionType.SingleShotConnection
        feed.transcript.loaded.connect(lambda: reveal_in(feed, task_id, session_id), once)
        return
    key = feed.transcript.key_of_task(task_id)
    if key is None:
        return
    feed.jump_to(key)
    view = feed.view_of(key)
    if isinstance(view, Reveals):
        view.reveal(session_id)
