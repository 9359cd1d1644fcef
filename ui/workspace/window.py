"""The main window: sidebar, pages, status bar, and every action of the person (design 6, 9, 11).

Owns the arrangement of pages and what happens between them. All state of the host comes from the world, all that is
done goes through the bridge. Closing it never ends anything by itself: `quitting` decides with the person.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.board import BoardPage
from ui.widgets.inbox import InboxPage
from ui.widgets.settings import SettingsPage
from ui.widgets.sidebar import Sidebar, SidebarStrip
from ui.widgets.statusbar import StatusBar
from ui.wording import tr
from ui.workspace.conversation import Conversation
from ui.workspace.deeds import Deeds
from ui.workspace.memory import Memory
from ui.workspace.panes import Splitter
from ui.workspace.sessions import Sessions
from ui.workspace.shell import Shell

PAGES = ("conversation", "board", "inbox", "settings", "welcome", "search")


class MainWindow(QMainWindow):
    """The window. `closed_for_good` follows when the person chose to quit; `hidden` when the host is kept running."""

    close_asked = Signal()

    def __init__(self, world: World, orders: Orders) -> None:
        super().__init__()
        self.world, self.orders = world, orders
        self.setWindowTitle(tr("Codeg"))
        self.setMinimumSize(metrics.WINDOW_LEAST_WIDTH, metrics.WINDOW_LEAST_HEIGHT)
        self.view = ViewState()
        self.transcripts = Transcripts(world, orders)
        self.may_close = False
        self.deeds = Deeds(self)
        self.shell = self._make_shell()
        self.sessions = Sessions(self.shell, self)
        self._make_parts()
        self._arrange()
        self.memory = Memory(self, orders)
        self._connect()
        self.deeds.make_actions()
        self._fit()

    def _make_shell(self) -> Shell:
        deeds = self.deeds
        return Shell(
            world=self.world,
            orders=self.orders,
            transcripts=self.transcripts,
            view=self.view,
            open_here=deeds.open_session,
            open_beside=deeds.open_beside,
            jump=deeds.jump,
            open_link=deeds.open_link,
            open_page=self.show_page,
            open_log=deeds.show_last_words,
            tell=self.tell,
        )

    def _make_parts(self) -> None:
        self.sidebar = Sidebar(self.world, self.orders, self.view)
        self.strip = SidebarStrip(self.world)
        self.status = StatusBar(self.world)
        self.inbox = InboxPage(self.world, self.orders, self.transcripts, self.view)
        self.board = BoardPage(self.world, self.orders)
        self.stack = QStackedWidget()
        self.pages: dict[str, QWidget] = {
            "conversation": self.sessions.area,
            "board": self.board,
            "inbox": self.inbox,
        }
        for page in self.pages.values():
            self.stack.addWidget(page)

    def _arrange(self) -> None:
        self.split = Splitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.sidebar)
        main = QWidget()
        row = QHBoxLayout(main)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.strip)
        row.addWidget(self.stack, 1)
        self.split.addWidget(main)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([metrics.SIDEBAR, 1440 - metrics.SIDEBAR])
        self.sidebar.setMinimumWidth(metrics.SIDEBAR_LEAST)
        self.sidebar.setMaximumWidth(metrics.SIDEBAR_MOST)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.split, 1)
        column.addWidget(self.status)
        self.setCentralWidget(body)
        self.resize(self._first_size())

    def _first_size(self) -> QSize:
        screen = QGuiApplication.primaryScreen()
        room = screen.availableGeometry().size() if screen else QSize(1440, 900)
        return QSize(min(1440, room.width()), min(900, room.height()))

    def _connect(self) -> None:
        deeds = self.deeds
        self.sidebar.open_session.connect(deeds.open_session)
        self.sidebar.open_beside.connect(deeds.open_beside)
        self.sidebar.new_session.connect(deeds.new_session)
        self.sidebar.new_session_in.connect(deeds.new_session)
        self.sidebar.open_page.connect(self.show_page)
        self.sidebar.undoable.connect(deeds.undoable)
        self.strip.open_page.connect(self.show_page)
        self.strip.new_session.connect(deeds.new_session)
        self.strip.sidebar_asked.connect(deeds.toggle_sidebar)
        self.status.open_page.connect(self.show_page)
        self.status.commands_asked.connect(deeds.open_palette)
        self.inbox.open_session.connect(deeds.open_session)
        self.board.open_task.connect(deeds.open_task)
        self.board.open_ask.connect(deeds.open_ask)
        self.sessions.shown.connect(self._session_shown)
        self.sessions.more_asked.connect(deeds.session_menu)
        self.sessions.agent_asked.connect(deeds.session_with)
        self.world.changed.connect(self._changed)
        theme().changed.connect(self.update)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_moved)

    # ---- pages

    def show_page(self, name: str) -> None:
        """Show a page: conversation, board, inbox, settings, welcome, search; more words filter it: `board:running`."""
        name, _, rest = name.partition(":")
        page = self.pages.get(name) or self._late_page(name)
        self.stack.setCurrentWidget(page)
        self.sidebar.show_current(name, self.sessions.current_session() if name == "conversation" else None)
        self.strip.show_current(name)
        self._chrome(name != "welcome")
        if name == "settings" and rest and isinstance(page, SettingsPage):
            page.show_sheet(rest)
        if name == "board":
            self.board.show_only(rest)
        shown = self.sessions.page() if name == "conversation" else None
        (shown if shown is not None else page).setFocus(Qt.FocusReason.OtherFocusReason)

    def page_name(self) -> str:
        """Of the page that shows."""
        shown = self.stack.currentWidget()
        return next((name for name, page in self.pages.items() if page is shown), "conversation")

    def _late_page(self, name: str) -> QWidget:
        """Settings, first start and search are made when they are first wanted."""
        page = self.deeds.make_page(name)
        self.pages[name] = page
        self.stack.addWidget(page)
        return page

    def _chrome(self, shown: bool) -> None:
        narrow = self.width() < metrics.NARROW
        self.sidebar.setVisible(shown and self.deeds.sidebar_wanted(narrow=narrow))
        self.strip.setVisible(shown and narrow and not self.sidebar.isVisible())

    def tell(self, text: str, severity: str = "info") -> None:
        """One sentence in the message bar of the page that shows."""
        page = self.sessions.page()
        if self.page_name() == "conversation" and isinstance(page, Conversation):
            page.tell(text, severity)
        else:
            self.status.tell(text)

    def actions_run(self, name: str) -> None:
        """Do one of the actions by its name."""
        self.deeds.actions.run(name)

    # ---- what is live

    def _changed(self, batch: Batch) -> None:
        if batch.settings:
            self.deeds.take_settings()
        if batch.asks:
            self.deeds.notify(self.isActiveWindow())
        for turn in batch.turns:
            if turn.session_id == self.sessions.current_session() and self.page_name() == "conversation":
                self.orders.mark(turn.session_id, seen=True)
        self.deeds.count()

    def _session_shown(self, session_id: str) -> None:
        if self.page_name() == "conversation":
            self.sidebar.show_current("conversation", session_id or None)

    def _focus_moved(self, _old: QWidget | None, now: QWidget | None) -> None:
        self.sessions.area.focus_moved(now)

    # ---- the window itself

    def _fit(self) -> None:
        self._chrome(self.page_name() != "welcome")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows fold the sidebar to a strip."""
        super().resizeEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The person is asked first when tasks run; `may_close` is set when that is settled."""
        if self.may_close:
            self.sidebar.settle()
            self.memory.save_now()
            event.accept()
        else:
            event.ignore()
            self.close_asked.emit()
