"""Requests and responses of the socket as bytes, by the codec that the other side of this process has loaded already.

Owns nothing but that choice: the socket's own codec is as strict, but loading it costs a third of the start.
"""

from __future__ import annotations

from codeg.jsonrpc import codec
from codeg.wire import frames, requests
from companion.shapes import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pack(request: dict[str, Any]) -> bytes:
    """The frame of a request.

    Raises:
        frames.FrameTooLarge: its JSON is over 16 MiB.
    """
    return frames.pack(codec.encode(request))


def outcome_in(payload: bytes) -> Any:
    """The outcome in a response.

    Raises:
        requests.RemoteError: the host answered with an error, or with what is no response.
    """
    try:
        value = decode(payload)
    except codec.Undecodable as error:
        raise requests.BadResponse(str(error)) from None
    return requests.outcome_of(value)
