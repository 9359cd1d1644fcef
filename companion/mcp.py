"""The server's side of MCP without I/O: frames in, bytes to write and calls to carry out.

Owns the protocol, which requests are open in both directions, and that of answer and cancel exactly one wins. After
each `feed` the caller takes what is in `out` (bytes, and what to do once they are written), `started`, `dropped` and
`listings`. Never reads a clock, never touches a descriptor. Each open call ends by `answer`, `refuse_call` or a cancel;
nothing here ends the process.
"""

from __future__ import annotations

from codeg.jsonrpc import codec, messages
from codeg.jsonrpc.calls import Incoming, Outgoing
from codeg.jsonrpc.framing import wrap
from codeg.jsonrpc.messages import Notification, Request, Response, RpcError, is_id
from companion import revisions
from companion.opened import TOOLS_CALL, Batch, Call, Client, Listing, Open, Subscription
from companion.shapes import decode, is_list, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from codeg.jsonrpc.framing import Fault
    from codeg.jsonrpc.messages import Message
    from companion.opened import Mark
    from companion.rendering import Answer
    from companion.schema import Toolbox

    Written = tuple[bytes, "list[Mark] | None"]
    Fields = dict[str, Any]

TOO_MANY: Final = -32000
MAX_OPEN_CALLS: Final = 256
MAX_BATCH: Final = 1_000
MAX_SUBSCRIPTIONS: Final = 64
MAX_WATCHED: Final = 1_000
"""Tasks that all subscriptions together are told of: as many as one request to the host names."""
TASK_METHODS: Final = ("tasks/get", "tasks/update", "tasks/cancel")
_LOGGED: Final = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "subscriptions/listen",
        "tools/list",
        TOOLS_CALL,
        "prompts/list",
        "resources/list",
        *TASK_METHODS,
    }
)
"""Methods that the diary names; another's name is a text of the peer, which stays out of it."""
_FAULTS: Final = {
    "too_long": "The message is longer than 32 MiB and was skipped.",
    "bad_header": "The header block has no usable Content-Length.",
}


class Core:
    """One connection's protocol state. `note` takes one lifecycle line for stderr."""

    def __init__(self, toolbox: Toolbox, note: Callable[[str], None]) -> None:
        self.toolbox = toolbox
        self.client = Client()
        self.out: list[Written] = []
        self.started: list[Call | Subscription] = []
        self.dropped: list[Call | Subscription] = []
        self.listings: list[Listing] = []
        self.open_calls = 0
        self._note = note
        self._incoming = Incoming()
        self._outgoing = Outgoing()
        self._subscriptions: list[Subscription] = []
        self._negotiated: str | None = None
        self._framed = False
        self._listed = False
        self._methods = {
            "initialize": self._initialize,
            "ping": self._ping,
            "server/discover": self._discover,
            "subscriptions/listen": self._listen,
            "tools/list": self._list_tools,
            TOOLS_CALL: self._call_tool,
        }
        self._has_tasks = "delegate_to_agent" in toolbox.tools

    def feed(self, payload: bytes, framed: bool) -> None:
        """Takes one whole message."""
        try:
            value: Any = decode(payload)
        except codec.Undecodable as error:
            self._note("parse_error")
            self._send_error(framed, RpcError(messages.PARSE_ERROR, str(error)))
            return
        if is_list(value):
            self._take_batch(value, framed)
        else:
            self._take(messages.classify(value), framed, None)

    def refuse(self, fault: Fault) -> None:
        """Answers an item that never became a message: over the limit, or a header block without a good length."""
        self._note(f"parse_error {fault.reason}")
        text = _FAULTS.get(fault.reason, "The input ended inside a message.")
        self._send_error(fault.framed, RpcError(messages.PARSE_ERROR, text))

    def answer(self, call: Call, result: Answer, mark: Mark | None = None) -> bool:
        """Answers an open call; `mark` is done once the text is written. False: it was cancelled, nothing is sent."""
        if not self._incoming.finish(call.call_id, call):
            return False
        self.open_calls -= 1
        named = f" {call.tool}" if call.method == TOOLS_CALL else ""
        self._note(f"response {call.method}{named}" + (" is_error" if result.is_error else ""))
        self._reply(call, result.to_bytes(revisions.tail(result.result_type) if call.modern else b""), mark)
        return True

    def refuse_call(self, call: Call, error: RpcError) -> None:
        """Answers an open call with an error, unless it was cancelled."""
        if self._incoming.finish(call.call_id, call):
            self.open_calls -= 1
            self._fail(call, error)

    def ask_client(self, method: str, params: Fields, framed: bool, answered: Callable[[Response], None]) -> int:
        """Sends a request of ours to the client; `answered` gets its response, at most once. Its id."""
        request_id = self._outgoing.begin(answered)
        self._send(codec.encode(messages.request(request_id, method, params)), framed)
        return request_id

    def withdraw(self, request_id: int, reason: str, framed: bool) -> None:
        """A request of ours is moot: a later response to it does nothing."""
        if self._outgoing.cancel(request_id) is not None:
            self._notify("notifications/cancelled", {"requestId": request_id, "reason": reason}, framed)

    def tell_task(self, task: Fields) -> None:
        """Tells the subscriptions to a task how it stands; `task` as `tasks/get` shows it."""
        for item in self._subscriptions:
            if task["taskId"] in item.task_ids:
                meta = {revisions.SUBSCRIPTION_KEY: item.call_id}
                self._notify("notifications/tasks", {"_meta": meta, **task}, item.framed)

    def answer_listing(self, listing: Listing) -> None:
        """Answers an open `tools/list` with what the toolbox shows now."""
        if self._incoming.finish(listing.call_id, listing):
            self._listed = True
            self._note("response tools/list")
            self._reply(listing, self.toolbox.listing(revisions.LIST_TAIL_MODERN if listing.modern else b""))

    def report_progress(self, call: Call, message: str) -> None:
        """One progress note of an open call that wants them; the numbers rise by one (contract 4)."""
        if call.progress_token is None or self._incoming.get(call.call_id) is not call:
            return
        call.progress += 1
        params = {"progressToken": call.progress_token, "progress": call.progress, "message": message}
        self._notify("notifications/progress", params, call.framed)

    def tools_changed(self) -> None:
        """Tells a client that has seen a list, in the way of its revision."""
        if not self._listed:
            return
        method = "notifications/tools/list_changed"
        if self._negotiated:
            self._notify(method, None, self._framed)
        for item in self._subscriptions:
            if item.tools:
                self._notify(method, {"_meta": {revisions.SUBSCRIPTION_KEY: item.call_id}}, item.framed)

    def end_subscriptions(self) -> None:
        """The server goes: each listening request gets its closing result."""
        for item in self._subscriptions:
            self._incoming.finish(item.call_id, item)
            meta = {**revisions.SERVER_META, revisions.SUBSCRIPTION_KEY: item.call_id}
            self._reply(item, codec.encode({"resultType": "complete", "_meta": meta}))
        self._subscriptions.clear()

    # What came in.

    def _take_batch(self, values: list[Any], framed: bool) -> None:
        if self._negotiated != revisions.BATCH_VERSION:
            self._send_error(framed, RpcError(messages.INVALID_REQUEST, "This revision has no batches."))
            return
        if not 0 < len(values) <= MAX_BATCH:
            self._send_error(framed, RpcError(messages.INVALID_REQUEST, "A batch holds 1 to 1000 messages."))
            return
        batch = Batch(framed)
        for value in values:
            self._take(messages.classify(value), framed, batch)
        self._leave(batch)

    def _take(self, message: Message, framed: bool, batch: Batch | None) -> None:
        if isinstance(message, Request):
            if batch is not None:
                batch.left += 1
            self._note("request " + (message.method if message.method in _LOGGED else "other"))
            opened = Open(message.id, framed, batch, modern=False)
            try:
                self._request(message, opened)
            except RpcError as error:
                self._fail(opened, error)
        elif isinstance(message, Notification):
            if message.method == "notifications/cancelled":
                self._cancelled(message.params)
        elif isinstance(message, Response):
            answered: Callable[[Response], None] | None = self._outgoing.settle(message)
            if answered is not None:
                answered(message)
        else:
            if batch is not None:
                batch.left += 1
            self._note("parse_error invalid_request")
            error = messages.error(message.id, messages.INVALID_REQUEST, message.message)
            self._emit(framed, batch, codec.encode(error), None)

    def _request(self, request: Request, opened: Open) -> None:
        params: Any = {} if request.params is None else request.params
        if self._incoming.get(request.id) is not None:
            raise RpcError(messages.INVALID_REQUEST, "This id belongs to a request that is still open.")
        if not is_object(params):
            raise RpcError(messages.INVALID_PARAMS, "params must be an object.")
        meta: Any = params.get("_meta")
        if meta is None:
            meta = {}
        if not is_object(meta):
            raise RpcError(messages.INVALID_PARAMS, "params._meta must be an object.")
        if request.method != "initialize":
            opened.modern = revisions.is_modern(meta)
        handler = self._methods.get(request.method)
        if handler is not None:
            handler(opened, params, meta)
        elif opened.modern and self._has_tasks and request.method in TASK_METHODS:
            self._about_task(opened, params, meta, request.method)
        else:
            raise RpcError(messages.METHOD_NOT_FOUND, f"Method not found: {request.method[:100]}")

    def _cancelled(self, params: Any) -> None:
        given = params.get("requestId") if is_object(params) else None
        if not is_id(given):
            return
        opened = self._incoming.get(given)
        if not self._incoming.cancel(given):
            return
        if isinstance(opened, Call):
            self.open_calls -= 1
            self.dropped.append(opened)
        elif isinstance(opened, Subscription):
            self._subscriptions.remove(opened)
            if opened.task_ids:
                self.dropped.append(opened)
        self._leave(opened.batch)

    # The methods.

    def _initialize(self, opened: Open, params: Fields, _meta: Fields) -> None:
        if opened.batch is not None:
            raise RpcError(messages.INVALID_REQUEST, "initialize cannot be part of a batch.")
        asked = params.get("protocolVersion")
        self._negotiated = asked if asked in revisions.HANDSHAKE_VERSIONS else revisions.LATEST_HANDSHAKE
        self._framed = opened.framed
        self.client = Client(params.get("clientInfo"), params.get("capabilities"), self._negotiated)
        self._note("response initialize")
        result = {
            "protocolVersion": self._negotiated,
            "capabilities": revisions.CAPABILITIES,
            "serverInfo": revisions.SERVER_INFO,
            "instructions": revisions.instructions(self.toolbox.tools),
        }
        self._reply(opened, codec.encode(result))

    def _discover(self, opened: Open, _params: Fields, meta: Fields) -> None:
        self._note("response server/discover")
        tasks = self._has_tasks and revisions.takes_tasks(self._client_of(opened, meta).capabilities)
        result = {
            "supportedVersions": list(revisions.SUPPORTED),
            "capabilities": revisions.capabilities(self._has_tasks),
            "instructions": revisions.instructions(self.toolbox.tools, tasks),
            **revisions.CACHING,
            **revisions.COMPLETE,
        }
        self._reply(opened, codec.encode(result))

    def _ping(self, opened: Open, _params: Fields, _meta: Fields) -> None:
        self._note("response ping")
        self._reply(opened, revisions.EMPTY_MODERN if opened.modern else revisions.EMPTY)

    def _list_tools(self, opened: Open, _params: Fields, _meta: Fields) -> None:
        listing = Listing(opened.call_id, opened.framed, opened.batch, opened.modern)
        self._incoming.begin(listing.call_id, listing)
        self.listings.append(listing)

    def _listen(self, opened: Open, params: Fields, meta: Fields) -> None:
        wanted: Any = params.get("notifications")
        if not is_object(wanted):
            raise RpcError(messages.INVALID_PARAMS, "notifications must be an object.")
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise RpcError(TOO_MANY, "too many open subscriptions")
        client = self._client_of(opened, meta)
        room = MAX_WATCHED - sum(len(item.task_ids) for item in self._subscriptions)
        given: Any = wanted.get("taskIds") if self._has_tasks else None
        task_ids = () if given is None else revisions.watched_ids(given, room, client.capabilities)
        tools = wanted.get("toolsListChanged") is True
        item = Subscription(opened, meta, client, tools=tools, task_ids=task_ids)
        self._incoming.begin(item.call_id, item)
        self._subscriptions.append(item)
        honoured: Fields = {"toolsListChanged": True} if item.tools else {}
        if task_ids:
            honoured["taskIds"] = list(task_ids)
            self.started.append(item)
        params = {"_meta": {revisions.SUBSCRIPTION_KEY: item.call_id}, "notifications": honoured}
        self._notify("notifications/subscriptions/acknowledged", params, item.framed)

    def _call_tool(self, opened: Open, params: Fields, meta: Fields) -> None:
        name: Any = params.get("name")
        if not isinstance(name, str) or name not in self.toolbox.tools:
            shown = name[:100] if isinstance(name, str) else "(no name)"
            raise RpcError(messages.INVALID_PARAMS, f"Unknown tool: {shown}")
        call = Call(opened, meta, self._client_of(opened, meta), tool=name, arguments=params.get("arguments"))
        if opened.modern:
            call.takes_tasks = revisions.takes_tasks(call.client.capabilities)
            call.inputs, call.state = revisions.inputs_in(params)
        self._begin(call)

    def _about_task(self, opened: Open, params: Fields, meta: Fields, method: str) -> None:
        client = self._client_of(opened, meta)
        revisions.check_about_task(method, params, client.capabilities)
        self._begin(Call(opened, meta, client, tool=method, arguments=params, method=method))

    def _begin(self, call: Call) -> None:
        if self.open_calls >= MAX_OPEN_CALLS:
            raise RpcError(TOO_MANY, "too many open calls")
        self._incoming.begin(call.call_id, call)
        self.open_calls += 1
        self.started.append(call)

    def _client_of(self, opened: Open, meta: Fields) -> Client:
        return self.client.of_request(
            opened.modern, meta.get(revisions.CLIENT_KEY), meta.get(revisions.CAPABILITIES_KEY)
        )

    # What goes out.

    def _fail(self, opened: Open, error: RpcError) -> None:
        self._note(f"response error {error.code}")
        value = messages.error(opened.call_id, error.code, error.message, error.data)
        self._emit(opened.framed, opened.batch, codec.encode(value), None)

    def _reply(self, opened: Open, result: bytes, mark: Mark | None = None) -> None:
        given = opened.call_id
        head = b"%d" % given if type(given) is int else codec.encode(given)
        payload = b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (head, result)
        self._emit(opened.framed, opened.batch, payload, mark)

    def _send_error(self, framed: bool, error: RpcError) -> None:
        """An error about what gave no usable id."""
        self._send(codec.encode(messages.error(None, error.code, error.message, error.data)), framed)

    def _notify(self, method: str, params: Fields | None, framed: bool) -> None:
        self._send(codec.encode(messages.notification(method, params)), framed)

    def _send(self, payload: bytes, framed: bool) -> None:
        self.out.append((wrap(payload, framed), None))

    def _emit(self, framed: bool, batch: Batch | None, payload: bytes, mark: Mark | None) -> None:
        if batch is None:
            self.out.append((wrap(payload, framed), [mark] if mark else None))
            return
        batch.parts.append(payload)
        if mark:
            batch.marks.append(mark)
        self._leave(batch)

    def _leave(self, batch: Batch | None) -> None:
        if batch is None:
            return
        batch.left -= 1
        if batch.left == 0 and batch.parts:
            self.out.append((wrap(b"[" + b",".join(batch.parts) + b"]", batch.framed), batch.marks))
