"""The options of pytest that concern the real programs; the root of the tests takes them over.

Owns which tier runs, and the matrix that a run writes.
"""

import pytest

from tests.realclients import matrix
from tests.realclients.packages import PACKAGES, missing

RECORDS = pytest.StashKey[matrix.Records]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("real programs")
    group.addoption(
        "--realclients",
        choices=("quick", "all", "off"),
        default="quick",
        help="which real programs are driven, where they are installed (default: quick)",
    )
    group.addoption(
        "--write-matrix", action="store_true", help="write tests/realclients/matrix.json; needs --realclients=all"
    )


def need(config: pytest.Config, *packages: str) -> None:
    """Skip the test, with the reason, unless these are to be driven and are installed."""
    tier = config.getoption("--realclients")
    if tier == "off":
        pytest.skip("real programs are switched off")
    if tier == "quick" and any(PACKAGES[name].tier == "slow" for name in packages):
        pytest.skip("slow tier; --realclients=all drives it")
    for name in (*packages, "node22"):
        reason = missing(name)
        if reason is not None:
            pytest.skip(reason)


def record(config: pytest.Config, entry: matrix.Record) -> None:
    config.stash.setdefault(RECORDS, []).append(entry)


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if config.getoption("--write-matrix") and config.getoption("--realclients") == "all":
        matrix.write(config.stash.setdefault(RECORDS, []))
