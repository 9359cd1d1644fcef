"""The companion starts through this room, so it loads next to nothing (reference figure P1)."""

import subprocess
import sys

import pytest

from tests.fresh_interpreter import HEAVY, loaded

MODULES = ["codeg.jsonrpc.framing", "codeg.jsonrpc.codec", "codeg.jsonrpc.messages", "codeg.jsonrpc.calls"]


@pytest.mark.parametrize("module", MODULES)
def test_each_module_loads_only_this_room(module: str) -> None:
    found = loaded(f"import {module}")
    assert not HEAVY & found
    assert {name for name in found if name.startswith("codeg.")} <= {"codeg.jsonrpc", *MODULES}


def test_a_whole_exchange_loads_nothing_more() -> None:
    found = loaded(
        "from codeg.jsonrpc import calls, codec, framing, messages; "
        "s = framing.Splitter(); "
        "(f,) = s.feed(framing.wrap(codec.encode(messages.request(1, 'ping', {'a': [1.5, None]})), True)); "
        "r = messages.classify(codec.decode(f.payload)); i = calls.Incoming(); i.begin(r.id); i.finish(r.id)"
    )
    assert not HEAVY & found


def test_bad_text_is_told_in_an_interpreter_that_has_not_loaded_json() -> None:
    code = (
        "from codeg.jsonrpc.codec import Undecodable, decode\n"
        "for bad in (b'{', b'\"abc', b'{\"a\" 1}', b'[1,', b'nul', b'NaN'):\n"
        "    try:\n        decode(bad)\n    except Undecodable as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert len(done.stdout.splitlines()) == 6
