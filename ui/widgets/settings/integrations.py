"""Settings, Integrations: how the companion stands in each host program (design 7.10; contract 2, mcp).

Owns the rows; registering is an order, and can be taken back with the same button. Ends with the page.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from codeg.api import McpOutcome
from ui.orders import Orders, Registration
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.viewmodels.preferences import Page
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.controls import AgentBadge, Box, Button, Label, MarkLabel
from ui.widgets.settings.sheet import Sheet
from ui.wording import clean_line, duration, tr


class RegistrationRow(QWidget):
    """One host program: its command, its state, one button."""

    changed = Signal()

    def __init__(self, one: Registration, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._orders = orders
        self._one = one
        self.setMinimumHeight(metrics.LIST_ROW)
        self.button = Button("")
        self.mark = MarkLabel(State.COMPLETED, 14)
        self.state = Label("", "small", "completed.text")
        self.detail = Label("", "small", "text.secondary", wrap=True)
        self._arrange(one)
        self.button.clicked.connect(self._act)
        self.show_state(one)

    def _arrange(self, one: Registration) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 8, 16, 8)
        line.setSpacing(12)
        line.addWidget(AgentBadge(letters_of(one.host, one.label), 22))
        words = QVBoxLayout()
        words.setSpacing(0)
        top = QHBoxLayout()
        name = Label(clean_line(one.label), "ui", weight=500)
        name.setMinimumWidth(96)
        top.addWidget(name)
        top.addWidget(Label(f"codeg mcp add {one.host}", "code.small", "text.secondary"), 1)
        words.addLayout(top)
        words.addWidget(self.detail)
        line.addLayout(words, 1)
        line.addWidget(self.mark)
        line.addWidget(self.state)
        line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_state(self, one: Registration) -> None:
        """Connected or not, and what stands in the way."""
        self._one = one
        self.mark.setVisible(one.registered)
        self.state.setText(tr("Connected") if one.registered else "")
        self.button.setText(tr("Undo") if one.registered else tr("Connect"))
        self.button.setAccessibleName(
            tr("Disconnect {program}", program=one.label)
            if one.registered
            else tr("Connect {program}", program=one.label)
        )
        self.button.setEnabled(one.installed or one.registered)
        parts = [part for part in (one.message if not one.installed or one.fix else "", one.fix) if part]
        if one.registered and one.limit is not None:
            parts.append(tr("Its tools may take {time}.", time=duration(round(one.limit * 1000))))
        self.detail.setText(" ".join(parts))
        self.detail.setVisible(bool(parts))

    def _act(self) -> None:
        self.button.setEnabled(False)
        order = self._orders.unregister if self._one.registered else self._orders.register
        order(self._one.host, then=self._done, failed=self._failed)

    def _done(self, _outcome: McpOutcome) -> None:
        self.changed.emit()

    def _failed(self, sentence: str) -> None:
        self.button.setEnabled(True)
        self.detail.setText(sentence)
        self.detail.show()


class RegistrationsBox(Box):
    """All host programs, or the first `only` of them."""

    def __init__(self, orders: Orders, only: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._orders, self._only = orders, only
        self._rows: dict[str, RegistrationRow] = {}

    def look(self) -> None:
        """Ask how each stands."""
        self._orders.registrations(self._show)

    def _show(self, found: tuple[Registration, ...]) -> None:
        for one in found[: self._only]:
            if one.host in self._rows:
                self._rows[one.host].show_state(one)
                continue
            row = RegistrationRow(one, self._orders)
            row.changed.connect(self.look)
            self._rows[one.host] = row
            self.add_row(row)


class IntegrationsSheet(Sheet):
    """The box of host programs, and the way back to the first page."""

    welcome_asked = Signal()

    def __init__(self, page: Page, world: World, orders: Orders) -> None:
        self.box = RegistrationsBox(orders)
        super().__init__(page, world)

    def add_parts(self) -> None:
        """The box and a link."""
        text = tr(
            "Adds one entry to that program's own settings. Nothing else in them is touched, and Undo takes it out."
        )
        self.column.addWidget(Label(text, "ui", "text.secondary", wrap=True))
        self.column.addWidget(self.box)
        again = Button(tr("Show the first page again"), "ghost", icon="users")
        again.clicked.connect(self.welcome_asked)
        self.column.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt override
        """States of other programs are read when somebody looks."""
        super().showEvent(event)
        self.box.look()
