"""The log: where, how much, how loud, and what never stands in it."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeg.runtime import logs
from codeg.runtime.logs import TaskText, forget, hide, open_log

log = logging.getLogger("codeg.test")
TOKEN = "tok_3fJ9-secret_value"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "log" / "codeg.log"


@pytest.fixture
def token() -> Iterator[str]:
    hide(TOKEN)
    yield TOKEN
    forget(TOKEN)


def lines(path: Path) -> list[str]:
    return [line.split(" ", 2)[2] for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_log_is_private_under_any_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        with open_log(str(path), {}):
            log.info("hello")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert lines(path) == ["INFO codeg.test: hello"]


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        (None, ["info", "warning"]),
        ("debug", ["debug", "info", "warning"]),
        (" INFO ", ["info", "warning"]),
        ("warning", ["warning"]),
    ],
)
def test_the_variable_says_how_much_is_written(path: Path, wanted: str | None, seen: list[str]) -> None:
    with open_log(str(path), {} if wanted is None else {"CODEG_LOG": wanted}):
        for level in ("debug", "info", "warning"):
            log.log(getattr(logging, level.upper()), level)
    assert [line.split(": ")[1] for line in lines(path)] == seen


def test_an_unknown_level_counts_as_info_and_is_named(path: Path) -> None:
    with open_log(str(path), {"CODEG_LOG": "loud"}):
        log.debug("no")
        log.info("yes")
    assert lines(path) == [
        "WARNING codeg: CODEG_LOG=loud is none of debug, info, warning; info it is.",
        "INFO codeg.test: yes",
    ]


def test_libraries_speak_only_when_something_is_wrong(path: Path) -> None:
    with open_log(str(path), {"CODEG_LOG": "debug"}):
        logging.getLogger("asyncio").debug("selector")
        logging.getLogger("asyncio").error("never retrieved")
    assert lines(path) == ["ERROR asyncio: never retrieved"]


def test_a_secret_stands_nowhere(path: Path, token: str) -> None:
    with open_log(str(path), {"CODEG_LOG": "debug"}):
        log.info("in the message %s", token)
        log.info("in an argument %r", {"token": token})
        log.debug("in task text %s", TaskText(f"use {token} twice {token}"))
        try:
            int(f"in an error {token}")
        except ValueError:
            log.exception("failed with %s", token)
        log.warning("with a stack", stack_info=True)
        log.info("ready made " + token)  # noqa: G003  # what it guards against
    content = path.read_text()
    assert token not in content
    assert content.count("[secret]") >= 7
    assert "Traceback" in content


def test_of_two_secrets_the_longer_one_is_hidden_whole(path: Path, token: str) -> None:
    hide(token + "-and-more")
    with open_log(str(path), {}):
        log.info("%s", token + "-and-more")
    forget(token + "-and-more")
    assert lines(path) == ["INFO codeg.test: [secret]"]


def test_a_value_too_short_to_be_a_secret_blots_nothing_out(path: Path) -> None:
    hide("true")
    with open_log(str(path), {}):
        log.info("it is true")
    assert lines(path) == ["INFO codeg.test: it is true"]


def test_task_text_stands_only_at_level_debug(path: Path) -> None:
    with open_log(str(path), {"CODEG_LOG": "debug"}):
        log.info("task %s: %s", "t1", TaskText("do it"))
        log.warning("%s", TaskText("do it"))
        log.debug("task %s: %s", "t1", TaskText("do it"))
        log.debug("%s", TaskText("do it"))
    assert [line.split(": ", 1)[1] for line in lines(path)] == [
        "task t1: (5 characters)",
        "(5 characters)",
        "task t1: do it",
        "do it",
    ]


def test_one_record_is_one_line(path: Path) -> None:
    with open_log(str(path), {}):
        log.info("a\nb\x1b[31m\u2028é 漢 \ud800")
    assert lines(path) == ["INFO codeg.test: a\\nb\\x1b[31m\\u2028é 漢 \\ud800"]


def test_a_record_that_cannot_be_formatted_is_still_one() -> None:
    record = logging.LogRecord("codeg", logging.INFO, "", 1, "%d", ("no number",), None)
    assert logs.SecretsFilter().filter(record)
    assert record.getMessage() == "(a message that cannot be formatted: '%d')"


def test_five_files_of_a_bounded_size_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (logs.FILES, logs.FILE_BYTES) == (5, 2 * 1024 * 1024)
    monkeypatch.setattr(logs, "FILE_BYTES", 1000)
    with open_log(str(path), {}):
        for number in range(200):
            log.info("line %d %s", number, "x" * 50)
    files = sorted(entry.name for entry in path.parent.iterdir())
    assert files == ["codeg.log", *(f"codeg.log.{number}" for number in range(1, 5))]
    for entry in path.parent.iterdir():
        assert entry.stat().st_size <= 1000
        assert entry.stat().st_mode & 0o777 == 0o600
    assert "line 199 " in path.read_text()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_disturbs_nobody(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with open_log(str(path), {}):
        log.info("kept")
        handler = logging.getLogger().handlers[-1]
        assert isinstance(handler, logging.FileHandler)
        assert handler.stream is not None
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, handler.stream.fileno())
        os.close(full)
        log.info("lost")
    assert lines(path) == ["INFO codeg.test: kept"]
    assert capfd.readouterr().err == ""


def test_a_link_at_the_logs_place_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").write_text("mine")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError), open_log(str(path), {}):
        pass
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_no_child_inherits_the_log_and_it_is_closed_at_the_end(path: Path) -> None:
    handlers = list(logging.getLogger().handlers)
    with open_log(str(path), {}):
        handler = logging.getLogger().handlers[-1]
        assert isinstance(handler, logging.FileHandler)
        assert handler.stream is not None
        assert not os.get_inheritable(handler.stream.fileno())
    assert logging.getLogger().handlers == handlers
    assert handler not in logging.getLogger().handlers
