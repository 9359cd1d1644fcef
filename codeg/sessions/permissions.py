"""The permission requests of one agent that are not answered yet.

Owns which are open and that each is answered once, whichever of answer, withdrawal and cancel comes first. Pure.
"""

from dataclasses import dataclass
from typing import TypeAlias

from codeg.jsonrpc.calls import Incoming

RpcId: TypeAlias = str | int | float
"""The id of a JSON-RPC request."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenPermission:
    """One request that waits. `key` names it within its connection, `rpc_id` is the agent's own id of its request.

    `refusals`: those of the options that say no.
    """

    key: str
    rpc_id: RpcId
    option_ids: frozenset[str]
    refusals: frozenset[str] = frozenset()
    title: str = ""

    def refused_by(self, option_id: str | None) -> bool:
        """The answer says no: an option that does, or none."""
        return option_id is None or option_id in self.refusals


class Permissions:
    """The open requests, oldest first."""

    def __init__(self) -> None:
        self._by_key: dict[str, OpenPermission] = {}
        self._by_id = Incoming()
        self._count = 0

    def open(
        self, rpc_id: RpcId, option_ids: frozenset[str], refusals: frozenset[str] = frozenset(), title: str = ""
    ) -> OpenPermission | None:
        """Take in a request; None when one of this id is open already, which stays as it is."""
        opened = OpenPermission(f"permission-{self._count + 1}", rpc_id, option_ids, refusals, title)
        if not self._by_id.begin(rpc_id, opened):
            return None
        self._count += 1
        self._by_key[opened.key] = opened
        return opened

    def answer(self, key: str, option_id: str | None) -> OpenPermission | None:
        """Close the request for an answer; None when it is not open.

        Raises:
            ValueError: the option is none of those offered; the request stays open.
        """
        found = self._by_key.get(key)
        if found is None:
            return None
        if option_id is not None and option_id not in found.option_ids:
            raise ValueError(f"The request offers no option {option_id!r}.")
        self._close(found)
        return found

    def withdraw(self, rpc_id: object) -> OpenPermission | None:
        """The agent takes its request back (`$/cancel_request`); None when it is not open."""
        found = self._by_id.get(rpc_id) if isinstance(rpc_id, str | int | float) else None
        if not isinstance(found, OpenPermission):
            return None
        self._close(found)
        return found

    def close_all(self) -> list[OpenPermission]:
        """Close what is open, oldest first."""
        left = list(self._by_key.values())
        for each in left:
            self._close(each)
        return left

    def _close(self, found: OpenPermission) -> None:
        del self._by_key[found.key]
        self._by_id.finish(found.rpc_id)
