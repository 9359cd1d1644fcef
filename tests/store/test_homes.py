"""Where a home lies, and folders that are closed to others."""

import os
from pathlib import Path

import pytest

from codeg.store.homes import home_paths, make_private_folder, tighten


def test_a_home_of_ones_own_holds_everything(tmp_path: Path) -> None:
    found = home_paths(str(tmp_path / "h"), {"CODEG_HOME": "/elsewhere"})
    base = str(tmp_path / "h")
    assert found.home == base
    assert (found.settings_file, found.agents_file) == (f"{base}/config/settings.toml", f"{base}/config/agents.toml")
    assert (found.store_file, found.log_file) == (f"{base}/data/codeg.db", f"{base}/log/codeg.log")
    assert not (tmp_path / "h").exists()


def test_the_variable_counts_where_no_home_is_given(tmp_path: Path) -> None:
    assert home_paths(None, {"CODEG_HOME": str(tmp_path)}).home == str(tmp_path)
    assert home_paths("", {"CODEG_HOME": ""}).home is None


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/somebody")
    assert home_paths("x/../y", {}).data == str(tmp_path / "y" / "data")
    assert home_paths("~/c", {}).home == "/somebody/c"


def test_without_a_home_the_systems_own_places_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, f"/xdg/{name}")
    found = home_paths(None, {})
    assert found.home is None
    for path in (found.config, found.data, found.log):
        assert os.path.isabs(path)
        assert "codeg" in path


def test_folders_are_made_closed_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private_folder(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_folder_of_ours_that_is_open_is_tightened_and_its_parents_are_not(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        path.chmod(0o755)
    make_private_folder(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_rights_that_are_narrower_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    tighten(str(tmp_path), 0o700)
    assert tmp_path.stat().st_mode & 0o777 == 0o500
    tmp_path.chmod(0o700)


def test_something_else_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OSError):
            make_private_folder(str(path))
