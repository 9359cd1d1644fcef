"""The companion starts through this room, so it loads next to nothing (reference figure P1)."""

import tomllib
from pathlib import Path

import pytest

from codeg.wire.version import VERSION
from tests.fresh_interpreter import HEAVY, loaded

MODULES = [f"codeg.wire.{name}" for name in ("version", "frames", "places", "discovery", "requests")]


@pytest.mark.parametrize("module", MODULES)
def test_each_module_of_the_companions_path_loads_only_this_room(module: str) -> None:
    found = loaded(f"import {module}")
    assert not HEAVY & found
    assert {name for name in found if name.startswith("codeg.")} <= {"codeg.wire", *MODULES}


def test_the_usual_places_need_no_hash() -> None:
    found = loaded(
        "from codeg.wire.places import places; p = places(None, '/home/ann', 1); p.socket; next(p.candidates())"
    )
    assert not HEAVY & found


def test_a_companion_with_its_own_codec_never_loads_json() -> None:
    found = loaded(
        "from codeg.jsonrpc import codec; from codeg.wire import discovery, frames, requests; "
        "r = frames.FrameReader(); p = r.feed(frames.pack(codec.encode(requests.outcome(1)))); "
        "requests.outcome_of(codec.decode(p)); "
        "discovery.read(dict(v=1, pid=1, socket='s', token='t', version='1', started_at='x'))"
    )
    assert not HEAVY & found


def test_reading_json_loads_nothing_but_json() -> None:
    allowed = {"json", "re", "enum"}
    assert not (HEAVY - allowed) & loaded("import codeg.wire.payload")


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION
