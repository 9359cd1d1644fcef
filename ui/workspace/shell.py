"""What every page of the window is given: the world, the orders, and the ways to other places.

Owns nothing; frozen. Ends with the window.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ui.orders import Orders
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World


@dataclass(frozen=True, slots=True)
class Shell:
    """`open_here`, `open_beside`: show a session; `jump`: show a row of it; `open_link` asks first.

    `open_log`: the last words of a session's agent; `tell`: one sentence in the message bar; `open_page`: inbox, board,
    settings.
    """

    world: World
    orders: Orders
    transcripts: Transcripts
    view: ViewState
    open_here: Callable[[str], None]
    open_beside: Callable[[str], None]
    jump: Callable[[str, str], None]
    open_link: Callable[[str], None]
    open_page: Callable[[str], None]
    open_log: Callable[[str], None]
    tell: Callable[[str, str], None]
