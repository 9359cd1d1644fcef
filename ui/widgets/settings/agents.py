"""Settings, Agents: a table of all agents; details of one open below it (design 7.10).

Owns the forms; agents.toml and the settings file are changed by orders. A test starts the agent and shows its steps
live. Values of variables are never shown again once they are kept. Ends with the page.
"""

import shlex
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import AgentInfo, AgentProbe, Orders
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.viewmodels.preferences import Page
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.controls import AgentBadge, Box, Button, Field, Label, MarkLabel, Select, Switch
from ui.widgets.settings.sheet import Sheet
from ui.wording import clean_line, tr

STEPS = ("start", "handshake", "session")
INHERIT = ""


class AgentsSheet(Sheet):
    """The table, and the form of the agent that is being looked at."""

    def __init__(self, page: Page, world: World, orders: Orders) -> None:
        self._orders = orders
        self._box = Box()
        self._form: AgentForm | None = None
        self._known: tuple[AgentInfo, ...] = ()
        super().__init__(page, world)

    def add_parts(self) -> None:
        """The table and the way to an agent of one's own."""
        self.column.addWidget(self._box)
        add = Button(tr("Add an agent…"), icon="plus")
        add.clicked.connect(lambda: self._open(None))
        self.column.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)
        self._room = QVBoxLayout()
        self.column.addLayout(self._room)

    def refresh(self) -> None:
        """The agents as the host lists them."""
        super().refresh()
        agents = self.world.agents()
        if agents == self._known:
            return
        self._known = agents
        self._box.clear()
        for agent in agents:
            self._box.add_row(self._row(agent))

    def _row(self, agent: AgentInfo) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(metrics.LIST_ROW)
        line = QHBoxLayout(row)
        line.setContentsMargins(16, 8, 16, 8)
        line.setSpacing(12)
        line.addWidget(AgentBadge(letters_of(agent.slug, agent.label), 22))
        line.addWidget(Label(clean_line(agent.label), "ui", weight=500, elide=True), 1)
        state = tr("Installed") if agent.installed else tr("Not installed")
        line.addWidget(MarkLabel(State.COMPLETED if agent.installed else State.QUEUED, 14))
        line.addWidget(Label(state, "small", "text.secondary"))
        details = Button(tr("Details"), small=True)
        details.setAccessibleName(tr("Details of {agent}", agent=agent.label))
        details.clicked.connect(lambda: self._open(agent))
        line.addWidget(details)
        allowed = Switch(tr("{agent} may be used", agent=agent.label))
        allowed.setChecked(agent.enabled)
        allowed.clicked.connect(lambda: self._set(agent, "enabled", allowed.isChecked(), agent.enabled))
        line.addWidget(allowed)
        return row

    def _set(self, agent: AgentInfo, name: str, value: object, before: object) -> None:
        self.chosen.emit(f"agents.{agent.slug}.{name}", value, before)

    def _open(self, agent: AgentInfo | None) -> None:
        if self._form is not None:
            self._form.setParent(None)
            self._form.deleteLater()
        self._form = AgentForm(agent, self.world, self._orders, self)
        self._room.addWidget(self._form)
        self._form.first.setFocus()


class AgentForm(Box):
    """What is known of one agent, and what the person may change. None = a new one."""

    def __init__(self, agent: AgentInfo | None, world: World, orders: Orders, sheet: AgentsSheet) -> None:
        super().__init__()
        self._agent, self._world, self._orders, self._sheet = agent, world, orders, sheet
        self.name = Field(tr("Name"))
        self.command = Field(tr("Command, as in a terminal"))
        self.variables = Field(tr("Variables: NAME=value NAME=value"))
        self.problem = Label("", "small", "failed.text", wrap=True)
        self.problem.hide()
        self.mode, self.model = (
            Select([(INHERIT, tr("As its own default"))]),
            Select([(INHERIT, tr("As its own default"))]),
        )
        self.steps = StepsLine()
        self.first = self.name if agent is None else self.command
        self._build()

    def _build(self) -> None:
        agent = self._agent
        if agent is None:
            self.add_row(_named(tr("Name"), self.name))
        else:
            self.command.setText(shlex.join(agent.command))
        self.add_row(_named(tr("Command"), self.command))
        self.add_row(_named(tr("Variables"), self.variables))
        if agent is not None:
            self._defaults(agent)
        self.add_row(self._foot())

    def _defaults(self, agent: AgentInfo) -> None:
        told = self._world.settings().agent(agent.slug)
        self.mode.set_items([(INHERIT, tr("As its own default")), *([(told.mode, told.mode)] if told.mode else [])])
        self.mode.set_value(told.mode or INHERIT)
        self.mode.changed.connect(
            lambda: self._sheet.chosen.emit(f"agents.{agent.slug}.mode", self.mode.value() or None, told.mode)
        )
        self.add_row(_named(tr("Mode for children"), self.mode))
        self.model.setVisible(False)

    def _foot(self) -> QWidget:
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        save = Button(tr("Save"), "filled")
        test = Button(tr("Test"), icon="play")
        save.clicked.connect(self._save)
        test.clicked.connect(self._test)
        test.setEnabled(self._agent is not None)
        row.addWidget(save)
        row.addWidget(test)
        if self._agent is not None:
            remove = Button(tr("Remove my changes") if not self._agent.custom else tr("Remove"), "ghost")
            remove.clicked.connect(self._remove)
            row.addWidget(remove)
        row.addWidget(self.steps, 1)
        row.addWidget(self.problem, 1)
        return foot

    def _save(self) -> None:
        try:
            command = shlex.split(self.command.text())
        except ValueError:
            self._tell(tr("The command has a quote that is not closed."))
            return
        variables, odd = _variables(self.variables.text())
        label = self._agent.label if self._agent is not None else self.name.text().strip()
        if not label or not command or odd:
            self._tell(tr("A name, a command, and variables as NAME=value are needed."))
            return
        slug = self._agent.slug if self._agent is not None else "custom:" + _slug(label)
        self._orders.save_agent(slug, label, command, variables, then=lambda _: self._saved(), failed=self._tell)

    def _saved(self) -> None:
        self.problem.hide()
        self.variables.clear()
        self._orders.look_for_agents()

    def _remove(self) -> None:
        if self._agent is not None:
            self._orders.remove_agent(
                self._agent.slug, then=lambda _: self._orders.look_for_agents(), failed=self._tell
            )

    def _test(self) -> None:
        if self._agent is not None:
            self.problem.hide()
            self.steps.begin()
            self._orders.probe(self._agent.slug, self._tested, self.steps.reach)

    def _tested(self, probe: AgentProbe) -> None:
        self.steps.end(probe)
        if probe.modes:
            now = self.mode.value()
            self.mode.set_items([(INHERIT, tr("As its own default")), *probe.modes])
            self.mode.set_value(now)

    def _tell(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.show()


class StepsLine(QWidget):
    """The steps of a test, each with its mark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        words = {"start": tr("Start"), "handshake": tr("Handshake"), "session": tr("Session")}
        self._marks = {step: MarkLabel(State.QUEUED, 14) for step in STEPS}
        for step in STEPS:
            row.addWidget(self._marks[step])
            row.addWidget(Label(words[step], "small", "text.secondary"))
        self.said = Label("", "small", "text.secondary", wrap=True)
        row.addWidget(self.said, 1)
        self.hide()

    def begin(self) -> None:
        """A test begins."""
        for mark in self._marks.values():
            mark.set_state(State.QUEUED)
        self.said.setText("")
        self.show()

    def reach(self, step: str) -> None:
        """This step is under way; those before it are done."""
        at = STEPS.index(step) if step in STEPS else 0
        for number, name in enumerate(STEPS):
            state = State.COMPLETED if number < at else State.RUNNING if number == at else State.QUEUED
            self._marks[name].set_state(state)

    def end(self, probe: AgentProbe) -> None:
        """How it went: the running step is done, or failed."""
        done = probe.state == "ready"
        for mark in self._marks.values():
            if done or mark.state is State.RUNNING:
                mark.set_state(State.COMPLETED if done else State.FAILED)
        self.said.setText(probe.version if done else probe.message)


def _named(text: str, control: QWidget) -> QWidget:
    row = QWidget()
    row.setMinimumHeight(metrics.LIST_ROW)
    line = QHBoxLayout(row)
    line.setContentsMargins(16, 8, 16, 8)
    line.setSpacing(16)
    line.addWidget(Label(text, "ui", weight=500), 1)
    control.setMinimumWidth(360)
    control.setAccessibleName(text)
    line.addWidget(control)
    return row


def _variables(text: str) -> tuple[Mapping[str, str], bool]:
    """NAME=value pairs, and whether anything else stands there."""
    try:
        words = shlex.split(text)
    except ValueError:
        return {}, True
    pairs = [word.partition("=") for word in words]
    return {name: value for name, _, value in pairs}, any(not name or not sign for name, sign, _ in pairs)


def _slug(label: str) -> str:
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in label.casefold())
    return "-".join(part for part in plain.split("-") if part) or "agent"
