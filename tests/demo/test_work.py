import os
from pathlib import Path

import pytest

from codeg.demo import work


def never() -> bool:
    return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text(
        "class A:\n    def f(self):\n        pass  # TODO: écrire\n\n\ndef g():\n    pass\n"
    )
    (tmp_path / "README.md").write_text("# Title\n\nWords.\n\n## More\n")
    (tmp_path / "data.bin").write_bytes(b"a\0b")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "b.py").write_text("TODO")
    (tmp_path / "link.py").symlink_to(tmp_path / "pkg" / "a.py")
    return tmp_path


def test_survey_counts_text_files_lines_and_names_the_largest(folder: Path) -> None:
    text = work.survey(str(folder), never)
    assert text.startswith("2 text files, 12 lines.")
    assert "| Python | 1 | 7 |" in text
    assert "| Markdown | 1 | 5 |" in text
    assert "- pkg/a.py (7 lines)" in text


def test_survey_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    assert work.survey(str(tmp_path), never) == "No text files here."


def test_todos_names_the_place(folder: Path) -> None:
    assert work.todos(str(folder), never) == "1 marks of unfinished work:\n- pkg/a.py:3 TODO écrire"


def test_find_names_the_line_or_says_there_is_none(folder: Path) -> None:
    assert "- README.md:3 Words." in work.find(str(folder), "Words", never)
    assert work.find(str(folder), "absent", never) == "No lines with 'absent' here."
    assert work.find(str(folder), "", never).startswith("Say what to find")


def test_outline_reads_python_markdown_and_says_what_it_cannot(folder: Path) -> None:
    assert work.outline(str(folder), "pkg/a.py") == "Outline of pkg/a.py:\n- 1: class A\n  - 2: def f\n- 6: def g"
    assert "- 5: ## More" in work.outline(str(folder), "README.md")
    assert "no text file" in work.outline(str(folder), "absent.py")


def test_readme_shows_the_first_part(folder: Path) -> None:
    assert work.readme(str(folder)) == "README.md begins:\n\n# Title\n\nWords."


def test_a_stopped_walk_ends_at_once(folder: Path) -> None:
    with pytest.raises(work.Stop):
        work.survey(str(folder), lambda: True)


def test_what_is_no_plain_file_is_not_read(folder: Path) -> None:
    os.mkfifo(folder / "README")
    os.mkfifo(folder / "pipe.py")
    assert work.readme(str(folder)).startswith("README.md begins")
    for name in ("pipe.py", "pkg", "a\0b"):
        assert "no text file" in work.outline(str(folder), name)
    assert work.read_text(str(folder / "pipe.py")) is None


@pytest.mark.parametrize(
    "source", ["def f(:\n", "x = " + "-" * 200_000 + "1\n", "x = " + "(" * 5_000 + "\n", "a = 1\0\n"]
)
def test_source_that_no_parser_takes_is_outlined_by_its_headings_or_not_at_all(folder: Path, source: str) -> None:
    (folder / "odd.py").write_text("class First:\n    pass\n\n\n" + source)
    said = work.outline(str(folder), "odd.py")
    assert "1: class First" in said or "no text file" in said
