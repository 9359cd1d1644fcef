"""What a feed and its rows are given: the world, the orders, and the ways to other places.

Owns nothing; frozen. Ends with the feed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ui.orders import Orders
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World


@dataclass(frozen=True, slots=True)
class FeedContext:
    """`open_beside`: a session; `open_link`: asks first; `jump`: session and key of a row. `depth`: cards around it.

    `open_log`: of a child's session; None where there is no log to open.
    """

    world: World
    orders: Orders
    transcripts: Transcripts
    view: ViewState
    open_beside: Callable[[str], None]
    open_link: Callable[[str], None]
    jump: Callable[[str, str], None]
    depth: int = 0
    session_id: str = ""
    open_log: Callable[[str], None] | None = None

    def inside(self, session_id: str) -> "FeedContext":
        """For the transcript of a child inside a card of this feed."""
        return replace(self, session_id=session_id, depth=self.depth + 1)
