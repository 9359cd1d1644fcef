"""What a connection to the host promises, whatever carries it.

Owns two promises, for readers and the type checker; there is nothing to run here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Connection(Protocol):
        """One request under way, or the lease behind `hello`.

        `sent`: a byte of it left. `lost`: called when a kept connection ends. Of its callbacks at most one comes, once.
        """

        sent: bool
        lost: Callable[[], None] | None

        def close(self) -> None:
            """Ends it silently: no callback comes any more."""
            ...

    class Opener(Protocol):
        """Opens connections."""

        def open(
            self,
            path: str,
            frame: bytes,
            done: Callable[[bytes], None],
            failed: Callable[[bool, str], None],
            keep: bool = False,
        ) -> Connection:
            """Sends one frame to the host at `path`. The callbacks come in a later turn, never before this returns.

            `done` gets the payload of the response; `failed` whether a byte had left, and the reason in a few words.
            `keep`: the connection stays open behind its response.
            """
            ...
