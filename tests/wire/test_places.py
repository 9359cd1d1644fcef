"""Host and companion find the same places, and judge what lies there alike (contract 3, "runtime")."""

import hashlib
import os
import stat
from pathlib import Path

import pytest

from codeg.wire import places as subject
from codeg.wire.places import Places, places


def short(run: str, uid: int = 1000) -> str:
    return f"/tmp/codeg-{uid}-{hashlib.sha256(os.fsencode(run)).hexdigest()[:8]}"


def test_the_default_lies_in_the_accounts_home() -> None:
    found = places(None, "/home/ann", 1000)
    assert found.run == "/home/ann/.codeg/run"
    assert found.socket == "/home/ann/.codeg/run/broker.sock"
    assert found.discovery == "/home/ann/.codeg/run/broker.json"
    assert found.tokens == "/home/ann/.codeg/run/tokens"


@pytest.mark.parametrize("home", ["/srv/state", "/srv/state/", "/srv//./state", "/srv/x/../state"])
def test_a_given_home_holds_run_itself(home: str) -> None:
    assert places(home, "/home/ann", 1000).run == "/srv/state/run"


def test_an_empty_home_is_none_given() -> None:
    assert places("", "/home/ann", 1000).run == "/home/ann/.codeg/run"


@pytest.mark.parametrize(("home", "account"), [("state", "/home/ann"), ("./x", "/"), (None, ""), (None, "ann")])
def test_a_relative_directory_is_refused_in_a_sentence(home: str | None, account: str) -> None:
    with pytest.raises(ValueError, match="must be an absolute path"):
        places(home, account, 1000)


def test_a_socket_path_of_100_bytes_stays_and_one_more_moves() -> None:
    room = 100 - len("/run/broker.sock")
    fits = places("/" + "a" * (room - 1), "/", 1000)
    assert len(fits.socket) == 100
    assert fits.socket.startswith(fits.run)
    over = places("/" + "a" * room, "/", 1000)
    assert over.socket == short(over.run) + "/broker.sock"
    assert over.discovery == over.run + "/broker.json"


def test_bytes_are_counted_not_characters() -> None:
    wide = places("/" + "\u6f22" * 30, "/", 1000)
    assert len(wide.run) < 100
    assert wide.socket == short(wide.run) + "/broker.sock"


def test_names_that_are_no_utf8_have_places_too() -> None:
    odd = places(os.fsdecode(b"/srv/\xff" + b"a" * 100), "/", 7)
    assert odd.socket == short(odd.run, 7) + "/broker.sock"


@pytest.mark.parametrize("home", ["/srv/state", "/" + "a" * 200])
def test_the_stand_in_holds_everything_and_hashes_the_run_path(home: str) -> None:
    usual = places(home, "/", 1000)
    stand_in = usual.stand_in()
    assert stand_in.run == short(home + "/run")
    assert stand_in.socket == stand_in.run + "/broker.sock"
    assert stand_in.discovery == stand_in.run + "/broker.json"
    assert stand_in.short_dir == stand_in.run
    assert len(os.fsencode(stand_in.socket)) < 60


def test_a_companion_looks_in_the_run_directory_first() -> None:
    usual = places("/srv/state", "/", 1000)
    assert [place.run for place in usual.candidates()] == [usual.run, usual.short_dir]


def test_two_users_and_two_homes_have_different_short_directories() -> None:
    runs = [Places("/a/run", 1), Places("/a/run", 2), Places("/b/run", 1)]
    assert len({place.short_dir for place in runs}) == 3


def found(kind: int, mode: int, uid: int = 1000) -> os.stat_result:
    return os.stat_result((kind | mode, 0, 0, 1, uid, 0, 0, 0, 0, 0))


def test_a_closed_directory_of_ours_is_safe() -> None:
    assert subject.why_unsafe_dir(found(stat.S_IFDIR, 0o700), 1000) is None
    assert subject.why_foreign_dir(found(stat.S_IFDIR, 0o755), 1000) is None


def test_a_closed_file_and_socket_of_ours_are_safe() -> None:
    assert subject.why_unsafe_file(found(stat.S_IFREG, 0o600), 1000) is None
    assert subject.why_unsafe_file(found(stat.S_IFREG, 0o400), 1000) is None
    assert subject.why_unsafe_socket(found(stat.S_IFSOCK, 0o600), 1000) is None
    assert subject.why_foreign_socket(found(stat.S_IFSOCK, 0o666), 1000) is None


JUDGES = [
    (subject.why_unsafe_dir, stat.S_IFDIR, "The runtime directory", "a directory"),
    (subject.why_unsafe_file, stat.S_IFREG, "The discovery file", "a regular file"),
    (subject.why_unsafe_socket, stat.S_IFSOCK, "The socket", "a socket"),
]


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge[2])
def test_each_danger_has_its_sentence(judge: tuple[object, int, str, str]) -> None:
    _, kind, what, name = judge
    why = next(one[0] for one in JUDGES if one[1] == kind)
    assert why(found(stat.S_IFLNK, 0o777), 1000) == f"{what} is a symbolic link, not {name}; it is left alone."
    assert why(found(stat.S_IFIFO, 0o600), 1000) == f"{what} is not {name}; it is left alone."
    theirs = why(found(kind, 0o700, uid=0), 1000)
    assert theirs == f"{what} belongs to user 0, not to user 1000; it is left alone."
    for mode in (0o701, 0o710, 0o604, 0o620, 0o666, 0o777):
        sentence = why(found(kind, mode), 1000)
        assert sentence is not None
        assert sentence.startswith(f"{what} is open to other users (mode {mode:04o}); it must be ")
    named = why(found(stat.S_IFIFO, 0o600), 1000, "The token file")
    assert named is not None
    assert named.startswith("The token file is not ")


def test_real_stat_results_are_judged_without_following_links(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to(folder)
    uid = os.getuid()
    assert subject.why_unsafe_dir(folder.lstat(), uid) is None
    assert "symbolic link" in str(subject.why_unsafe_dir(link.lstat(), uid))
    assert "belongs to user" in str(subject.why_unsafe_dir(folder.lstat(), uid + 1))
    folder.chmod(0o755)
    assert "open to other users (mode 0755)" in str(subject.why_unsafe_dir(folder.lstat(), uid))


def test_the_short_folder_is_the_same_whatever_counts_the_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = places("/h" * 60, "/a", 5).short_dir
    for names in (("_sha2",), ("_sha256",), ("no_such_module",)):
        monkeypatch.setattr("codeg.wire.places._LIGHT_SHA256", names)
        assert places("/h" * 60, "/a", 5).short_dir == expected
