"""The actions of the window, each with its default key (design 9).

Owns the words and keys; what they do belongs to `deeds`.
"""

from typing import TYPE_CHECKING

from ui.wording import tr
from ui.workspace.actions import Action

if TYPE_CHECKING:
    from ui.workspace.window import MainWindow


def actions_of(window: "MainWindow") -> tuple[Action, ...]:
    """All of them, in the order of the palette."""
    return (*_places(window), *_conversation(window), *_tabs(window), *_window(window))


def _places(window: "MainWindow") -> tuple[Action, ...]:
    deeds, section = window.deeds, tr("Go to")

    def nobody() -> str:
        return "" if window.world.asks() else tr("nobody is waiting for you")

    return (
        Action("palette", tr("Commands"), section, deeds.open_palette, "Ctrl+K", "search"),
        Action("new_session", tr("New session"), section, deeds.new_session, "Ctrl+N", "plus"),
        Action("conversation", tr("Conversation"), section, lambda: window.show_page("conversation"), "Ctrl+1"),
        Action("board", tr("Board"), section, lambda: window.show_page("board"), "Ctrl+2", "columns-3"),
        Action("inbox", tr("Needs you"), section, lambda: window.show_page("inbox"), "Ctrl+3", "inbox"),
        Action("oldest_ask", tr("Go to the oldest ask"), section, deeds.oldest_ask, "Alt+N", "inbox", nobody),
        Action(
            "search", tr("Search everywhere"), section, lambda: window.show_page("search"), "Ctrl+Shift+F", "search"
        ),
        Action(
            "settings", tr("Settings"), section, lambda: window.show_page("settings"), "Ctrl+,", "sliders-horizontal"
        ),
        Action("welcome", tr("First start page"), section, lambda: window.show_page("welcome"), "", "users"),
        Action("keys", tr("Keyboard map"), section, deeds.open_keys, "F1", "keyboard"),
    )


def _conversation(window: "MainWindow") -> tuple[Action, ...]:
    deeds, section = window.deeds, tr("Conversation")

    def no_conversation() -> str:
        return "" if window.sessions.conversation() is not None else tr("only in a conversation")

    def no_turn() -> str:
        session_id = window.sessions.current_session()
        record = window.world.session(session_id) if session_id else None
        return "" if record is not None and record.state == "running" else tr("only while a turn runs")

    def nothing_done() -> str:
        return "" if deeds.can_undo() else tr("nothing to take back")

    def find() -> None:
        page = window.sessions.conversation()
        if page is not None:
            page.open_find()

    return (
        Action("find", tr("Find here"), section, find, "Ctrl+F", "search", no_conversation),
        Action("stop_turn", tr("Stop this turn"), section, deeds.stop_turn, "Ctrl+.", "square", no_turn),
        Action(
            "overlay", tr("Sub-agents"), section, deeds.toggle_overlay, "Ctrl+Shift+A", "panel-right", no_conversation
        ),
        Action("undo", tr("Undo"), section, deeds.undo, "Ctrl+Z", "rotate-ccw", nothing_done),
    )


def _tabs(window: "MainWindow") -> tuple[Action, ...]:
    sessions, section = window.sessions, tr("Tabs and panes")

    def none_closed() -> str:
        return "" if sessions.can_reopen() else tr("no tab was closed")

    return (
        Action("next_tab", tr("Next tab"), section, lambda: sessions.walk(1), "Ctrl+Tab"),
        Action("previous_tab", tr("Previous tab"), section, lambda: sessions.walk(-1), "Ctrl+Shift+Tab"),
        Action("close_tab", tr("Close tab"), section, sessions.close, "Ctrl+W", "x"),
        Action("reopen_tab", tr("Reopen tab"), section, sessions.reopen_closed, "Ctrl+Shift+T", "", none_closed),
        Action("split_right", tr("Split right"), section, lambda: sessions.split("row"), "Ctrl+\\", "columns-2"),
        Action("split_down", tr("Split down"), section, lambda: sessions.split("column"), "Ctrl+Shift+\\", "rows-2"),
        Action("next_pane", tr("Next pane"), section, lambda: sessions.walk_panes(1), "Ctrl+Shift+PgDown"),
        Action("previous_pane", tr("Previous pane"), section, lambda: sessions.walk_panes(-1), "Ctrl+Shift+PgUp"),
    )


def _window(window: "MainWindow") -> tuple[Action, ...]:
    deeds, section = window.deeds, tr("Window")
    return (
        Action("sidebar", tr("Sidebar"), section, deeds.toggle_sidebar, "Ctrl+B", "panel-left"),
        Action("next_area", tr("Next area"), section, lambda: deeds.walk_areas(1), "F6"),
        Action("previous_area", tr("Previous area"), section, lambda: deeds.walk_areas(-1), "Shift+F6"),
        Action("larger", tr("Larger text"), section, lambda: deeds.change_font(1), "Ctrl++"),
        Action("smaller", tr("Smaller text"), section, lambda: deeds.change_font(-1), "Ctrl+-"),
        Action("normal_size", tr("Normal text size"), section, lambda: deeds.change_font(0), "Ctrl+0"),
        Action("quit", tr("Quit"), section, lambda: _close(window), "Ctrl+Q"),
    )


def _close(window: "MainWindow") -> None:
    window.close()
