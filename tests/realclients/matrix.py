"""What works with which real program: the outcomes of the tests, kept in `matrix.json`, rendered for the README.

Owns the cells there are, and their words. A cell says `works`, `works: SENTENCE` (with a deviation) or `cannot:
SENTENCE` (the program cannot); a failed test writes nothing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

FILE = Path(__file__).with_name("matrix.json")
Kind = Literal["hosts", "agents"]
Matrix = Mapping[str, Mapping[str, Mapping[str, str]]]
CELLS: Mapping[Kind, Mapping[str, str]] = {
    "hosts": {
        "list": "six tools",
        "delegate": "delegate",
        "wait": "wait over its limit",
        "cancel": "cancel",
        "ask": "ask, notes",
        "sizes": "unicode, 200 KiB",
    },
    "agents": {
        "prompt": "prompt",
        "permission": "tool with permission",
        "cancel": "cancel in a tool",
        "crash": "crash",
        "resume": "resume",
        "nested": "nested delegation",
    },
}
_HEADS: Mapping[Kind, str] = {"hosts": "host program", "agents": "agent program"}


@dataclass(frozen=True, slots=True)
class Record:
    """One outcome. `name`: the program as a person calls it."""

    kind: Kind
    name: str
    version: str
    cell: str
    outcome: str

    def packed(self) -> str:
        """As it travels between processes."""
        return json.dumps(asdict(self))

    @staticmethod
    def unpacked(packed: str) -> "Record":
        return Record(**json.loads(packed))


class Cell:
    """The outcome of one test: `works` unless the test says more."""

    def __init__(self) -> None:
        self.outcome = ""
        self.told: tuple[Kind, str, str, str] | None = None

    def __call__(self, kind: Kind, name: str, version: str, cell: str) -> None:
        """Which cell this test fills."""
        assert cell in CELLS[kind], cell
        self.told = (kind, name, version, cell)
        self.outcome = "works"

    def deviates(self, sentence: str) -> None:
        """It works, and this is to be known."""
        self.outcome = f"works: {sentence}"

    def cannot(self, sentence: str) -> None:
        """The program cannot do it, for this reason."""
        self.outcome = f"cannot: {sentence}"

    @property
    def record(self) -> Record | None:
        return None if self.told is None else Record(*self.told, self.outcome)


def read() -> Matrix:
    """The matrix as it was written last; empty when it never was."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"hosts": {}, "agents": {}}


def merged(there: Matrix, records: Sequence[Record]) -> Matrix:
    """The matrix with new outcomes; several of one cell: all their sentences, `cannot` before `works`."""
    made: dict[Kind, dict[str, dict[str, str]]]
    made = {kind: {name: dict(row) for name, row in there.get(kind, {}).items()} for kind in CELLS}
    found: dict[tuple[Kind, str, str], list[str]] = {}
    for each in records:
        made[each.kind].setdefault(each.name, {})["version"] = each.version
        found.setdefault((each.kind, each.name, each.cell), []).append(each.outcome)
    for (kind, name, cell), outcomes in found.items():
        made[kind][name][cell] = _joined(outcomes)
    return {kind: {name: _ordered(kind, made[kind][name]) for name in sorted(made[kind])} for kind in CELLS}


def _joined(outcomes: list[str]) -> str:
    heads = {outcome.partition(": ")[0] for outcome in outcomes}
    sentences = list(dict.fromkeys(said for outcome in outcomes if (said := outcome.partition(": ")[2])))
    head = "cannot" if "cannot" in heads else "works"
    return f"{head}: {' '.join(sentences)}" if sentences else head


def _ordered(kind: Kind, row: Mapping[str, str]) -> dict[str, str]:
    return {name: row[name] for name in ("version", *CELLS[kind]) if name in row}


def write(records: Sequence[Record]) -> None:
    """Keep the outcomes of a run."""
    text = json.dumps(merged(read(), records), ensure_ascii=False, indent=2)
    FILE.write_text(text + "\n", encoding="utf-8")


def markdown(matrix: Matrix, kind: Kind) -> str:
    """One table, with the sentences as numbered notes below it."""
    cells, notes = CELLS[kind], list[str]()
    lines = [
        f"| {_HEADS[kind]} | {' | '.join(cells.values())} |",
        f"|---|{'---|' * len(cells)}",
    ]
    for name, row in matrix.get(kind, {}).items():
        shown = [_shown(row.get(cell, ""), notes) for cell in cells]
        lines.append(f"| {name} {row.get('version', '')} | {' | '.join(shown)} |")
    numbered = [f"{number}. {note}" for number, note in enumerate(notes, 1)]
    return "\n".join([*lines, *(["", *numbered] if notes else [])]) + "\n"


def _shown(outcome: str, notes: list[str]) -> str:
    if not outcome:
        return "not run"
    head, _, sentence = outcome.partition(": ")
    if not sentence:
        return head
    if sentence not in notes:
        notes.append(sentence)
    return f"{head} ({notes.index(sentence) + 1})"
