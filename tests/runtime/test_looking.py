"""Looking for a text in all conversations, and for the files of a folder."""

import itertools
import os
from pathlib import Path

import anyio
import pytest

from codeg.runtime import looking as module
from codeg.runtime.database import open_database
from codeg.runtime.looking import files_below, search
from codeg.runtime.services import UserError
from codeg.sessions.types import Entry
from codeg.store.records import SaveEntries

pytestmark = pytest.mark.anyio


def entries(*texts: str) -> tuple[Entry, ...]:
    return tuple(Entry(seq=seq, kind="message", attempt=1, created_ms=1, text=text) for seq, text in enumerate(texts))


async def test_a_search_goes_through_everything_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveEntries("a", entries("The needle", "hay", "Needle"))])
        await database.commit([SaveEntries("b", entries("hay", "a NEEDLE"))])
        places = [(hit.session_id, hit.seq) for hit in await search(database, " needle ", 200)]
        assert places == [("b", 1), ("a", 2), ("a", 0)]
        assert len(await search(database, "needle", 2)) == 2
        assert await search(database, "nothing like it", 200) == ()


async def test_a_search_ends_when_its_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    ticks = itertools.count(step=1)
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveEntries("a", entries(*(["needle"] * 50)))])
        found = await search(database, "needle", 200, lambda: float(next(ticks)))
        assert 0 < len(found) < 5


async def test_other_work_gets_its_turn_during_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    order: list[str] = []
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveEntries("a", entries(*(["hay"] * 500)))])

        async def other() -> None:
            await database.run(lambda store: store.session("x"))
            order.append("other")

        async with anyio.create_task_group() as group:
            group.start_soon(other)
            await search(database, "needle", 200)
            order.append("search")
    assert order == ["other", "search"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 1_001])
async def test_what_cannot_be_looked_for_is_said(tmp_path: Path, text: str) -> None:
    async with open_database(str(tmp_path / "codeg.db")) as database:
        with pytest.raises(UserError, match="1 to 1000 characters"):
            await search(database, text, 200)


def grow(folder: Path, *paths: str) -> None:
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")


async def test_files_are_relative_sorted_and_without_what_is_made(tmp_path: Path) -> None:
    grow(tmp_path, "b.py", "a/z.py", "a/node_modules/x.js", ".git/config", "a/.venv/y", "__pycache__/c.pyc", ".env")
    assert await files_below(str(tmp_path), 100) == (".env", "a/z.py", "b.py")
    assert await files_below(str(tmp_path), 2) == (".env", "b.py"), "what lies deep is cut first"
    assert await files_below(str(tmp_path), 100, seconds=0) == ()


async def test_what_a_gitignore_names_plainly_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("# build\n\nbuild/\n/top\nsub/out\n*.log\n!keep.log\n", encoding="utf-8")
    grow(tmp_path, "build/a", "deep/build/b", "top/c", "deep/top/d", "sub/out/e", "deep/sub/out/f", "x.log")
    assert await files_below(str(tmp_path), 100) == (".gitignore", "deep/sub/out/f", "deep/top/d", "x.log")


async def test_links_to_folders_are_not_followed_and_closed_folders_are_passed_over(tmp_path: Path) -> None:
    grow(tmp_path, "real/a", "closed/b")
    (tmp_path / "link").symlink_to(tmp_path)
    os.chmod(tmp_path / "closed", 0)
    try:
        found = await files_below(str(tmp_path), 100)
    finally:
        os.chmod(tmp_path / "closed", 0o700)
    assert [path for path in found if not path.startswith("closed")] == ["link", "real/a"]


async def test_a_folder_that_goes_meanwhile_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a", "gone/b")
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("gone"):
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert await files_below(str(tmp_path), 100) == ("a",)


@pytest.mark.parametrize("folder", ["", "relative", "/no/such/folder"])
async def test_no_folder_is_said(folder: str) -> None:
    with pytest.raises(UserError, match="no absolute path of a folder"):
        await files_below(folder, 10)
