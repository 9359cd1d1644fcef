"""Other programs' files are replaced whole, and only as they were read."""

import os
import stat
import sys
from pathlib import Path

import pytest

from codeg.runtime.registrations.files import hold, replace
from codeg.runtime.services import UserError


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}")
    held = hold(str(file))
    file.write_text('{"theirs": 1}')
    with pytest.raises(UserError, match="was changed meanwhile; nothing was written, try again") as raised:
        replace(held, "{ours}", private=True)
    assert raised.value.code == "conflict"
    assert file.read_text() == '{"theirs": 1}'
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_file_that_came_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    held = hold(str(file))
    file.write_text("theirs")
    with pytest.raises(UserError, match="changed meanwhile"):
        replace(held, "ours", private=True)
    assert file.read_text() == "theirs"


def test_mode_link_and_byte_order_mark_stay(tmp_path: Path) -> None:
    file = tmp_path / "real.json"
    file.write_bytes(b"\xef\xbb\xbf{}")
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    held = hold(str(link))
    assert held.text == "{}"
    replace(held, "{é}", private=True)
    assert link.is_symlink()
    assert file.read_bytes() == b"\xef\xbb\xbf" + "{é}".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="modes")
@pytest.mark.parametrize(("private", "mode"), [(True, 0o600), (False, 0o644)])
def test_a_new_file_is_private_unless_it_belongs_to_a_project(tmp_path: Path, private: bool, mode: int) -> None:
    file = tmp_path / "below" / "a.json"
    before = os.umask(0o022)
    try:
        replace(hold(str(file)), "x", private=private)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert stat.S_IMODE(file.parent.stat().st_mode) == (0o700 if private else 0o755)


def test_what_is_no_text_or_no_file_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"{\n\xff}")
    with pytest.raises(UserError, match=r"a\.json, line 2: it is not UTF-8; mend that line, nothing was written"):
        hold(str(file))
    with pytest.raises(UserError, match="is no ordinary file"):
        hold(str(tmp_path))


@pytest.mark.skipif(not os.path.exists("/proc/version"), reason="a folder in which nothing can be made")
def test_a_folder_that_takes_no_file_is_one_sentence() -> None:
    with pytest.raises(UserError, match="could not be written"):
        replace(hold("/proc/codeg/a.json"), "x", private=True)


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_read_only_file_is_left_alone_even_by_the_superuser(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}")
    file.chmod(0o444)
    with pytest.raises(UserError, match=r"a\.json is read-only; nothing was written"):
        replace(hold(str(file)), "ours", private=True)
    assert file.read_text() == "{}"
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}")
    try:
        os.setxattr(file, "user.theirs", b"kept")
    except OSError as error:
        pytest.skip(f"this file system has none: {error.strerror}")
    replace(hold(str(file)), "ours", private=True)
    assert (file.read_text(), os.getxattr(file, "user.theirs")) == ("ours", b"kept")
