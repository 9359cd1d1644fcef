"""Requests that are not answered yet, and who sent them.

Owns these records; never sends. They end with the answer or the cancel that the core decides on.
"""

from __future__ import annotations

from codeg.jsonrpc.messages import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from codeg.jsonrpc.messages import Id

    Mark = Callable[[], None]


TOOLS_CALL: Final = "tools/call"
MODERN: Final = "2026-07-28"
"""The revision without a handshake."""


class Client:
    """Who speaks, as far as it has said: `clientInfo`'s name and version, "" when absent.

    `capabilities` as it declared them, `revision`: the rules by which it did, "" before that.
    """

    __slots__ = ("capabilities", "name", "revision", "version")

    def __init__(self, info: Any = None, capabilities: Any = None, revision: str = "") -> None:
        fields: dict[str, Any] = info if is_object(info) else {}
        name, version = fields.get("name"), fields.get("version")
        self.name: str = name if isinstance(name, str) else ""
        self.version: str = version if isinstance(version, str) else ""
        self.capabilities: dict[str, Any] = capabilities if is_object(capabilities) else {}
        self.revision = revision

    def of_request(self, modern: bool, info: Any, capabilities: Any) -> Client:
        """Who sent one request, beside what is known of the connection.

        By 2026-07-28 rules (`modern`) a request says it anew: nothing is concluded from earlier ones but a name.
        """
        if not modern and not is_object(info):
            return self
        found = Client(info, capabilities, MODERN) if modern else Client(info, self.capabilities, self.revision)
        if not is_object(info):
            found.name, found.version = self.name, self.version
        return found


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


class Asker(Open):
    """A request that may need the host: `meta` of the request and `client` say for whom."""

    __slots__ = ("client", "meta")

    def __init__(self, opened: Open, meta: dict[str, Any], client: Client) -> None:
        super().__init__(opened.call_id, opened.framed, opened.batch, opened.modern)
        self.meta = meta
        self.client = client


class Subscription(Asker):
    """An open `subscriptions/listen`. `tools`: changes of the tool list are told to it; `task_ids`: these tasks."""

    __slots__ = ("task_ids", "tools")

    def __init__(
        self, opened: Open, meta: dict[str, Any], client: Client, *, tools: bool, task_ids: tuple[str, ...]
    ) -> None:
        super().__init__(opened, meta, client)
        self.modern = True
        self.tools = tools
        self.task_ids = task_ids


class Call(Asker):
    """An open `tools/call`, or another request about a task.

    `method` and `tool`: the tool's name, or the method again. `arguments` are as they came, unchecked;
    `progress_token` None = no progress wanted. `inputs` and `state`: what a repeated call brings along (2026-07-28).
    """

    __slots__ = ("arguments", "inputs", "method", "progress", "progress_token", "state", "takes_tasks", "tool")

    def __init__(
        self, opened: Open, meta: dict[str, Any], client: Client, *, tool: str, arguments: Any, method: str = TOOLS_CALL
    ) -> None:
        super().__init__(opened, meta, client)
        self.method = method
        self.tool = tool
        self.arguments = arguments
        token = meta.get("progressToken")
        self.progress_token: str | int | None = token if type(token) in (str, int) else None
        self.progress = 0
        self.inputs: dict[str, Any] = {}
        self.state: str | None = None
        self.takes_tasks = False
