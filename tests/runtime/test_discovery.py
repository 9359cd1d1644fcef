"""The endpoint: rights from the first instant, one owner, nothing foreign touched, nothing left behind."""

import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from codeg.runtime import logs, unix_endpoint
from codeg.runtime.discovery import Endpoint, EndpointError, HostRunning, open_endpoint
from codeg.runtime.run_folder import LOCK_NAME, PrivateFolder
from codeg.runtime.unix_endpoint import open_unix_endpoint
from codeg.sessions.descriptor_limit import raise_descriptor_limit
from codeg.wire import discovery as record_form
from codeg.wire.places import Places, places
from codeg.wire.version import VERSION
from tests.support import Lines, until

UID = os.geteuid()
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[str]:
    path = str(tmp_path / "h")
    yield path
    shutil.rmtree(places(path, "", UID).short_dir, ignore_errors=True)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: str | Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def at(home: str) -> Places:
    return places(home, "", UID)


def connects(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) == 0


# ---- what there is


def test_an_endpoint_listens_and_says_so(home: str) -> None:
    with open_unix_endpoint(home) as endpoint:
        promise: Endpoint = endpoint
        found = record_form.parse(Path(at(home).discovery).read_bytes())
        for name in ("pid", "socket", "token", "version", "started_at", "v"):
            assert getattr(found, name) == getattr(promise.record, name)
        assert (found.pid, found.socket, found.version) == (os.getpid(), at(home).socket, VERSION)
        assert len(found.token) >= 43
        assert found.started_at[-5] == "."
        assert found.started_at.endswith("Z")
        assert connects(found.socket)
        assert not endpoint.listener.getblocking()
        assert promise.tokens_folder == at(home).tokens
        assert set(json.loads(Path(at(home).discovery).read_bytes())) == {
            "v",
            "pid",
            "socket",
            "token",
            "version",
            "started_at",
        }


@pytest.mark.usefixtures("open_umask")
def test_everything_is_closed_to_others_from_its_first_instant_under_any_umask(home: str) -> None:
    seen: list[tuple[int, int]] = []

    def just_bound(path: str) -> None:
        seen.append((mode(path), mode(os.path.dirname(path))))
        assert not connects(path)

    with open_unix_endpoint(home, just_bound=just_bound):
        assert seen == [(0o600, 0o700)]
        run = Path(at(home).run)
        assert {entry.name: mode(entry) for entry in run.iterdir()} == {
            "broker.sock": 0o600,
            "broker.json": 0o600,
            "broker.lock": 0o600,
            "tokens": 0o700,
        }
        assert (mode(run), mode(run.parent)) == (0o700, 0o700)
        os.umask(umask := os.umask(0))
        assert umask == 0


def test_nothing_but_the_lock_is_left_behind(home: str) -> None:
    with open_unix_endpoint(home) as endpoint:
        Path(endpoint.tokens_folder, "x.token").write_text("secret")
    assert sorted(entry.name for entry in Path(at(home).run).iterdir()) == [LOCK_NAME, "tokens"]
    assert list(Path(at(home).tokens).iterdir()) == []
    assert Path(at(home).run, LOCK_NAME).read_bytes() == b""
    assert endpoint.listener.fileno() == -1


def test_each_start_has_a_token_of_its_own_that_no_log_shows(home: str) -> None:
    tokens: list[str] = []
    for _ in range(2):
        with open_endpoint(home) as endpoint:
            tokens.append(endpoint.record.token)
            assert logs.without_secrets(f"a {tokens[-1]} b") == "a [secret] b"
            assert tokens[-1] not in repr(endpoint)
    assert tokens[0] != tokens[1]


def test_tokens_of_an_earlier_host_are_gone_at_the_start(home: str, tmp_path: Path) -> None:
    tokens = Path(at(home).tokens)
    (tokens / "deep" / "er").mkdir(parents=True)
    (tokens / "old.token").write_text("x")
    outside = tmp_path / "kept"
    outside.mkdir()
    (outside / "file").write_text("x")
    (tokens / "link").symlink_to(outside)
    tokens.chmod(0o777)
    with open_endpoint(home):
        assert list(tokens.iterdir()) == []
        assert mode(tokens) == 0o700
    assert (outside / "file").exists()


def test_no_child_inherits_a_descriptor(home: str) -> None:
    before = _descriptors()
    with open_endpoint(home):
        made = _descriptors() - before
        assert len(made) == 4
        assert [descriptor for descriptor in made if os.get_inheritable(descriptor)] == []
    assert _descriptors() == before


def _descriptors() -> set[int]:
    found: set[int] = set()
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):
            os.fstat(int(name))
            found.add(int(name))
    return found


def test_the_limit_of_descriptors_is_raised_and_told(home: str) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
        with open_endpoint(home) as endpoint:
            assert endpoint.descriptor_limit == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            assert endpoint.descriptor_limit >= min(hard if hard != resource.RLIM_INFINITY else 10_240, 10_240)
        assert raise_descriptor_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# ---- one owner


def test_a_second_host_is_refused_with_the_pid_of_the_first_and_disturbs_nothing(home: str) -> None:
    with open_endpoint(home) as first:
        before = Path(at(home).discovery).read_bytes()
        expected = rf"^A host is already running \(pid {os.getpid()}\)\.$"
        with pytest.raises(HostRunning, match=expected) as caught, open_endpoint(home):
            pass
        assert caught.value.pid == os.getpid()
        assert Path(at(home).discovery).read_bytes() == before
        assert connects(first.record.socket)
    with open_endpoint(home):
        pass


def test_another_process_that_owns_the_directory_is_named(home: str) -> None:
    with HostProcess(home) as host, pytest.raises(HostRunning) as caught, open_endpoint(home):
        pass
    assert caught.value.pid == host.pid


def test_what_a_killed_host_left_is_taken_over(home: str) -> None:
    with HostProcess(home) as host:
        host.send_signal(signal.SIGKILL)
        host.wait(20)
    assert stat.S_ISSOCK(os.lstat(at(home).socket).st_mode)
    assert Path(at(home).discovery).exists()
    with open_endpoint(home) as endpoint:
        assert connects(endpoint.record.socket)
        assert Path(at(home).run, LOCK_NAME).read_text() == f"{os.getpid()}\n"


def test_a_host_whose_lock_file_was_removed_is_still_found(home: str) -> None:
    with open_endpoint(home) as first:
        os.unlink(os.path.join(at(home).run, LOCK_NAME))
        with pytest.raises(HostRunning) as caught, open_endpoint(home):
            pass
        assert caught.value.pid in (os.getpid(), None)
        assert connects(first.record.socket)


def test_a_lock_whose_owner_has_not_written_its_pid_is_still_a_lock(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unix_endpoint, "_TRIES", 3)
    with PrivateFolder(at(home).run, UID) as folder:
        assert folder.take_lock()
        for content in (b"", b"999999999\n", b"nonsense"):
            Path(at(home).run, LOCK_NAME).write_bytes(content)
            with pytest.raises(HostRunning, match=r"^A host is already running\.$"), open_endpoint(home):
                pass


class HostProcess:
    """A process that owns the endpoint of a home until it is killed."""

    CODE = (
        "import sys\n"
        "from codeg.runtime.discovery import open_endpoint\n"
        "with open_endpoint(sys.argv[1]):\n"
        "    print('ready', flush=True)\n"
        "    sys.stdin.read()\n"
    )

    def __init__(self, home: str) -> None:
        self._home = home

    def __enter__(self) -> "subprocess.Popen[bytes]":
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.CODE, self._home], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        assert Lines(self._process.stdout.fileno()).next() == b"ready"
        return self._process

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()
            until(lambda: self._process.poll() is not None, "the host process ends")


# ---- what is foreign


@pytest.mark.parametrize("kind", ["file", "folder", "link", "pipe"])
def test_something_foreign_at_the_sockets_path_is_left_alone(home: str, tmp_path: Path, kind: str) -> None:
    run = Path(at(home).run)
    run.mkdir(parents=True)
    path = Path(at(home).socket)
    match kind:
        case "file":
            path.write_text("precious")
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(tmp_path / "nowhere")
        case _:
            os.mkfifo(path)
    before = os.lstat(path)
    with pytest.raises(EndpointError) as caught, open_endpoint(home):
        pass
    assert not isinstance(caught.value, HostRunning)
    assert str(path) in str(caught.value)
    assert str(caught.value).endswith("it is left alone.")
    assert str(caught.value).count(". ") == 0
    after = os.lstat(path)
    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)
    assert not Path(at(home).discovery).exists()


def test_what_took_our_place_meanwhile_is_not_removed_at_the_end(home: str) -> None:
    with open_endpoint(home):
        os.unlink(at(home).socket)
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(at(home).socket)
        Path(at(home).discovery).write_text("another's")
    assert stat.S_ISSOCK(os.lstat(at(home).socket).st_mode)
    assert Path(at(home).discovery).read_text() == "another's"


def test_an_end_without_our_files_is_quiet(home: str) -> None:
    with open_endpoint(home):
        shutil.rmtree(at(home).run)
    assert not os.path.exists(at(home).run)


def test_a_link_in_place_of_the_discovery_file_is_replaced_not_followed(home: str, tmp_path: Path) -> None:
    Path(at(home).run).mkdir(parents=True)
    (tmp_path / "precious").write_text("precious")
    Path(at(home).discovery).symlink_to(tmp_path / "precious")
    with open_endpoint(home):
        assert stat.S_ISREG(os.lstat(at(home).discovery).st_mode)
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("name", ["broker.json", LOCK_NAME, "tokens"])
def test_something_that_is_no_file_in_a_files_place_is_one_sentence(home: str, name: str) -> None:
    Path(at(home).run).mkdir(parents=True)
    if name == "tokens":
        Path(at(home).tokens).write_text("no folder")
    else:
        Path(at(home).run, name).mkdir()
    with pytest.raises(EndpointError) as caught, open_endpoint(home):
        pass
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert not os.path.lexists(at(home).socket)
    assert "broker.sock" not in os.listdir(at(home).run)
