"""What goes out never blocks: the queue before stdout, and the diary on stderr."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.output import Diary, Output

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    reader, writer = os.pipe()
    yield reader, writer
    for fd in (reader, writer):
        try:
            os.close(fd)
        except OSError:
            continue


def drain(reader: int) -> bytes:
    os.set_blocking(reader, False)
    found = b""
    while True:
        try:
            data = os.read(reader, 65_536)
        except BlockingIOError:
            return found
        if not data:
            return found
        found += data


def test_marks_run_once_the_last_byte_of_their_text_is_written(pipe: Pipe) -> None:
    reader, writer = pipe
    output = Output(writer)
    ran: list[str] = []
    output.put(b"a" * 10, [lambda: ran.append("small")])
    output.flush()
    assert ran == ["small"]
    output.put(b"b" * 1_000_000, [lambda: ran.append("big")])
    output.put(b"c", [lambda: ran.append("last")])
    found = b""
    while output.queued:
        output.flush()
        assert ("big" in ran) is (output.queued == 0)
        found += drain(reader)
    assert found == b"a" * 10 + b"b" * 1_000_000 + b"c"
    assert ran == ["small", "big", "last"]


def test_a_peer_that_does_not_read_blocks_nothing(pipe: Pipe) -> None:
    output = Output(pipe[1])
    output.put(b"x" * 10_000_000, None)
    output.flush()
    assert output.queued > 9_000_000


def test_a_peer_that_is_gone_is_told_and_what_is_queued_can_be_dropped(pipe: Pipe) -> None:
    reader, writer = pipe
    output = Output(writer)
    ran: list[str] = []
    output.put(b"x", [lambda: ran.append("never")])
    os.close(reader)
    with pytest.raises(BrokenPipeError):
        output.flush()
    output.drop()
    output.flush()
    assert output.queued == 0
    assert ran == []


def test_the_descriptor_is_given_back_as_it_was_found(pipe: Pipe) -> None:
    output = Output(pipe[1])
    assert not os.get_blocking(pipe[1])
    output.close()
    assert os.get_blocking(pipe[1])


def test_a_regular_file_takes_everything_at_once(tmp_path: Path) -> None:
    with open(tmp_path / "out", "wb") as file:
        output = Output(file.fileno())
        assert output.plain
        output.put(b"x" * 500_000, None)
        output.flush()
        assert output.queued == 0
    assert (tmp_path / "out").read_bytes() == b"x" * 500_000


def test_a_device_is_written_in_pieces_that_cannot_block() -> None:
    with open(os.devnull, "wb") as file:
        output = Output(file.fileno())
        output.put(b"x" * 50_000, None)
        output.flush()
        assert output.queued == 0
        assert os.get_blocking(file.fileno())


def test_a_socket_pair_works_like_a_pipe() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        output = Output(ours.fileno())
        output.put(b"hello\n", None)
        output.flush()
        assert theirs.recv(100) == b"hello\n"


def test_diary_lines_are_whole_and_in_order(pipe: Pipe) -> None:
    diary = Diary(pipe[1])
    for at in range(500):
        diary.note(f"line {at}")
    diary.flush()
    lines = drain(pipe[0]).decode().splitlines()
    assert lines == [f"codeg-mcp: line {at}" for at in range(500)]


def test_a_full_stderr_drops_lines_and_blocks_nothing(pipe: Pipe) -> None:
    diary = Diary(pipe[1])
    for _ in range(100):
        for at in range(100):
            diary.note(f"a line that nobody reads {at}")
        diary.flush()
    drain(pipe[0])
    diary.note("after")
    diary.flush()
    assert drain(pipe[0]) == b"codeg-mcp: after\n"


def test_a_closed_stderr_is_never_written_again(pipe: Pipe) -> None:
    reader, writer = pipe
    diary = Diary(writer)
    os.close(reader)
    diary.note("one")
    diary.flush()
    diary.note("two")
    diary.flush()
