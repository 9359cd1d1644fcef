"""Shared rules of the suite: one async backend, deterministic property tests."""

import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.realclients.options import pytest_addoption, pytest_configure

__all__ = ["anyio_backend", "pytest_addoption", "pytest_configure"]

settings.register_profile(
    "codeg",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("codeg")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background has us ignore it, and all that we start would do so too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A lone surrogate that a test logged is no text: a report must be writable anywhere."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections]
    return report
