"""Requests that are not answered yet, and who sent them.

Owns these records; never sends. They end with the answer or the cancel that the core decides on.
"""

from __future__ import annotations

from codeg.jsonrpc.messages import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from codeg.jsonrpc.messages import Id

    Mark = Callable[[], None]


class Client:
    """Who speaks, as far as it has said: `clientInfo`'s name and version, "" when absent."""

    __slots__ = ("name", "version")

    def __init__(self, info: Any = None) -> None:
        fields: dict[str, Any] = info if is_object(info) else {}
        name, version = fields.get("name"), fields.get("version")
        self.name: str = name if isinstance(name, str) else ""
        self.version: str = version if isinstance(version, str) else ""


class Batch:
    """The answers of one array, sent together once none is missing (revision 2025-03-26).

    `left` counts them, and one more for the array itself while it is being read.
    """

    __slots__ = ("framed", "left", "marks", "parts")

    def __init__(self, framed: bool) -> None:
        self.framed = framed
        self.left = 1
        self.parts: list[bytes] = []
        self.marks: list[Mark] = []


class Open:
    """One request: its id, how its answer goes out (framing, batch), and whether by 2026-07-28 rules."""

    __slots__ = ("batch", "call_id", "framed", "modern")

    def __init__(self, call_id: Id, framed: bool, batch: Batch | None, modern: bool) -> None:
        self.call_id = call_id
        self.framed = framed
        self.batch = batch
        self.modern = modern


class Listing(Open):
    """An open `tools/list`."""

    __slots__ = ()


class Subscription(Open):
    """An open `subscriptions/listen`. `tools`: it asked for changes of the tool list."""

    __slots__ = ("tools",)

    def __init__(self, opened: Open, tools: bool) -> None:
        super().__init__(opened.call_id, opened.framed, opened.batch, modern=True)
        self.tools = tools


class Call(Open):
    """An open `tools/call`. `arguments` are as they came, unchecked; `progress_token` None = no progress wanted."""

    __slots__ = ("arguments", "client", "meta", "progress", "progress_token", "tool")

    def __init__(self, opened: Open, tool: str, arguments: Any, meta: dict[str, Any], client: Client) -> None:
        super().__init__(opened.call_id, opened.framed, opened.batch, opened.modern)
        self.tool = tool
        self.arguments = arguments
        self.meta = meta
        self.client = client
        token = meta.get("progressToken")
        self.progress_token: str | int | None = token if type(token) in (str, int) else None
        self.progress = 0
