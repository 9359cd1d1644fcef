"""Writes the tables of the matrix into the README, between their marks.

    python -m tests.realclients.tables

Owns the marks; the tables are `matrix.markdown`'s. A test holds the README against `matrix.json`.
"""

import re
from pathlib import Path

from tests.realclients.matrix import CELLS, Kind, Matrix, markdown, read

README = Path(__file__).resolve().parents[2] / "README.md"


def marks(kind: Kind) -> tuple[str, str]:
    """The lines before and behind a table."""
    return f"<!-- {kind}: generated from tests/realclients/matrix.json -->\n", f"<!-- end of {kind} -->\n"


def with_tables(text: str, matrix: Matrix) -> str:
    """The README's text with the tables as the matrix has them now."""
    for kind in CELLS:
        first, last = marks(kind)
        table = f"{first}\n{markdown(matrix, kind)}\n{last}"
        text, found = re.subn(
            re.escape(first) + ".*?" + re.escape(last), lambda _, table=table: table, text, flags=re.DOTALL
        )
        assert found == 1, f"the README has no place for the {kind}"
    return text


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8"), read()), encoding="utf-8")
