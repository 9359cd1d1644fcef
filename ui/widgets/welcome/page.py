"""First start: one screen that finds the agents, offers the demo at once, and connects programs in a terminal.

Owns the rows and what the looking found. Every agent is started once to learn its version and whether it is signed in;
rows stand at once and nothing moves when answers come. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import AgentInfo, AgentProbe, Orders
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.theme.theme import theme
from ui.viewmodels.first_start import headline, offers
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import AgentBadge, Box, Button, Label, MarkLabel, ScrollColumn
from ui.widgets.settings.integrations import RegistrationsBox
from ui.wording import clean_line, tr

DEMO = "demo"
CONNECTED_ROWS = 3


class AgentRow(QWidget):
    """One agent: badge, name, version, state, one button."""

    started = Signal(str)

    def __init__(self, agent: AgentInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.agent = agent
        self.probe: AgentProbe | None = None
        self.setMinimumHeight(metrics.START_ROW)
        self.under = Label("", "small", "text.muted", elide=True)
        self.mark = MarkLabel(State.STARTING, 14)
        self.state = Label(tr("Looking…"), "small", "text.secondary")
        self.button = Button("")
        self._arrange()
        self.button.clicked.connect(self._press)
        self._show()

    def _arrange(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 8, 16, 8)
        line.setSpacing(12)
        line.addWidget(AgentBadge(letters_of(self.agent.slug, self.agent.label), 28))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(Label(clean_line(self.agent.label), "ui", weight=600))
        words.addWidget(self.under)
        words.addStretch(1)
        line.addLayout(words, 1)
        told = QWidget()
        told.setFixedWidth(150)
        row = QHBoxLayout(told)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.mark)
        row.addWidget(self.state, 1)
        line.addWidget(told)
        room = QHBoxLayout()
        room.addStretch(1)
        room.addWidget(self.button)
        holder = QWidget()
        holder.setMinimumWidth(120)
        room.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(room)
        line.addWidget(holder)

    def show_probe(self, probe: AgentProbe) -> None:
        """What its start told."""
        self.probe = probe
        self._show()

    def show_best(self, is_best: bool) -> None:
        """The filled button is on the best choice."""
        self.button.set_kind("filled" if is_best else "outlined")

    def _show(self) -> None:
        offer = offers(self.agent, self.probe)
        self.under.setText(offer.under)
        self.under.setVisible(bool(offer.under))
        self.mark.set_state(offer.state)
        self.state.setText(offer.word)
        self.state.set_token("completed.text" if offer.state is State.COMPLETED else "text.secondary")
        self.button.setText(offer.button)
        self.button.setAccessibleName(f"{offer.button}, {self.agent.label}")
        self.button.setEnabled(offer.ready or bool(offer.help))
        self.setAccessibleName(f"{self.agent.label}, {offer.word}")

    def _press(self) -> None:
        offer = offers(self.agent, self.probe)
        if offer.ready:
            self.started.emit(self.agent.slug)
        else:
            self.under.setText(offer.help)
            self.under.setToolTip(offer.help)
            self.under.show()


class MissingRow(QWidget):
    """How to install an agent that is not there."""

    def __init__(self, agent: AgentInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(metrics.LIST_ROW)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 6, 16, 6)
        line.setSpacing(12)
        line.addWidget(AgentBadge(letters_of(agent.slug, agent.label), 22))
        name = Label(clean_line(agent.label), "ui", weight=500)
        name.setMinimumWidth(120)
        line.addWidget(name)
        line.addWidget(Label(agent.install, "small", "text.secondary", wrap=True), 1)
        copy = Button(tr("Copy"), small=True)
        copy.setAccessibleName(tr("Copy how to install {agent}", agent=agent.label))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(agent.install))
        line.addWidget(copy)


class WelcomePage(ScrollColumn):
    """The whole screen."""

    start_session = Signal(str)
    workspace_asked = Signal()

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent, most=metrics.START_COLUMN)
        self._world, self._orders = world, orders
        self._rows: dict[str, AgentRow] = {}
        self._known: tuple[AgentInfo, ...] = ()
        self.title = Label("", "display", wrap=True)
        self.box, self.missing = Box(), Box()
        self.more = Label("", "small", "text.secondary")
        self.how = Button(tr("Show how to install them"), "link", small=True)
        self.programs = RegistrationsBox(orders, CONNECTED_ROWS)
        self._build()
        world.changed.connect(self._changed)
        theme().changed.connect(self.update)
        self._refresh()

    def _build(self) -> None:
        self.center_body()
        column = self.column
        column.setContentsMargins(0, 84, 0, 24)
        column.setSpacing(8)
        column.addWidget(self.title)
        line = tr(
            "One agent talks to you and hands work to the others. "
            "You see every one of them work, and answer when they ask."
        )
        column.addWidget(Label(line, "prose", "text.secondary", wrap=True))
        column.addSpacing(20)
        again = Button(tr("Look again"), "ghost", icon="rotate-ccw")
        again.clicked.connect(self.look)
        column.addLayout(_headed(tr("Agents on this computer"), again))
        column.addWidget(self.box)
        self.how.clicked.connect(lambda: self.missing.setVisible(not self.missing.isVisible()))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.more)
        row.addWidget(self.how)
        row.addStretch(1)
        column.addLayout(row)
        self.missing.hide()
        column.addWidget(self.missing)
        self._build_programs()

    def _build_programs(self) -> None:
        """Programs in a terminal, and the way on."""
        column = self.column
        column.addSpacing(20)
        column.addWidget(Label(tr("Delegate from your terminal too"), "heading"))
        text = tr("Adds one entry to that program's own settings. You can undo it here.")
        column.addWidget(Label(text, "ui", "text.secondary", wrap=True))
        column.addWidget(self.programs)
        column.addSpacing(20)
        go = Button(tr("Open the workspace"))
        go.clicked.connect(self.workspace_asked)
        foot = QHBoxLayout()
        foot.addWidget(
            Label(tr("You can come back to this page from Settings, Integrations."), "ui", "text.secondary"), 1
        )
        foot.addWidget(go)
        column.addLayout(foot)
        column.addStretch(1)

    def look(self) -> None:
        """Look for agents and programs again."""
        self._orders.look_for_agents()
        self.programs.look()
        for slug, row in self._rows.items():
            row.probe = None
            self._probe(slug)

    def _probe(self, slug: str) -> None:
        if slug != DEMO:
            self._orders.probe(slug, self._probed)

    def _probed(self, probe: AgentProbe) -> None:
        row = self._rows.get(probe.slug)
        if row is not None:
            row.show_probe(probe)
        self._say()

    def _changed(self, batch: Batch) -> None:
        if batch.agents:
            self._refresh()

    def _refresh(self) -> None:
        agents = self._world.agents()
        if agents == self._known:
            return
        self._known = agents
        here = [agent for agent in agents if agent.installed and agent.enabled]
        if [agent.slug for agent in here] != list(self._rows):
            self.box.clear()
            self._rows = {}
            for agent in here:
                row = AgentRow(agent)
                row.started.connect(self.start_session)
                self._rows[agent.slug] = row
                self.box.add_row(row)
                if self.isVisible():
                    self._probe(agent.slug)
        self._show_missing([agent for agent in agents if not agent.installed and agent.enabled])
        self._say()

    def _show_missing(self, agents: "list[AgentInfo]") -> None:
        self.missing.clear()
        for agent in agents:
            self.missing.add_row(MissingRow(agent))
        self.more.setText(tr("%n more agents are supported but not installed.", n=len(agents)) if agents else "")
        self.how.setVisible(bool(agents))

    def _say(self) -> None:
        probes = {slug: row.probe for slug, row in self._rows.items()}
        self.title.setText(headline(self._known, probes))
        best = next((slug for slug, probe in probes.items() if slug != DEMO and probe and probe.state == "ready"), DEMO)
        for slug, row in self._rows.items():
            row.show_best(slug == best)

    def showEvent(self, event: QShowEvent) -> None:
        """Agents are started when somebody looks, once."""
        super().showEvent(event)
        self.programs.look()
        for slug, row in self._rows.items():
            if row.probe is None:
                self._probe(slug)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()


def _headed(text: str, button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(Label(text, "heading"), 1)
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
    return row
