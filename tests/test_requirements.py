"""The checklists name tests that exist."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.requirements import BROKER_RULES, FIELD_REPORTS, NOT_APPLICABLE

ROOT = Path(__file__).resolve().parents[1]
SUBTLE = {
    "A6",
    "B9",
    "F29",
    "F30",
    "F31",
    "F32",
    "F37",
    "F38",
    "G52",
    "G53",
    "G54",
    "G55",
    "G57",
    "G62",
    "G63",
    "G64",
    "G65",
    "G67",
    "G69",
    "G70",
    "G73",
    "G75",
    "G78",
    "G82",
    "G84",
    "G87",
    "G89",
    "G91",
    "H93",
    "H96",
    "H110",
    "H113",
    "H114",
    "H115",
    "I116",
    "I117",
    "I118",
    "I119",
    "I120",
    "I121",
    "I122",
    "I123",
    "I124",
    "I125",
    "I131",
    "I132",
    "I133",
    "J136",
    "J137",
    "J141",
    "K149",
    "K156",
    "K157",
    "K168",
    "L174",
    "L176",
}
REPORTS = {
    "B02",
    "B03",
    "B04",
    "B05",
    "B06",
    "B07",
    "B10",
    "B12",
    "B13",
    "B15",
    "B19",
    "B21",
    "B22",
    "B23",
    "B24",
    "B27",
    "B29",
    "B30",
    "B31",
    "B33",
    "B35",
    "B36",
    "B37",
    "B39",
}


@cache
def collected(path: str) -> frozenset[str]:
    """Names of the tests of a file, as pytest collects them."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, functions) and node.name.startswith("test_")
    )


def exists(node: str) -> bool:
    path, _, name = node.partition("::")
    return (ROOT / path).is_file() and name.split("::")[-1].split("[")[0] in collected(path)


@pytest.mark.parametrize("rule", sorted(BROKER_RULES))
def test_a_rule_names_a_collected_test(rule: str) -> None:
    assert BROKER_RULES[rule]
    assert [node for node in BROKER_RULES[rule] if not exists(node)] == []


@pytest.mark.parametrize("report", sorted(FIELD_REPORTS))
def test_a_field_report_names_a_collected_test(report: str) -> None:
    assert FIELD_REPORTS[report]
    assert [node for node in FIELD_REPORTS[report] if not exists(node)] == []


def test_every_subtle_rule_is_held_or_argued_away() -> None:
    assert set(BROKER_RULES) | set(NOT_APPLICABLE) == SUBTLE
    assert not set(BROKER_RULES) & set(NOT_APPLICABLE)
    assert len(NOT_APPLICABLE) <= 15
    assert all(NOT_APPLICABLE.values())


def test_every_field_report_of_the_foundation_is_held() -> None:
    assert set(FIELD_REPORTS) >= REPORTS
