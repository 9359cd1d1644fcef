"""Printing: JSON for programs, tables for people, one sentence for what went wrong. Owns nothing else."""

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len

from codeg.cli.words import on_one_line

_GAP = "  "


def as_json(value: Any) -> None:
    """One JSON value on a line of stdout, whatever letters its encoding knows."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value)
    sys.stdout.write(text + "\n")


def complain(message: str) -> None:
    """One sentence on stderr, behind what was printed so far."""
    sys.stderr.write(f"codeg: {on_one_line(message)}\n")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], empty: str) -> None:
    """Rows for people, one line each; `empty` is said when there are none.

    Nothing is cut, since ids are there to be copied: where the columns do not fit the terminal, the fields of a row
    just follow each other.
    """
    if not rows:
        print(empty)
        return
    cells = [list(heads), *([on_one_line(text) for text in row] for row in rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(heads))]
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    if room is not None and sum(widths) + len(_GAP) * (len(heads) - 1) > room:
        for row in cells[1:]:
            print(_GAP.join(text for text in row if text))
        return
    for row in cells:
        padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        print(_GAP.join(padded).rstrip())
