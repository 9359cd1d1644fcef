"""What is read as JSON and what is refused, on both ways to the C scanner."""

import importlib.util
import json
import math
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.jsonrpc import codec


def _without_the_private_module() -> ModuleType:
    spec = importlib.util.find_spec("codeg.jsonrpc.codec")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    kept = sys.modules.get("_json")
    sys.modules["_json"] = None  # type: ignore[assignment]
    try:
        spec.loader.exec_module(module)
    finally:
        if kept is None:
            del sys.modules["_json"]
        else:
            sys.modules["_json"] = kept
    return module


PLAIN = _without_the_private_module()


@pytest.fixture(params=["direct", "plain"])
def subject(request: pytest.FixtureRequest) -> Iterator[Any]:
    yield codec if request.param == "direct" else PLAIN


def nested(depth: int, opener: bytes = b"[", closer: bytes = b"]") -> bytes:
    return opener * depth + b"1" + closer * depth


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b'{"a":"\xff"}', "no UTF-8 from byte 6 on"),
        (b"\xff\xfe", "no UTF-8"),
        (b'"\xed\xa0\x80"', "no UTF-8"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b"", "no JSON"),
        (b" \t\r\n", "no JSON"),
        (b"{", "no JSON"),
        (b'{"a":}', "no JSON"),
        (b'{"a" 1}', "no JSON"),
        (b'{"a":1,}', "no JSON"),
        (b"[1 2]", "no JSON"),
        (b"{}{}", "more follows"),
        (b"{} x", "more follows"),
        (b"'a'", "no JSON"),
        (b'"a\nb"', "no JSON"),
        (b'"\\u12"', "no JSON"),
        (b"\x0b{}", "no JSON"),
        (b"NaN", "NaN"),
        (b'{"a":[Infinity]}', "Infinity"),
        (b"-Infinity", "-Infinity"),
        (b'{"a":1e999}', "too large"),
        (b"-1E400", "too large"),
        (b"1" * 5000, "too many digits"),
        (b'{"a":-' + b"1" * 5000 + b"}", "too many digits"),
        (nested(513), "nested too deeply"),
        (nested(990), "nested too deeply"),
        (nested(200_000), "nested too deeply"),
        (b"[" * 200_000, "nested too deeply"),
        (nested(513, b'{"a":', b"}"), "nested too deeply"),
        (nested(600, b'["\\ud800",', b"]"), "nested too deeply"),
    ],
    ids=lambda value: repr(value[:16]),
)
def test_unreadable_payloads_are_undecodable_and_nothing_else(subject: Any, payload: bytes, says: str) -> None:
    with pytest.raises(subject.Undecodable) as caught:
        subject.decode(payload)
    assert says in str(caught.value)
    assert str(caught.value).startswith("The message ")
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("depth", [1, 300, 512])
def test_nesting_up_to_the_limit_is_read_and_written_again(subject: Any, depth: int) -> None:
    for payload in (nested(depth), nested(depth, b'{"a":', b"}")):
        assert subject.encode(subject.decode(payload)) == payload


def test_many_brackets_are_not_many_levels(subject: Any) -> None:
    payload = b"[" + b",".join([b'{"a":[]}'] * 2000) + b"]"
    assert subject.encode(subject.decode(payload)) == payload


def test_long_scalars_are_read(subject: Any) -> None:
    assert subject.decode(b"7" * 3000) == int("7" * 3000)
    assert subject.decode(b'"' + b"[" * 3000 + b'"') == "[" * 3000


@pytest.mark.parametrize(
    "value",
    [2**64 + 1, -(2**70), 0, 42, 42.0, 1.5e300, "42", "\U0001f41d id \u6f22", "", True, None],
    ids=repr,
)
def test_ids_come_back_unchanged(subject: Any, value: Any) -> None:
    again = subject.decode(subject.encode({"id": value}))["id"]
    assert again == value
    assert type(again) is type(value)
    assert subject.encode(again) == json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("escaped", "read"),
    [
        (r'"\ud83d\udc1d"', "\U0001f41d"),
        (r'"a\ud800b"', "a\ufffdb"),
        (r'"\udfff"', "\ufffd"),
        (r'"\uD800\uD800\uDC00"', "\ufffd\U00010000"),
        (r'"\udc00\ud800"', "\ufffd\ufffd"),
        (r'"\\ud800"', r"\ud800"),
        (
            r'{"k\udead":["\uDEAD",{"n":1.5}],"\u6f22":18446744073709551617}',
            {"k\ufffd": ["\ufffd", {"n": 1.5}], "\u6f22": 2**64 + 1},
        ),
    ],
)
def test_lone_surrogates_become_replacement_characters_on_decode(subject: Any, escaped: str, read: Any) -> None:
    assert subject.decode(escaped.encode()) == read


@pytest.mark.parametrize(
    "padding", ['"' + "x" * 9_000 + '"', '"漢\\n' + "x" * 9_000 + '"', "[" + '"\\n",' * 3_000 + "1]"]
)
@pytest.mark.parametrize(
    ("escaped", "read"),
    [
        (r'"\ud800"', "\ufffd"),
        (r'{"a":[{"b":"\uDFFF"}]}', {"a": [{"b": "\ufffd"}]}),
        (r'{"k\udead":1}', {"k\ufffd": 1}),
        (r'"\ud83d\udc1d"', "\U0001f41d"),
        (r'"\\ud800"', r"\ud800"),
        ('"漢"', "漢"),
        ("5", 5),
    ],
)
def test_lone_surrogates_are_found_in_large_messages_of_few_and_of_many_texts(
    subject: Any, padding: str, escaped: str, read: Any
) -> None:
    found = subject.decode(f'{{"pad":{padding},"it":{escaped}}}'.encode())
    assert found["it"] == read
    assert len(found["pad"]) > 2_999


def test_lone_surrogates_become_replacement_characters_on_encode(subject: Any) -> None:
    assert subject.encode({"a\ud800": "\udfffb"}) == '{"a\ufffd":"\ufffdb"}'.encode()


def test_written_json_is_one_compact_line_for_every_kind_of_peer(subject: Any) -> None:
    text = "\r\n\u2028\u2029\x85\x00\u6f22"
    written = subject.encode({"a": [1, text], "b": None})
    assert written == '{"a":[1,"\\r\\n\\u2028\\u2029\x85\\u0000\u6f22"],"b":null}'.encode()
    assert subject.decode(written)["a"][1] == text


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": [-math.inf]}])
def test_numbers_that_json_lacks_are_not_written(subject: Any, value: Any) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        subject.encode(value)


def test_objects_that_json_lacks_are_named(subject: Any) -> None:
    with pytest.raises(TypeError, match="no form for set"):
        subject.encode({"a": {1}})


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=12,
)


@given(value=json_values)
def test_what_is_written_is_read_back(value: Any) -> None:
    for module in (codec, PLAIN):
        written = module.encode(value)
        assert b"\n" not in written
        assert b"\r" not in written
        assert module.decode(written) == value
        assert json.loads(written) == value
    assert codec.encode(value) == PLAIN.encode(value)


@given(
    payload=st.one_of(
        st.binary(max_size=40), st.text(alphabet='{}[]",:\\ud8c019eE+-.NaIntrufls ', max_size=40).map(str.encode)
    )
)
def test_any_bytes_give_a_value_or_undecodable(payload: bytes) -> None:
    found: list[Any] = []
    for module in (codec, PLAIN):
        try:
            found.append(module.encode(module.decode(payload)))
        except module.Undecodable:
            found.append(None)
    assert found[0] == found[1]


def test_a_scanner_that_lacks_its_error_class_is_given_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scan, calls = codec._scan, 0

    def bare(text: str, at: int) -> tuple[object, int]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise SystemError
        return scan(text, at)

    monkeypatch.setattr(codec, "_scan", bare)
    assert codec.decode(b"[1]") == [1]
