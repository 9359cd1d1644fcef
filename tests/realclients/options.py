"""The options of pytest that concern the real programs; the root of the tests takes them over.

Owns which tier runs, and the matrix that a run writes.
"""

import pytest

from tests.realclients import matrix
from tests.realclients.packages import PACKAGES, missing

CELL = "cell of the matrix"
"""The property of a test's report in which its cell travels."""


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


def pytest_configure(config: pytest.Config) -> None:
    wanted = config.getoption("--write-matrix") and config.getoption("--realclients") == "all"
    if wanted and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


def is_beyond(config: pytest.Config, item: pytest.Item) -> bool:
    """Whether a test is of a program of the slow tier, and only the quick one is wanted."""
    given: dict[str, object] = getattr(getattr(item, "callspec", None), "params", {})
    names = [getattr(each, "package", "") for each in given.values()]
    slow = any(name in PACKAGES and PACKAGES[name].tier == "slow" for name in names)
    return slow and config.getoption("--realclients") == "quick"


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


class Recorder:
    """Gathers the cells of a run, from its workers too, and writes them at its end."""

    def __init__(self) -> None:
        self._records: list[matrix.Record] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            found = [str(value) for name, value in report.user_properties if name == CELL]
            self._records += [matrix.Record.unpacked(each) for each in found]

    def pytest_sessionfinish(self) -> None:
        matrix.write(self._records)
