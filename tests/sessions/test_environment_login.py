"""Asking the login shell for its PATH: real shells and ones that misbehave."""

import os
import stat
import sys
from typing import Any

import anyio
import pytest

from codeg.sessions.login_path import login_shell, parse_path, path_for_agents, read_login_path
from tests.fakes.processes import PATIENCE, living, new_run

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no login shells")
MARK = b"--codeg-path--\n"


@pytest.mark.parametrize(
    ("output", "path"),
    [
        (MARK + b"/a:/b\n" + MARK, "/a:/b"),
        (b"welcome\n" + MARK + b"/a\n" + MARK + b"bye\n", "/a"),
        (MARK + b"/old\n" + MARK + b"more " + MARK + b"/a b:/c\r\n" + MARK, "/a b:/c"),
        (MARK + MARK, None),
        (MARK + b"\n" + MARK, None),
        (MARK + b"no path\n" + MARK, None),
        (MARK + b"/a\n/b\n" + MARK, None),
        (MARK + b"/a\n", None),
        (b"", None),
    ],
)
def test_the_path_stands_between_the_marks_whatever_profiles_print(output: bytes, path: str | None) -> None:
    assert parse_path(output) == path


@pytest.mark.parametrize(
    ("database", "variable", "shell"),
    [("/bin/a", "/bin/b", "/bin/a"), ("/bin/no", "/bin/b", "/bin/b"), ("", "b", None), ("", "", None)],
)
def test_the_password_databases_shell_goes_before_the_variables(
    database: str, variable: str, shell: str | None
) -> None:
    assert login_shell(database, variable, {"/bin/a", "/bin/b", "b"}.__contains__) == shell


@posix
@pytest.mark.anyio
async def test_a_folder_that_only_the_profile_puts_on_the_path_is_there(tmp_path: Any) -> None:
    (tmp_path / ".profile").write_text('echo noise; PATH="$HOME/.local/bin:/usr/bin:/bin"; export PATH\n')
    env = {**new_run(), "HOME": str(tmp_path), "CLAUDECODE": "1"}
    assert await read_login_path(env, "/bin/sh") == f"{tmp_path}/.local/bin:/usr/bin:/bin"


@posix
@pytest.mark.anyio
async def test_the_path_for_agents_holds_our_own_as_well(tmp_path: Any) -> None:
    env = {**new_run(), "HOME": str(tmp_path), "PATH": "/own/place:/usr/bin:/bin"}
    assert "/own/place" in (await path_for_agents(env)).split(os.pathsep)


@posix
@pytest.mark.anyio
@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "echo nothing",
        "sleep 600 & exec sleep 600",
        "echo --codeg-path--; sleep 600",
        "exec cat /dev/zero",
    ],
)
async def test_a_shell_that_hangs_or_says_nothing_costs_its_time_and_leaves_nothing(tmp_path: Any, script: str) -> None:
    shell = tmp_path / "shell"
    shell.write_text(f"#!/bin/sh\n{script}\n")
    shell.chmod(shell.stat().st_mode | stat.S_IXUSR)
    env = new_run()
    with anyio.fail_after(PATIENCE):
        assert await read_login_path(env, str(shell), limit_s=0.2) is None
    if sys.platform == "linux":
        assert not living(env)


@posix
@pytest.mark.anyio
async def test_no_shell_or_one_that_is_none_gives_no_path() -> None:
    assert await read_login_path({}, None) is None
    assert await read_login_path({}, "/etc/passwd") is None
