"""What a failing agent is said to have done: never with a value of its configured environment, however it is shown."""

import json
from collections.abc import Callable

import pytest

from codeg.jsonrpc.messages import RpcError
from codeg.sessions.failures import Wording
from codeg.sessions.intake import Intake, ProtocolBroken
from codeg.sessions.types import AgentDefinition

KEY = "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nq2VfD+9zL1\n-----END KEY-----\n"
QUOTES = "pass\"word\\with'quotes\té漢"
PLAIN = "sk-0123456789abcdef"
WORDING = Wording(AgentDefinition("custom:x", "X", ("x",), env=(("A", KEY), ("B", QUOTES), ("C", PLAIN), ("D", "1"))))
PARTS = ("MIIEpAIBAAKCAQEA", "q2VfD+9zL1", "with'quotes", "with\\'quotes", "sk-012")

WAYS: list[Callable[[str], str]] = [
    lambda secret: WORDING.ended("at work", None, tuple(secret.split("\n"))).message,
    lambda secret: WORDING.ended("at work", None, (repr({"env": secret}), json.dumps([secret]))).message,
    lambda secret: WORDING.refused("initialize", RpcError(1, f"bad {secret} env"), ()).message,
    lambda secret: WORDING.refused("initialize", RpcError(1, "x" * 1_900 + secret + "y" * 3_000), ()).message,
    lambda secret: WORDING.refused("initialize", RpcError(1, "bad", "x" * 1_990 + secret), ()).message,
    lambda secret: WORDING.refused("initialize", RpcError(1, "bad", {"env": {"A": secret}}), ()).message,
    lambda secret: WORDING.said(RpcError(1, "bad", {"details": "x" * 1_985 + secret + " and on"})),
]


@pytest.mark.parametrize("secret", [KEY, QUOTES, PLAIN], ids=["many lines", "quotes", "plain"])
@pytest.mark.parametrize("way", WAYS)
def test_no_part_of_a_secret_stands_in_a_failure(way: Callable[[str], str], secret: str) -> None:
    said = way(secret)
    assert not [part for part in PARTS if part in said]


def test_short_values_are_no_secrets() -> None:
    assert WORDING.without_secrets("error 1 of 1") == "error 1 of 1"


@pytest.mark.parametrize("before", [b"", b"n" * 190])
@pytest.mark.parametrize("shape", [b"%s", b"env %s", b'{"env":"%s"', b'"%s"'])
def test_no_part_of_a_secret_stands_in_what_is_quoted_of_its_output(before: bytes, shape: bytes) -> None:
    quoted: list[str] = []
    reader = Intake(quoted.append, blot=WORDING.without_secrets)
    line = (shape[:1] if shape.startswith(b"{") else b"") + before + shape % PLAIN.encode() + b"\n"
    try:
        list(reader.feed(line))
    except ProtocolBroken as broken:
        quoted.append(broken.what)
    [said] = quoted
    assert "sk-" not in said
