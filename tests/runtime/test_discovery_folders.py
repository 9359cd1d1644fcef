"""Which folder an endpoint takes: ours and closed, the stand-in, paths that are too long (B27, B29)."""

import os
import shutil
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeg.runtime.discovery import EndpointError, HostRunning, open_endpoint
from codeg.runtime.run_folder import LOCK_NAME, PrivateFolder, UnsafeFolder
from codeg.runtime.unix_endpoint import open_unix_endpoint
from codeg.wire import discovery as record_form
from codeg.wire.places import Places, places

UID = os.geteuid()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[str]:
    path = str(tmp_path / "h")
    yield path
    shutil.rmtree(places(path, "", UID).short_dir, ignore_errors=True)


def mode(path: str | Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def at(home: str) -> Places:
    return places(home, "", UID)


def connects(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


def test_a_folder_of_ours_that_was_open_to_others_is_tightened(home: str) -> None:
    run = Path(at(home).run)
    run.mkdir(parents=True)
    run.chmod(0o777)
    run.parent.chmod(0o755)
    with open_endpoint(home):
        assert mode(run) == 0o700
    assert mode(run.parent) == 0o755


@pytest.mark.parametrize("kind", ["file", "link", "cannot be made"])
def test_the_stand_in_is_used_when_the_folder_cannot_be(
    home: str, tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    run = Path(at(home).run)
    if kind == "cannot be made":
        run.parent.write_text("in the way")
    else:
        run.parent.mkdir()
        (tmp_path / "elsewhere").mkdir()
        if kind == "file":
            run.write_text("in the way")
        else:
            run.symlink_to(tmp_path / "elsewhere")
    with open_endpoint(home) as endpoint:
        short = at(home).short_dir
        assert endpoint.record.socket == f"{short}/broker.sock"
        assert endpoint.tokens_folder == f"{short}/tokens"
        assert record_form.parse(Path(short, "broker.json").read_bytes()).token == endpoint.record.token
        assert (mode(short), mode(f"{short}/broker.sock")) == (0o700, 0o600)
        with pytest.raises(HostRunning), open_endpoint(home):
            pass
    assert list((tmp_path / "elsewhere").iterdir() if kind != "cannot be made" else []) == []
    assert str(run) in caplog.text
    assert endpoint.record.token not in caplog.text


def test_a_stand_in_that_is_not_ours_is_refused_with_both_reasons(home: str) -> None:
    Path(home).write_text("in the way")
    short = at(home).short_dir
    os.symlink("/tmp", short)
    try:
        expected = rf"^The folder {home}/run .* and the folder {short} is a symbolic link"
        with pytest.raises(EndpointError, match=expected), open_endpoint(home):
            pass
        assert os.readlink(short) == "/tmp"
        assert mode("/tmp") & 0o1000
    finally:
        os.unlink(short)


def test_another_users_folder_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o755)
    with pytest.raises(UnsafeFolder, match=rf"belongs to user {UID}, not to user {UID + 1}"):
        PrivateFolder(str(tmp_path / "run"), UID + 1)
    assert mode(tmp_path / "run") == 0o755


LONG = "/a folder, déjà vu 漢字 " + "x" * 60


@pytest.mark.parametrize("place", ["home", "account"])
def test_a_path_of_two_hundred_bytes_with_spaces_still_listens(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = str(tmp_path) + LONG * 3
    assert len(os.fsencode(long)) >= 200
    for name in ("HOME", "XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.setenv(name, long)
    os.makedirs(long)
    home, account = (long, None) if place == "home" else (None, long)
    found = places(home, account or "", UID)
    with open_unix_endpoint(home, account_home=account) as endpoint:
        path = endpoint.record.socket
        assert len(os.fsencode(path)) <= 100
        assert os.path.dirname(path) == found.short_dir
        assert path.startswith("/tmp/codeg-")
        assert (mode(path), mode(found.short_dir), mode(found.run)) == (0o600, 0o700, 0o700)
        assert connects(path)
        assert record_form.parse(Path(found.discovery).read_bytes()).socket == path
        assert found.run.startswith(long)
        with pytest.raises(HostRunning) as caught, open_unix_endpoint(home, account_home=account):
            pass
        assert caught.value.pid == os.getpid()
    assert os.listdir(found.short_dir) == [LOCK_NAME]
    shutil.rmtree(found.short_dir)


def test_a_home_that_is_not_absolute_is_one_sentence() -> None:
    with pytest.raises(EndpointError, match="must be an absolute path"), open_endpoint("here"):
        pass


def test_the_accounts_home_comes_from_the_password_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import pwd

    def moved(_: int) -> pwd.struct_passwd:
        return pwd.struct_passwd(entry)

    entry = list(pwd.getpwuid(UID))
    entry[5] = str(tmp_path)
    monkeypatch.setattr(pwd, "getpwuid", moved)
    monkeypatch.setenv("HOME", "/elsewhere")
    with open_endpoint(None) as endpoint:
        assert endpoint.tokens_folder == str(tmp_path / ".codeg" / "run" / "tokens")


def test_an_account_without_an_entry_is_told_what_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    def nobody(_: int) -> None:
        raise KeyError("uid not found")

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(EndpointError, match="give --home DIR"), open_endpoint(None):
        pass
