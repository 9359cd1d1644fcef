"""What the person's actions do: the one list of actions, and the ways between pages.

Owns the actions, the palette, the undo of the last deed, and which side parts are wanted. What needs the host is an
order. Ends with the window.
"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QCursor, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.translations import read_by_person
from ui.viewmodels.commands import Command
from ui.viewmodels.palette import commands_of_children
from ui.widgets.palette import CommandPalette, KeyMap
from ui.widgets.settings import SettingsPage
from ui.widgets.sidebar import SearchPage
from ui.widgets.welcome import WelcomePage
from ui.wording import tr
from ui.workspace.action_list import actions_of
from ui.workspace.actions import Actions
from ui.workspace.new_session import NewSession
from ui.workspace.panels import Scrim, link_matter, words_matter
from ui.workspace.tray import Tray

if TYPE_CHECKING:
    from ui.workspace.window import MainWindow

SAFE_SCHEMES = frozenset({"http", "https", "mailto"})


class Deeds(QObject):
    """Made before the window's parts, since these are given its methods; acts only when the window stands."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.actions = Actions(window)
        self.sidebar_open = True
        self.overlay_open = True
        self.welcomed = False
        self._undo: Callable[[], None] | None = None
        self._undo_ends = QTimer(self)
        self._undo_ends.setSingleShot(True)
        self._undo_ends.setInterval(metrics.UNDO_MS)
        self._undo_ends.timeout.connect(self._forget_undo)
        self._over_content = False
        self._known_asks: frozenset[str] = frozenset()
        self._palette: CommandPalette | None = None
        self.tray = Tray(window)
        self.tray.raised.connect(self.raise_window)
        self.tray.quit_asked.connect(window.close)
        self.tray.ask_opened.connect(self.oldest_ask)

    def make_actions(self) -> None:
        """The list, its shortcuts, the tray."""
        self.actions.add(*actions_of(self._window))
        self.actions.set_keys({})
        self.tray.begin()

    # ---- sessions and tasks

    def open_session(self, session_id: str) -> None:
        """Show a conversation."""
        self._window.show_page("conversation")
        self._window.sessions.open(session_id)

    def open_beside(self, session_id: str) -> None:
        """Show a conversation beside the present one."""
        self._window.show_page("conversation")
        self._window.sessions.open_beside(session_id)

    def new_session(self, folder: str = "", agent: str = "") -> None:
        """A form for a new session."""
        self._window.show_page("conversation")
        self._window.sessions.new_draft()
        page = self._window.sessions.page()
        if isinstance(page, NewSession):
            if folder:
                page.show_folder(folder)
            if agent:
                page.show_agent(agent)
            page.setFocus()

    def session_with(self, agent: str) -> None:
        """A form for a new session with this agent."""
        self.new_session(agent=agent)

    def open_task(self, task_id: str) -> None:
        """The place of a task in the conversation that asked for it."""
        view = self._window.world.task(task_id)
        if view is None:
            return
        self.open_session(view.record.parent_id)
        page = self._window.sessions.conversation()
        if page is not None:
            page.show_task(task_id)

    def jump(self, session_id: str, key: str) -> None:
        """A row of a conversation."""
        self.open_session(session_id)
        page = self._window.sessions.conversation()
        if page is not None:
            page.feed.jump_to(key)

    def open_entry(self, session_id: str, seq: int) -> None:
        """The row in which an entry is shown; it may still be loading."""
        self.open_session(session_id)
        page = self._window.sessions.conversation()
        if page is not None:
            page.show_entry(seq)

    def session_menu(self, session_id: str) -> None:
        """More of a conversation."""
        menu = self._window.sidebar.row_menu(session_id)
        if menu is not None:
            menu.popup(QCursor.pos())

    def open_ask(self, request_id: str) -> None:
        """An ask in the inbox."""
        self._window.show_page("inbox")
        self._window.inbox.select(request_id)

    def oldest_ask(self) -> None:
        """Alt N."""
        asks = self._window.world.asks()
        if asks:
            self.raise_window()
            self.open_ask(asks[0].request_id)

    def stop_turn(self) -> None:
        """Ctrl ."""
        session_id = self._window.sessions.current_session()
        if session_id is not None:
            self._window.orders.cancel_turn(session_id)

    # ---- outside the window

    def open_link(self, link: str) -> None:
        """An agent's link: shown whole, opened only when the person says so."""
        scrim = Scrim(link_matter(link), self._window)

        def act(way: str) -> None:
            url = QUrl(link)
            if way == "open" and url.scheme().lower() in SAFE_SCHEMES:
                QDesktopServices.openUrl(url)
            elif way == "copy":
                QGuiApplication.clipboard().setText(link)

        scrim.chosen.connect(act)

    def show_last_words(self, session_id: str) -> None:
        """What a session's agent wrote last on stderr."""
        name = self._window.world.agent_name(session_id)

        def show(lines: tuple[str, ...]) -> None:
            scrim = Scrim(words_matter(name, lines), self._window)

            def act(way: str) -> None:
                if way == "copy":
                    QGuiApplication.clipboard().setText("\n".join(lines))

            scrim.chosen.connect(act)

        self._window.orders.stderr_tail(session_id, show)

    def open_log(self, path: str) -> None:
        """A log in the person's own viewer."""
        if os.path.exists(path):
            QDesktopServices.openUrl(QUrl.fromLocalFile(path))
        else:
            self._window.tell(tr("There is no log at {path}.", path=path))

    def raise_window(self) -> None:
        """Bring it to the front."""
        window = self._window
        window.show()
        window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
        window.raise_()
        window.activateWindow()

    def notify(self, in_front: bool) -> None:
        """Tell of new asks while the window is not in front."""
        world = self._window.world
        asks = world.asks()
        fresh = [ask for ask in asks if ask.request_id not in self._known_asks]
        self._known_asks = frozenset(ask.request_id for ask in asks)
        if fresh and not in_front and world.settings().desktop.notifications:
            ask = fresh[-1]
            self.tray.tell(tr("{agent} needs you", agent=world.agent_name(ask.session_id)), ask.title)
            QApplication.alert(self._window)

    def count(self) -> None:
        """Running and waiting, for the tray."""
        world = self._window.world
        self.tray.show_counts(world.running_count(), len(world.asks()))

    # ---- the window's parts

    def make_page(self, name: str) -> QWidget:
        """The pages that are made when first wanted."""
        window = self._window
        match name:
            case "settings":
                page = SettingsPage(window.world, window.orders, self.actions.commands)
                page.welcome_asked.connect(lambda: window.show_page("welcome"))
                return page
            case "search":
                found = SearchPage(window.world, window.orders)
                found.open_session.connect(self.open_session)
                found.open_entry.connect(self.open_entry)
                return found
            case _:
                welcome = WelcomePage(window.world, window.orders)
                welcome.start_session.connect(self._start_with)
                welcome.workspace_asked.connect(lambda: self._welcomed(self.new_session))
                return welcome

    def _start_with(self, agent: str) -> None:
        self._welcomed(lambda: self.new_session(agent=agent))

    def _welcomed(self, go: Callable[[], None]) -> None:
        self.welcomed = True
        go()
        self._window.memory.touch()

    def open_palette(self) -> None:
        """Ctrl K."""
        if self._palette is None:
            self._palette = CommandPalette(self.commands, self._window.world, self._window)
            self._palette.open_session.connect(self.open_session)
            self._palette.open_ask.connect(self.open_ask)
        self._palette.open()

    def commands(self) -> list[Command]:
        """The window's actions, and those of the children of the conversation that shows."""
        found = self.actions.commands()
        session_id = self._window.sessions.current_session()
        if session_id is not None:
            found += commands_of_children(self._window.world, self._window.orders, session_id)
        return found

    def open_keys(self) -> None:
        """F1."""
        KeyMap(self.actions.commands(), self._window).open()

    def sidebar_wanted(self, *, narrow: bool) -> bool:
        """In a narrow window it is a strip until it is asked for."""
        return self._over_content if narrow else self.sidebar_open

    def toggle_sidebar(self) -> None:
        """Ctrl B."""
        window = self._window
        if window.strip.isVisible() or self._over_content:
            self._over_content = not self._over_content
        else:
            self.sidebar_open = not self.sidebar_open
        window.show_page(window.page_name())
        window.memory.touch()

    def toggle_overlay(self) -> None:
        """Ctrl Shift A."""
        page = self._window.sessions.conversation()
        if page is not None:
            page.toggle_overlay()

    def walk_areas(self, step: int) -> None:
        """F6: sidebar, tabs, page, composer, status bar."""
        window = self._window
        page = window.sessions.conversation()
        areas: list[QWidget] = [window.sidebar] if window.sidebar.isVisible() else []
        shown = window.stack.currentWidget()
        if window.page_name() == "conversation" and page is not None:
            areas += page.areas()
        elif shown:
            areas.append(shown)
        areas.append(window.status)
        focus = QApplication.focusWidget()
        at = next((n for n, area in enumerate(areas) if focus and (area is focus or area.isAncestorOf(focus))), -1)
        for number in range(1, len(areas) + 1):
            entry = _entry(areas[(at + step * number) % len(areas)])
            if entry is not None:
                entry.setFocus(Qt.FocusReason.TabFocusReason)
                return

    # ---- undo

    def undoable(self, text: str, undo: Callable[[], None]) -> None:
        """Offer to take the last deed back, for 10 s."""
        self._undo = undo
        self._undo_ends.start()
        self._window.status.offer_undo(text, self.undo)

    def undo(self) -> None:
        """Ctrl Z outside a text field."""
        undo, self._undo = self._undo, None
        self._undo_ends.stop()
        if undo is not None:
            self._window.status.clear_undo()
            undo()

    def can_undo(self) -> bool:
        """There is something to take back."""
        return self._undo is not None

    def _forget_undo(self) -> None:
        self._undo = None

    # ---- settings

    def take_settings(self) -> None:
        """The settings that the window itself follows."""
        desktop = self._window.world.settings().desktop
        theme().set_scheme(desktop.theme)
        theme().set_ui_size(desktop.font_size)
        theme().set_language(read_by_person(desktop.language))
        theme().set_reduce_motion(desktop.reduce_motion)
        self.actions.set_keys(dict(desktop.keys))
        self._show_keys()

    def _show_keys(self) -> None:
        window, key = self._window, self.actions.key_of
        for place, name in (("new", "new_session"), ("search", "search"), ("board", "board"), ("settings", "settings")):
            window.sidebar.set_key(place, key(name))
        window.status.set_commands_key(key("palette"))

    def change_font(self, step: int) -> None:
        """Ctrl + and Ctrl -; 0 = the default."""
        now = self._window.world.settings().desktop.font_size
        size = 13 if step == 0 else max(12, min(18, now + step))
        self._window.orders.change_settings({"desktop.font_size": size})

    def restored(self, shape: Mapping[str, Any]) -> None:
        """What was remembered of the side parts."""
        self.sidebar_open = shape.get("sidebar") is not False
        self.overlay_open = shape.get("overlay") is not False
        self.welcomed = shape.get("welcomed") is True
        sizes = _sizes(shape.get("split"))
        if sizes:
            self._window.split.setSizes(sizes)
        first = not self.welcomed and not self._window.world.sessions()
        self._window.show_page("welcome" if first else "conversation")
        if not first and not any(group.tabs for group in self._window.sessions.area.layout_now.groups()):
            self.new_session()


def _entry(area: QWidget) -> QWidget | None:
    """What takes the keyboard in an area: itself, else its first control; None = nothing in it does."""
    if area.focusProxy() is not None or area.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return area
    part = area.nextInFocusChain()
    while part is not None and part is not area:
        takes = bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus) and part.isVisible() and part.isEnabled()
        if takes and area.isAncestorOf(part):
            return part
        part = part.nextInFocusChain()
    return None


def _sizes(held: Any) -> list[int]:
    """Two widths as remembered; anything else is none."""
    sizes = cast("list[Any]", held) if isinstance(held, list) else []
    sound = len(sizes) == 2 and all(type(size) is int and size > 0 for size in sizes)
    return [int(size) for size in sizes] if sound else []
