"""The filters at the end of the board's header: folder, agent, age, one column alone; columns or table.

Owns the buttons and their menus; what is left out is the board's. Ends with the page.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFont
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.board import SPANS, Board, BoardFilter, Column, column_name, span_name
from ui.widgets.controls import Chip, Divider, IconButton, MenuButton
from ui.wording import tr


class FilterButton(MenuButton):
    """A small button that says what is shown; its menu has the choices, one of them chosen."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", "outlined", small=True, parent=parent)
        self._name = name

    def say(self, text: str) -> None:
        """What is chosen."""
        self.setText(text)
        self.setAccessibleName(f"{self._name}: {text}")

    def _font(self) -> QFont:
        return theme().font("small")

    def _ink(self) -> QColor:
        return theme().color("text.secondary")


class Filters(QWidget):
    """`table_wanted`: True = as a table."""

    table_wanted = Signal(bool)

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self.only = Chip("", checkable=True, icon="x")
        self.folder, self.agent = FilterButton(tr("Folder")), FilterButton(tr("Agent"))
        self.span = FilterButton(tr("Age"))
        self.as_columns = IconButton("columns-3", tr("Columns"), checkable=True)
        self.as_table = IconButton("rows-3", tr("Table"), checkable=True)
        self._arrange()
        self.only.clicked.connect(lambda: self._choose(replace(board.filter(), only="")))
        self.folder.set_menu(self._folder_menu)
        self.agent.set_menu(self._agent_menu)
        self.span.set_menu(self._span_menu)
        self.as_columns.clicked.connect(lambda: self.table_wanted.emit(False))
        self.as_table.clicked.connect(lambda: self.table_wanted.emit(True))
        self.as_columns.setChecked(True)
        self.refresh()

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.SPACE_12)
        for part in (self.only, self.folder, self.agent, self.span):
            row.addWidget(part)
        divider = Divider(upright=True, token="border.default")  # noqa: S106  # a colour, no secret
        divider.setFixedHeight(metrics.SPACE_20)
        row.addWidget(divider)
        group = QButtonGroup(self)
        for button in (self.as_columns, self.as_table):
            group.addButton(button)
            row.addWidget(button)

    def refresh(self) -> None:
        """Say what is left out."""
        wanted = self._board.filter()
        self.folder.say(dict(self._board.folders()).get(wanted.folder) or tr("All folders"))
        self.agent.say(dict(self._board.agents()).get(wanted.agent) or tr("All agents"))
        self.span.say(span_name(wanted.span))
        self.only.setVisible(bool(wanted.only))
        if wanted.only:
            name = column_name(Column(wanted.only))
            self.only.setText(tr("Only {column}", column=name))
            self.only.setAccessibleName(tr("Only {column}; press to show all columns", column=name))
            self.only.setChecked(True)

    def show_table(self, shown: bool) -> None:
        """Which of the two is chosen."""
        (self.as_table if shown else self.as_columns).setChecked(True)

    # ---- menus

    def _choose(self, wanted: BoardFilter) -> None:
        self._board.set_filter(wanted)
        self.refresh()

    def _folder_menu(self) -> QMenu:
        choices = [("", tr("All folders")), *self._board.folders()]
        chosen = self._board.filter()
        return self._menu(choices, chosen.folder, lambda value: self._choose(replace(chosen, folder=value)))

    def _agent_menu(self) -> QMenu:
        choices = [("", tr("All agents")), *self._board.agents()]
        chosen = self._board.filter()
        return self._menu(choices, chosen.agent, lambda value: self._choose(replace(chosen, agent=value)))

    def _span_menu(self) -> QMenu:
        choices = [(span, span_name(span)) for span in SPANS]
        chosen = self._board.filter()
        return self._menu(choices, chosen.span, lambda value: self._choose(replace(chosen, span=value)))

    def _menu(self, choices: Sequence[tuple[str, str]], chosen: str, choose: Callable[[str], None]) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for value, label in choices:
            action = QAction(label.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.triggered.connect(lambda _checked=False, one=value: choose(one))
            group.addAction(action)
            menu.addAction(action)
        return menu
