"""The foot's left end: +, agent, mode, model, and what else the agent offers; *Settings* where they have no room.

Owns the buttons and their menus. What is chosen is told by signals; the values shown come from the agent.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFont
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from ui.orders import AgentInfo
from ui.theme.badges import letters_of
from ui.theme.icons import icon
from ui.theme.theme import theme
from ui.viewmodels.offers import Offers, Picker
from ui.widgets.controls import IconButton, MenuButton
from ui.widgets.controls.buttons import open_menu_below
from ui.wording import clean_line, tr

_LABEL_MOST = 24


class _Choice(MenuButton):
    """What holds now, quieter than the buttons at the other end."""

    def _font(self) -> QFont:
        return theme().font("small")


class PickerBar(QWidget):
    """`show_offers` and `show_agents` say what there is; `set_narrow` folds all but + into one menu."""

    agent_chosen = Signal(str)
    option_chosen = Signal(str, str)
    attach_asked = Signal()
    mention_asked = Signal()
    prompt_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers = Offers()
        self._agents: tuple[AgentInfo, ...] = ()
        self._told: object = None
        self._agent = ""
        self._may_change = False
        self._narrow = 0
        self.plus = IconButton("plus", tr("Attach or insert"))
        self.agent = _Choice("", letters="··")
        self.mode = _Choice("")
        self.model = _Choice("")
        self.more = IconButton("sliders-horizontal", tr("More settings of the agent"))
        self.settings = _Choice(tr("Settings"))
        self.settings_icon = IconButton("sliders-horizontal", tr("Settings"))
        self._parts: tuple[QWidget, ...] = (
            self.plus,
            self.agent,
            self.mode,
            self.model,
            self.more,
            self.settings,
            self.settings_icon,
        )
        self._arrange()
        self._show()

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for part in self._parts:
            row.addWidget(part)
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret in the text
        self.plus.clicked.connect(lambda: open_menu_below(self._plus_menu(), self.plus))
        self.more.clicked.connect(lambda: open_menu_below(self._more_menu(), self.more))
        self.settings_icon.clicked.connect(lambda: open_menu_below(self._settings_menu(), self.settings_icon))
        self.agent.set_menu(self._agent_menu)
        self.mode.set_menu(lambda: self._menu_of(self._offers.picker("mode")))
        self.model.set_menu(lambda: self._menu_of(self._offers.picker("model")))
        self.settings.set_menu(self._settings_menu)

    # ---- what there is

    def show_offers(self, offers: Offers) -> None:
        """What the agent lets one choose."""
        self._offers = offers
        self._show()

    def show_agents(self, agents: tuple[AgentInfo, ...], chosen: str, label: str, *, may_change: bool) -> None:
        """The agent, and the others. `may_change`: the session is not begun."""
        if (agents, chosen, label, may_change) == self._told:
            return
        self._told = (agents, chosen, label, may_change)
        self._agents, self._agent, self._may_change = agents, chosen, may_change
        self.agent.setText(clean_line(label, _LABEL_MOST) or tr("Choose an agent"))
        self.agent.set_letters(letters_of(chosen, label) if chosen else "")
        self.agent.setAccessibleName(tr("Agent: {name}", name=label))
        self._show()

    def set_narrow(self, narrow: int) -> None:
        """0: all; 1: one menu for all choices; 2: that menu without its word."""
        if narrow != self._narrow:
            self._narrow = narrow
            self._show()

    def width_at(self, narrow: int) -> int:
        """The room that it would ask for."""
        return sum(part.sizeHint().width() for part in self._shown_at(narrow))

    def _shown_at(self, narrow: int) -> list[QWidget]:
        has_agent = bool(self._agent or self._agents)
        if not has_agent:
            return [self.plus]
        if narrow:
            return [self.plus, self.settings if narrow == 1 else self.settings_icon]
        shown: list[QWidget] = [self.plus, self.agent]
        if self._offers.picker("mode") is not None:
            shown.append(self.mode)
        if self._offers.picker("model") is not None:
            shown.append(self.model)
        return [*shown, self.more] if self._offers.others() else shown

    def _show(self) -> None:
        for button, picker in ((self.mode, self._offers.picker("mode")), (self.model, self._offers.picker("model"))):
            if picker is not None:
                button.setText(clean_line(picker.label, _LABEL_MOST))
                button.setAccessibleName(f"{_name_of(picker)}: {picker.label}")
        for part in self._parts:  # showing one may bring `set_narrow`: what holds is asked anew each time
            part.setVisible(part in self._shown_at(self._narrow))

    # ---- menus

    def _plus_menu(self) -> QMenu:
        menu = QMenu(self)
        _add(menu, tr("Attach files or images…"), self.attach_asked.emit, "paperclip")
        _add(menu, tr("Name an agent, a file or a session") + "\t@", self.mention_asked.emit, "at-sign")
        if self._offers.commands:
            menu.addSeparator()
        for command in self._offers.commands[:40]:
            text = f"/{clean_line(command.name, 40)}"
            act = _add(menu, _literal(text), partial(self.prompt_chosen.emit, text), "terminal")
            act.setToolTip(clean_line(command.description))
        menu.setToolTipsVisible(True)
        return menu

    def _agent_menu(self) -> QMenu:
        menu = QMenu(tr("Agent"), self)
        if not self._may_change:
            head = menu.addAction(tr("Begin another session with"))
            head.setEnabled(False)
        for agent in self._agents:
            ready = agent.installed and agent.enabled
            label = clean_line(agent.label, 60)
            if not ready:
                reason = tr("switched off in Settings") if agent.installed else tr("not installed")
                label = f"{label} ({reason})"
            act = _add(menu, _literal(label), partial(self.agent_chosen.emit, agent.slug))
            act.setEnabled(ready)
            act.setCheckable(True)
            act.setChecked(agent.slug == self._agent)
        return menu

    def _menu_of(self, picker: Picker | None) -> QMenu | None:
        if picker is None:
            return None
        menu = QMenu(_literal(_name_of(picker)), self)
        group = QActionGroup(menu)
        for value, name in picker.choices:
            act = _add(menu, _literal(name), partial(self.option_chosen.emit, picker.option_id, value))
            act.setCheckable(True)
            act.setChecked(value == picker.value)
            group.addAction(act)
        return menu

    def _more_menu(self) -> QMenu:
        menu = QMenu(self)
        self._add_options(menu)
        return menu

    def _add_options(self, menu: QMenu) -> None:
        for picker in self._offers.others():
            if picker.is_switch:
                other = "false" if picker.value == "true" else "true"
                act = _add(menu, _literal(picker.name), partial(self.option_chosen.emit, picker.option_id, other))
                act.setCheckable(True)
                act.setChecked(picker.value == "true")
                continue
            self._add_sub(menu, self._menu_of(picker), picker.name, picker.label)

    def _settings_menu(self) -> QMenu:
        menu = QMenu(self)
        label = next((agent.label for agent in self._agents if agent.slug == self._agent), self._agent)
        self._add_sub(menu, self._agent_menu(), tr("Agent"), label)
        for kind in ("mode", "model"):
            picker = self._offers.picker(kind)
            if picker is not None:
                self._add_sub(menu, self._menu_of(picker), _name_of(picker), picker.label)
        self._add_options(menu)
        return menu

    def _add_sub(self, menu: QMenu, sub: QMenu | None, name: str, value: str) -> None:
        if sub is not None:
            sub.setParent(menu, sub.windowFlags())
            sub.setTitle(_literal(f"{name}: {clean_line(value, 40)}"))
            menu.addMenu(sub)


def _name_of(picker: Picker) -> str:
    if picker.kind == "mode":
        return tr("Mode")
    return tr("Model") if picker.kind == "model" else picker.name


def _add(menu: QMenu, text: str, run: Callable[[], object], sign: str = "") -> QAction:
    act = QAction(text, menu)
    if sign:
        act.setIcon(icon(sign))
    act.triggered.connect(lambda _checked=False: run())
    menu.addAction(act)
    return act


def _literal(text: str) -> str:
    """Text of an agent in a menu: an ampersand or tab in it means nothing."""
    return text.replace("&", "&&").replace("\t", " ")
