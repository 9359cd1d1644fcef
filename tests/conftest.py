"""Shared rules of the suite: one async backend, deterministic property tests."""

import pytest
from hypothesis import HealthCheck, settings

from tests.realclients.options import pytest_addoption, pytest_sessionfinish

__all__ = ["anyio_backend", "pytest_addoption", "pytest_sessionfinish"]

settings.register_profile(
    "codeg",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("codeg")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
