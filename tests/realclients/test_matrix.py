"""The matrix: outcomes are gathered, kept in the order of the cells, and rendered with numbered notes."""

import json
from pathlib import Path

import pytest

from tests.realclients import matrix
from tests.realclients.matrix import CELLS, Cell, Record, markdown, merged


def found(cell: str, outcome: str, name: str = "Codex") -> Record:
    return Record("hosts", name, "1.2.3", cell, outcome)


def test_a_new_outcome_takes_the_place_of_the_old_one() -> None:
    there = {"hosts": {"Codex": {"version": "1.0.0", "list": "works: Old.", "ask": "works"}}, "agents": {}}
    made = merged(there, [found("list", "works")])
    assert made == {"hosts": {"Codex": {"version": "1.2.3", "list": "works", "ask": "works"}}, "agents": {}}


def test_cells_stand_in_one_order_whatever_order_tests_have() -> None:
    made = merged({}, [found("ask", "works"), found("list", "works"), found("list", "works", "Atom")])
    assert list(made["hosts"]) == ["Atom", "Codex"]
    assert list(made["hosts"]["Codex"]) == ["version", "list", "ask"]


def test_several_tests_of_one_cell_add_their_sentences() -> None:
    said = [
        found("ask", "works: One."),
        found("ask", "works"),
        found("ask", "cannot: Two."),
        found("ask", "works: One."),
    ]
    assert merged({}, said)["hosts"]["Codex"]["ask"] == "cannot: One. Two."


def test_a_cell_knows_what_its_test_said() -> None:
    cell = Cell()
    assert cell.record is None
    cell("agents", "Pi", "1.6.0", "nested")
    assert cell.record == Record("agents", "Pi", "1.6.0", "nested", "works")
    cell.cannot("It takes no MCP servers.")
    assert cell.record == Record("agents", "Pi", "1.6.0", "nested", "cannot: It takes no MCP servers.")
    record = Record("agents", "Pi", "1.6.0", "nested", "works: Grüße.")
    assert Record.unpacked(record.packed()) == record
    with pytest.raises(AssertionError):
        cell("hosts", "Pi", "1.6.0", "nested")


def test_the_table_numbers_its_notes() -> None:
    rows = {
        "Codex": {"version": "1.2.3", "list": "works", "delegate": "works: Slow.", "wait": "cannot: Never."},
        "Qwen": {"version": "4", "list": "works: Slow."},
    }
    lines = markdown({"hosts": rows, "agents": {}}, "hosts").splitlines()
    assert (
        lines[0]
        == "| host program | six tools | delegate | wait over its limit | cancel | ask, notes | unicode, 200 KiB |"
    )
    assert lines[2] == "| Codex 1.2.3 | works | works (1) | cannot (2) | not run | not run | not run |"
    assert lines[3].startswith("| Qwen 4 | works (1) | not run |")
    assert lines[4:] == ["", "1. Slow.", "2. Never."]


def test_writing_keeps_what_was_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "FILE", tmp_path / "matrix.json")
    matrix.write([found("list", "works")])
    matrix.write([found("ask", "works: Grüße.")])
    text = (tmp_path / "matrix.json").read_text(encoding="utf-8")
    assert json.loads(text)["hosts"]["Codex"] == {"version": "1.2.3", "list": "works", "ask": "works: Grüße."}
    assert "Grüße" in text


def test_the_committed_matrix_has_no_cell_of_its_own() -> None:
    rows = [(cells, row) for kind, cells in CELLS.items() for row in matrix.read().get(kind, {}).values()]
    for cells, row in rows:
        assert set(row) <= {"version", *cells}
        assert all(each.partition(":")[0] in {"works", "cannot"} for cell, each in row.items() if cell != "version")
