"""Rows are frozen, comparable and small: the feed keeps thousands of them."""

import dataclasses
import sys
from typing import get_args

import pytest

from ui.viewmodels.rows import Image, MessageRow, Row, UserRow

ROWS: tuple[type, ...] = get_args(Row)


@pytest.mark.parametrize("kind", ROWS, ids=lambda kind: kind.__name__)
def test_every_row_has_a_key_and_is_frozen_without_a_dictionary(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    assert next(field.name for field in dataclasses.fields(kind)) == "key"
    assert "__slots__" in vars(kind)
    assert "__dict__" not in vars(kind)


def test_rows_are_equal_when_they_say_the_same() -> None:
    assert MessageRow("k", "text", 1) == MessageRow("k", "text", 1)
    assert MessageRow("k", "text", 1) != MessageRow("k", "text", 1, live=True)
    with pytest.raises(dataclasses.FrozenInstanceError):
        UserRow("k", "text", 1).text = "other"  # type: ignore[misc]


def test_a_row_costs_little_beside_its_text() -> None:
    assert sys.getsizeof(MessageRow("k", "text", 1)) <= 120


def test_the_data_of_a_picture_is_in_no_log() -> None:
    assert "aGVsbG8" not in repr(UserRow("k", "x", 1, (Image("image/png", "aGVsbG8="),)))
