"""The menus of the sidebar: of a row, of a folder, of the filter (design 7.1).

Owns the words and what each entry says to do; a menu is deleted when it closes.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from ui.theme.icons import icon
from ui.viewmodels.sidebar import Filter, Node, SidebarModel
from ui.viewmodels.states import ALIVE, State
from ui.wording import key_text, tr

Wanted = Callable[[str, str], None]
_RESUMES = frozenset({State.FAILED, State.CANCELED, State.INTERRUPTED})


def row_menu(node: Node, model: SidebarModel, own: State, wanted: Wanted, parent: QWidget) -> QMenu:
    """Everything that can be done with a row. `own`: the state of the session itself."""
    menu = _menu(parent)

    def add(name: str, text: str, sign: str, key: str = "") -> None:
        _add(menu, text, sign, key).triggered.connect(lambda: wanted(name, node.key))

    if node.is_folder:
        add("new", tr("New session here"), "plus")
        add("copy_path", tr("Copy path"), "copy")
        return menu
    add("open", tr("Open"), "message-square", "Return")
    add("beside", tr("Open beside"), "columns-2", "O")
    _add_turns(add, own, root=model.is_root(node))
    record = model.record(node)
    if model.is_root(node) and record is not None:
        menu.addSeparator()
        add("unpin" if record.pinned else "pin", tr("Unpin") if record.pinned else tr("Pin"), _pin(record.pinned))
        add("rename", tr("Rename"), "pencil", "F2")
        if record.archived:
            add("unarchive", tr("Take out of the archive"), "archive-restore")
        else:
            add("archive", tr("Archive"), "archive")
        add("copy_id", tr("Copy id"), "copy")
        menu.addSeparator()
        add("delete", tr("Delete"), "trash-2", "Del")
    else:
        menu.addSeparator()
        add("copy_id", tr("Copy id"), "copy")
    return menu


def _add_turns(add: Callable[..., None], own: State, *, root: bool) -> None:
    if own in ALIVE:
        add("stop", tr("Cancel") if own is State.QUEUED else tr("Stop"), "square", "X")
    elif own in _RESUMES and not root:
        add("resume", tr("Resume"), "play", "R")


def _pin(pinned: bool) -> str:
    return "pin-off" if pinned else "pin"


def filter_menu(now: Filter, choose: Callable[[Filter], None], parent: QWidget) -> QMenu:
    """What the tree shows."""
    menu = _menu(parent)
    for text, on, wanted in (
        (tr("Only what is at work or waits"), now.alive, Filter(now.archived, not now.alive, now.outside)),
        (tr("Sessions in terminals"), now.outside, Filter(now.archived, now.alive, not now.outside)),
        (tr("Archived sessions"), now.archived, Filter(not now.archived, now.alive, now.outside)),
    ):
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda _on=False, chosen=wanted: choose(chosen))
    return menu


def _menu(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _add(menu: QMenu, text: str, sign: str, key: str) -> QAction:
    """The key stands behind a tab: the focused tree listens for it, the menu only shows it."""
    action = menu.addAction(icon(sign), f"{text}\t{key_text(key)}" if key else text)
    action.setObjectName(text)
    return action
