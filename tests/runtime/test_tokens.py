"""Tokens: made, found, and dead with what they belong to."""

import os
import stat
from pathlib import Path

import pytest

from codeg.runtime.tokens import Grant, Tokens

HOST = "host-token"


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(str(tmp_path / "run" / "tokens"), HOST)


def test_a_minted_token_lies_in_a_file_of_its_own_that_only_its_owner_reads(tokens: Tokens) -> None:
    old = os.umask(0)
    try:
        path = tokens.mint("s1")
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    token = Path(path).read_text()
    assert len(token) >= 43
    assert token not in path
    grant = tokens.find(token)
    assert grant is not None
    assert (grant.session_id, grant.connection_id, grant.is_host) == ("s1", "s1", False)


def test_two_tokens_of_a_session_differ_and_die_one_by_one(tokens: Tokens) -> None:
    first, second = tokens.mint("s1"), tokens.mint("s1")
    one, two = Path(first).read_text(), Path(second).read_text()
    assert one != two
    tokens.revoke(first)
    assert tokens.find(one) is None
    assert not os.path.exists(first)
    assert tokens.find(two) is not None


def test_all_tokens_of_a_session_die_together_and_others_live(tokens: Tokens) -> None:
    mine, other = tokens.mint("s1"), tokens.mint("s2")
    lent, grant = tokens.lend("s1", "c1")
    dead: list[Grant] = []
    tokens.on_death(dead.append)
    tokens.revoke_session("s1")
    assert tokens.find(lent) is None
    assert not tokens.alive(grant)
    assert not os.path.exists(mine)
    assert {(grant.session_id, grant.connection_id) for grant in dead} == {("s1", "s1"), ("s1", "c1")}
    assert tokens.find(Path(other).read_text()) is not None


def test_a_lent_token_has_no_file_and_ends_with_its_grant(tokens: Tokens, tmp_path: Path) -> None:
    token, grant = tokens.lend("s1", "c1")
    assert tokens.find(token) == grant
    assert not list((tmp_path / "run" / "tokens").iterdir())
    tokens.end(grant)
    tokens.end(grant)
    assert tokens.find(token) is None


def test_the_hosts_token_is_no_sessions_and_never_dies(tokens: Tokens) -> None:
    grant = tokens.find(HOST)
    assert grant is not None
    assert grant.is_host
    tokens.end(grant)
    tokens.close()
    assert tokens.find(HOST) is not None
    assert tokens.alive(grant)


@pytest.mark.parametrize("token", ["", "x", HOST[:-1], HOST + "x", "\ud800", "é" * 100_000])
def test_any_other_token_is_none(tokens: Tokens, token: str) -> None:
    tokens.mint("s1")
    assert tokens.find(token) is None


def test_revoking_what_is_not_there_does_nothing(tokens: Tokens) -> None:
    path = tokens.mint("s1")
    os.unlink(path)
    tokens.revoke(path)
    tokens.revoke("/nowhere")
    tokens.revoke_session("nobody")


def test_a_new_host_removes_the_dead_tokens_of_an_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    old = Tokens(str(folder), HOST).mint("s1")
    (folder / "notes.txt").write_text("mine")
    Tokens(str(folder), HOST)
    assert not os.path.exists(old)
    assert (folder / "notes.txt").exists()


def test_a_folder_open_to_others_is_closed_and_a_link_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    folder.mkdir(mode=0o755)
    Tokens(str(folder), HOST)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(OSError, match="not a directory of this user"):
        Tokens(str(link), HOST)


def test_no_token_shows_in_a_grants_text(tokens: Tokens) -> None:
    token, grant = tokens.lend("s1", "c1")
    assert token not in repr(grant)
    assert "digest" not in repr(grant)
