"""What a JSON value means in JSON-RPC 2.0, and the objects we send.

Owns the distinction of request, notification, response and none of them; never decides what to answer. Batches (arrays)
are the caller's: they are legal in one revision of MCP only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeAlias, TypeGuard

Id: TypeAlias = str | int | float
"""What names a call; `true` is none."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603


class RpcError(Exception):
    """An error as JSON-RPC carries it: what a peer answered, or what we answer. `data` None = not sent."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_object(self) -> dict[str, Any]:
        """The `error` member of a response."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            found["data"] = self.data
        return found

    @classmethod
    def from_object(cls, value: Any) -> RpcError:
        """Reads an `error` member, odd ones too: a bare text is kept, a code that is no integer reads as -32603."""
        fields = value if is_object(value) else {"message": value}
        code, message = fields.get("code"), fields.get("message")
        return cls(
            code if type(code) is int else INTERNAL_ERROR,
            message if isinstance(message, str) and message else "The peer gave no reason.",
            fields.get("data"),
        )


class _Record:
    """Equality and a readable form over the slots."""

    __slots__ = ()

    def _parts(self) -> list[Any]:
        return [getattr(self, name) for name in self.__slots__]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({inner})"


class Request(_Record):
    """A call that must be answered once. `params`: object, array, or None when absent."""

    __slots__ = ("id", "method", "params")

    def __init__(self, call_id: Id, method: str, params: dict[str, Any] | list[Any] | None) -> None:
        self.id = call_id
        self.method = method
        self.params = params


class Notification(_Record):
    """A message that is never answered."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: dict[str, Any] | list[Any] | None) -> None:
        self.method = method
        self.params = params


class Response(_Record):
    """An answer of the peer. `error` None = it went well and `result` counts. `id` None = it names no call of ours."""

    __slots__ = ("error", "id", "result")

    def __init__(self, call_id: Id | None, result: Any, error: RpcError | None) -> None:
        self.id = call_id
        self.result = result
        self.error = error


class Invalid(_Record):
    """A value that is no message: answered with -32600 and `id` (None when it gave no usable one)."""

    __slots__ = ("id", "message")

    def __init__(self, call_id: Id | None, message: str) -> None:
        self.id = call_id
        self.message = message


Message: TypeAlias = Request | Notification | Response | Invalid


def classify(value: Any) -> Message:
    """Tells what one decoded value is. Arrays too read as `Invalid`: a caller that serves batches looks first."""
    if not is_object(value):
        return Invalid(None, "A message must be one JSON object.")
    fields = value
    given = fields.get("id")
    usable = is_id(given)
    known = given if usable else None
    if fields.get("jsonrpc") != "2.0":
        return Invalid(known, 'The field jsonrpc must be "2.0".')
    if "method" in fields:
        return _call(fields, known, usable)
    if "result" not in fields and "error" not in fields:
        return Invalid(known, "The field method is missing.")
    if not usable and given is not None:
        return Invalid(None, "The field id must be a string or a number.")
    error = fields.get("error")
    if error is None and "result" in fields:
        return Response(known, fields["result"], None)
    return Response(known, None, RpcError.from_object(error))


def _call(fields: dict[str, Any], known: Id | None, usable: bool) -> Message:
    method = fields["method"]
    if type(method) is not str:
        return Invalid(known, "The field method must be a string.")
    params: Any = fields.get("params")
    if "params" in fields and type(params) not in (dict, list):
        return Invalid(known, "The field params must be an object or an array.")
    if "id" not in fields:
        return Notification(method, params)
    if not usable:
        return Invalid(None, "The field id must be a string or a number.")
    return Request(fields["id"], method, params)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a decoded value is a JSON object."""
    return type(value) is dict


def is_id(value: Any) -> TypeGuard[Id]:
    """Whether a decoded value can name a call: a string or a number; `true` is none, though Python counts it as 1."""
    return type(value) in (str, int, float)


def request(call_id: Id, method: str, params: Any = None) -> dict[str, Any]:
    """A request of ours; `params` None = without."""
    return {"jsonrpc": "2.0", "id": call_id, "method": method, **_given(params)}


def notification(method: str, params: Any = None) -> dict[str, Any]:
    """A notification of ours; `params` None = without."""
    return {"jsonrpc": "2.0", "method": method, **_given(params)}


def result(call_id: Id, value: Any) -> dict[str, Any]:
    """The good answer to a request."""
    return {"jsonrpc": "2.0", "id": call_id, "result": value}


def error(call_id: Id | None, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """The bad answer to a request; `call_id` None when the request gave no usable one."""
    return {"jsonrpc": "2.0", "id": call_id, "error": RpcError(code, message, data).to_object()}


def _given(params: Any) -> dict[str, Any]:
    return {} if params is None else {"params": params}
