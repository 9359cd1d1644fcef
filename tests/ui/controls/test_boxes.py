"""Columns that scroll."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from ui.widgets.controls import Label, ScrollColumn

Show = Callable[[QWidget], None]


def test_a_column_with_a_limit_grows_to_it_and_shows_all_that_it_holds(show: Show) -> None:
    column, line = ScrollColumn(most=300), Label("One line")
    column.column.addWidget(line)
    column.resize(800, 400)
    show(column)
    assert column.body.width() == 300
    assert line.height() >= line.sizeHint().height() > 0
    assert column.body.height() >= line.height()
