"""Old texts and transcripts leave the store (contract 6, Result text: `keep_days`).

Owns the pace: some minutes after the start and then once a day, in small portions between which others get their turn.
Never touches a record or its end. Ends by cancellation.
"""

import logging
from collections.abc import Callable

import anyio

from codeg.runtime.services import DatabasePort
from codeg.store.store import StoreError

logger = logging.getLogger(__name__)

FIRST_S = 300.0
EVERY_S = 86_400.0
PAUSE_S = 0.2


async def keep_house(
    database: DatabasePort, keep_days: Callable[[], int], wall_ms: Callable[[], int], first_s: float = FIRST_S
) -> None:
    """Prune for ever."""
    await anyio.sleep(first_s)
    while True:
        try:
            while await database.run(lambda store: store.prune(keep_days(), wall_ms())):  # noqa: ASYNC110  # a pace, not a wait
                await anyio.sleep(PAUSE_S)  # a pace, not a wait for something
        except StoreError as error:
            logger.warning("nothing was pruned: %s", error)
        await anyio.sleep(EVERY_S)
