"""Host and keeper understand each other, whatever bytes stand in arguments and environment."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.keeper.messages import pack_launch, parse_report, report_line, stop_grace, stop_line, unpack_launch

raw = st.binary(max_size=40).filter(lambda data: b"\0" not in data)
names = raw.filter(lambda data: data != b"" and b"=" not in data)


@given(st.lists(raw, max_size=5), st.dictionaries(names, raw, max_size=5), raw, raw.filter(bool))
def test_a_launch_message_brings_every_byte_over(
    arguments: list[bytes], env: dict[bytes, bytes], cwd: bytes, program: bytes
) -> None:
    words = [os.fsdecode(each) for each in (program, *arguments)]
    message = pack_launch(words, {os.fsdecode(k): os.fsdecode(v) for k, v in env.items()}, os.fsdecode(cwd))
    assert int.from_bytes(message[:4], "little") == len(message) - 4
    launch = unpack_launch(message[4:])
    assert (launch.argv, launch.env, launch.cwd, launch.descriptors) == ([program, *arguments], env, cwd, 0)


def test_a_launch_message_says_how_many_files_the_agent_may_open() -> None:
    assert unpack_launch(pack_launch(["a"], {}, "/", 1024)[4:]).descriptors == 1024


@pytest.mark.parametrize(
    ("argv", "env", "cwd"),
    [
        ([], {}, "/"),
        ([""], {}, "/"),
        (["a\0"], {}, "/"),
        (["a"], {"": "b"}, "/"),
        (["a"], {"b=c": "d"}, "/"),
        (["a"], {}, "\0"),
    ],
)
def test_what_no_system_could_start_is_refused_before_it_is_sent(
    argv: list[str], env: dict[str, str], cwd: str
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        pack_launch(argv, env, cwd)


@pytest.mark.parametrize(
    "body", [b"", b"1", b"1\00\0/", b"x\00\0/\0a", b"2\00\0/\0a", b"0\00\0/\0a", b"1\0x\0/\0a", b"1\0-1\0/\0a"]
)
def test_a_body_that_is_no_launch_message_is_an_error(body: bytes) -> None:
    with pytest.raises(ValueError, match="not a launch message"):
        unpack_launch(body)


@pytest.mark.parametrize(("asked", "got"), [(0.0, 0.0), (1.0, 1.0), (0.25, 0.25), (-3.0, 0.0), (60.0, 2.0)])
def test_the_grace_of_a_stop_is_bounded(asked: float, got: float) -> None:
    assert stop_grace(stop_line(asked).rstrip(b"\n")) == got


@pytest.mark.parametrize("line", [b"", b"stop", b"stop x", b"stop -1", b"halt 1", b"stop 1 2"])
def test_other_lines_are_no_stop(line: bytes) -> None:
    assert stop_grace(line) is None


def test_a_report_comes_over_as_words() -> None:
    report = parse_report(report_line("signal", 15, 42, 1234).rstrip(b"\n"))
    assert (report.word, report.words, report.number(2), report.number(7)) == ("signal", ("15", "42", "1234"), 1234, 0)


@given(st.binary(max_size=60))
def test_no_line_of_a_keeper_breaks_its_reader(line: bytes) -> None:
    report = parse_report(line)
    assert isinstance(report.number(0), int)
