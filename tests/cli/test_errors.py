"""From errors to one sentence and an exit code, whatever broke."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeg import api
from codeg.cli import commands, tasks


def ended(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def broken(*_: object) -> int:
        raise error

    monkeypatch.setattr(commands, "_dispatch", broken)

    def unmuted(code: int) -> int:
        return code

    monkeypatch.setattr(commands, "_mute", unmuted)
    return commands.carry_out(["asks"])


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (api.UserError("invalid_arguments", "That is\nwrong."), 2, "codeg: That is wrong.\n"),
        (api.HostUnavailable("No host."), 2, "codeg: No host.\n"),
        (api.HostError("It failed."), 1, "codeg: It failed.\n"),
        (OSError(28, "No space left on device"), 1, "codeg: No space left on device.\n"),
        (BrokenPipeError(), 1, ""),
        (KeyboardInterrupt(), 1, ""),
        (ZeroDivisionError("x"), 1, "codeg: a fault of Codeg: ZeroDivisionError: x (CODEG_LOG=debug shows where)\n"),
    ],
)
def test_every_error_is_one_sentence_and_a_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, sentence: str
) -> None:
    monkeypatch.delenv("CODEG_LOG", raising=False)
    assert ended(monkeypatch, error) == code
    assert capsys.readouterr().err == sentence


@pytest.mark.parametrize(
    "error",
    [api.UserError("invalid_agent_type", "It failed."), api.HostRunning(7), api.HostError("It failed.")],
)
def test_what_ended_a_command_is_told_and_not_the_group_around_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    ended(monkeypatch, ExceptionGroup("outer", [ValueError("beside"), ExceptionGroup("inner", [error])]))
    assert capsys.readouterr().err == f"codeg: {error}\n"


def test_a_folder_that_cannot_be_worked_in_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for words in ([], ["--cwd", ""], ["--cwd", "here"], ["--cwd", "/no/such/folder"]):
        assert commands.carry_out(["run", "x", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    monkeypatch.chdir(tmp_path)


def test_waiting_for_an_unknown_task_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(*_: object) -> list[dict[str, str]]:
        return [{"task_id": "nobody", "status": "unknown"}]

    monkeypatch.setattr(api, "wait_tasks", unknown)
    assert tasks._wait(None, ["nobody"], as_json=False) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "codeg: there is no task nobody; `codeg task list` shows all.\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has /dev/full")
def test_an_output_that_takes_nothing_is_one_sentence(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "codeg.cli", "agents", "--home", str(tmp_path)],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=20,
            check=False,
        )
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
