"""Printing: JSON for programs, tables for people. Owns nothing else."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from codeg.cli.words import safe


def as_json(value: Any) -> None:
    """One JSON value on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], empty: str) -> None:
    """Rows for people; agents' text is stripped of control characters. `empty` is said when there are none."""
    if not rows:
        print(empty)
        return
    shown = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        shown.add_row(*[_cell(text) for text in row])
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=200)
    console.print(shown)


def _cell(text: str) -> str:
    return safe(text).replace("\n", " ")
