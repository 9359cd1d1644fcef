"""Sessions in panes: which page stands for which tab, drafts that become sessions, tabs that were closed.

Owns the pane area and the list of closed tabs. Ends with the window.
"""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ui.viewmodels import layout as trees
from ui.viewmodels.layout import Layout
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch
from ui.wording import tr
from ui.workspace.conversation import Conversation
from ui.workspace.new_session import NewSession
from ui.workspace.panes import PaneArea
from ui.workspace.shell import Shell
from ui.workspace.tabs import TabFace

NEW = "new:"


class Sessions(QObject):
    """The panes and what they show. `shown`: a session's page came to the front ("" for a draft)."""

    shown = Signal(str)
    more_asked = Signal(str)
    agent_asked = Signal(str)
    """A new session with this agent is wanted."""

    def __init__(self, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._shell = shell
        self._closed: list[str] = []
        self._drafts = 0
        self.area = PaneArea(self._page, self._face)
        self.area.changed.connect(self._remember_closed)
        self.area.new_asked.connect(self.new_draft)
        self.area.page_shown.connect(self._page_shown)
        self._tabs: set[str] = set()
        shell.world.changed.connect(self._changed)

    # ---- what can be done

    def open(self, session_id: str) -> None:
        """Show a session: where it is open, else in the focused pane."""
        self._set(trees.open_tab(self.area.layout_now, session_id))

    def open_beside(self, session_id: str) -> None:
        """Show a session in a pane at the right of the focused one."""
        layout = self.area.layout_now
        groups = layout.groups()
        at = groups.index(layout.focused)
        if at + 1 < len(groups):
            self._set(trees.open_tab(layout, session_id, groups[at + 1].name))
        else:
            self._set(trees.split(layout, "row", session_id))

    def split(self, direction: trees.Direction) -> None:
        """Split the focused pane; the new one shows the same."""
        layout = self.area.layout_now
        tab = layout.focused.shown
        if tab is None or tab.startswith(NEW):
            self._set(trees.split(layout, direction, self._draft()))
        else:
            self._set(trees.split(layout, direction, tab))

    def new_draft(self, group: str | None = None) -> None:
        """A tab in which a session can be begun; one draft a pane."""
        layout = self.area.layout_now
        pane = layout.group(group) if group else layout.focused
        pane = pane or layout.focused
        draft = next((tab for tab in pane.tabs if tab.startswith(NEW)), None) or self._draft()
        self._set(trees.open_tab(layout, draft, pane.name))

    def close(self) -> None:
        """Close the active tab."""
        group = self.area.layout_now.focused
        if group.shown is not None:
            self._set(trees.close_tab(self.area.layout_now, group.name, group.shown))

    def reopen_closed(self) -> None:
        """Open the tab that was closed last."""
        while self._closed:
            tab = self._closed.pop()
            if self._shell.world.session(tab) is not None:
                self.open(tab)
                return

    def can_reopen(self) -> bool:
        """A tab was closed that still has a session."""
        return any(self._shell.world.session(tab) is not None for tab in self._closed)

    def walk(self, step: int) -> None:
        """The next or previous tab."""
        self._set(trees.next_tab(self.area.layout_now, step))

    def walk_panes(self, step: int) -> None:
        """The next or previous pane."""
        self._set(trees.neighbour(self.area.layout_now, step))
        page = self.page()
        if page is not None:
            page.setFocus()

    def restore(self, layout: Layout) -> None:
        """Lie as remembered; tabs without a session are left out."""
        for group in layout.groups():
            for tab in group.tabs:
                if not tab.startswith(NEW) and self._shell.world.session(tab) is None:
                    layout = trees.without_tab(layout, tab)
        self._set(layout)

    # ---- what is shown

    def page(self) -> QWidget | None:
        """The page that has the focus."""
        return self.area.page()

    def conversation(self) -> Conversation | None:
        """The conversation that has the focus."""
        page = self.page()
        return page if isinstance(page, Conversation) else None

    def conversations(self) -> tuple[Conversation, ...]:
        """All that were made."""
        return tuple(page for page in self.area.pages() if isinstance(page, Conversation))

    def current_session(self) -> str | None:
        """The session that has the focus."""
        page = self.conversation()
        return page.session_id if page is not None else None

    # ---- inside

    def _set(self, layout: Layout) -> None:
        self.area.set_layout(layout)

    def _draft(self) -> str:
        taken = {tab for group in self.area.layout_now.groups() for tab in group.tabs}
        self._drafts += 1
        while f"{NEW}{self._drafts}" in taken:
            self._drafts += 1
        return f"{NEW}{self._drafts}"

    def _page(self, tab: str) -> QWidget:
        if tab.startswith(NEW):
            page = NewSession(tab, self._shell)
            page.composer.settings_asked.connect(lambda: self._shell.open_page("settings:agents"))

            def begun(session_id: str) -> None:
                self._begun(tab, session_id)

            page.begun.connect(begun)
            return page
        conversation = Conversation(tab, self._shell)
        conversation.composer.settings_asked.connect(lambda: self._shell.open_page("settings:agents"))
        conversation.composer.session_asked.connect(self.agent_asked)
        conversation.split_asked.connect(lambda: self.split("row"))
        conversation.more_asked.connect(lambda: self.more_asked.emit(tab))
        return conversation

    def _begun(self, draft: str, session_id: str) -> None:
        self._set(trees.rename_tab(self.area.layout_now, draft, session_id))

    def _face(self, tab: str) -> TabFace:
        world = self._shell.world
        if tab.startswith(NEW):
            return TabFace(tab, tr("New session"), State.IDLE)
        return TabFace(tab, world.title_of(tab), world.state_of_session(tab))

    def _changed(self, batch: Batch) -> None:
        layout = self.area.layout_now
        for gone in batch.gone:
            layout = trees.without_tab(layout, gone)
        if layout != self.area.layout_now:
            self._set(layout)
        elif batch.sessions or batch.tasks or batch.asks:
            self.area.refresh()

    def _remember_closed(self) -> None:
        now = {tab for group in self.area.layout_now.groups() for tab in group.tabs}
        self._closed += [tab for tab in self._tabs - now if not tab.startswith(NEW)]
        del self._closed[:-20]
        self._tabs = now

    def _page_shown(self, page: object) -> None:
        session_id = page.session_id if isinstance(page, Conversation) else ""
        if session_id:
            self._shell.orders.mark(session_id, seen=True)
        self.shown.emit(session_id)
