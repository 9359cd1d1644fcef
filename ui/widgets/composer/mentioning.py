"""Between text and popup: when the @ popup opens, what it lists, and how a choice becomes a mention.

Owns the popup and the list of files of the folder, which is asked for when an `@` is typed, at most every 20 s. Ends
with the composer.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from ui.orders import Orders
from ui.viewmodels.composing import Mention, agent_names
from ui.viewmodels.mentions import Mentionable
from ui.viewmodels.world import World
from ui.widgets.composer.editor import Editor
from ui.widgets.composer.mention_popup import MentionPopup

_FRESH_MS = 20_000


class Mentioning(QObject):
    """`take_key` is asked for each key of the text first."""

    def __init__(
        self,
        editor: Editor,
        world: World,
        orders: Orders,
        signed_out: Callable[[str], bool],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._anchor: QWidget = editor
        self._world, self._orders = world, orders
        self._session: str | None = None
        self._folder = ""
        self._asked: tuple[str, int] = ("", 0)
        self._dismissed = False
        self._signed_out = signed_out
        self.held = Mentionable()
        self.popup = MentionPopup(self.held, parent)
        parent.destroyed.connect(self.popup.deleteLater)  # while open it belongs to the window
        self.popup.chosen.connect(self._choose)
        self.popup.dismissed.connect(self._dismiss)
        editor.query_changed.connect(self._query)
        editor.focus_changed.connect(self._focus)

    def set_anchor(self, anchor: QWidget) -> None:
        """What the popup stands over."""
        self._anchor = anchor

    def set_place(self, session_id: str | None, folder: str) -> None:
        """Whose composer it is, and where its files are."""
        if folder != self._folder:
            self.held.take_files(())
        self._session, self._folder = session_id, folder

    def take_key(self, event: QKeyEvent) -> bool:
        """The popup's keys; a space after an agent's whole name makes it a mention."""
        if self.popup.take_key(event):
            return True
        query = self._editor.query
        if event.key() != Qt.Key.Key_Space or event.modifiers() or not query or self._dismissed:
            return False
        mention = agent_names(self._world.agents()).get(query.casefold())
        if mention is None:
            return False
        self._choose(mention)
        return True

    def begin(self) -> None:
        """As if an @ were typed."""
        before = self._editor.text_before()
        self._editor.type_text("@" if not before or before[-1].isspace() else " @")

    def _query(self, query: str | None) -> None:
        if query is None:
            self._dismissed = False
            self.popup.hide()
        elif not self._dismissed and self._editor.hasFocus() and not self._editor.isReadOnly():
            if not self.popup.isVisible():
                self._gather()
            self.popup.show_query(query, self._anchor)

    def _gather(self) -> None:
        self.held.take_agents(self._world.agents(), self._signed_out)
        self.held.take_sessions(self._world, self._session)
        now = self._world.now_ms()
        folder, at = self._asked
        if self._folder and (folder != self._folder or now - at > _FRESH_MS):
            self._asked = (self._folder, now)
            asked = self._folder
            self._orders.files(asked, lambda paths: self._take_files(asked, paths))

    def _take_files(self, folder: str, paths: tuple[str, ...]) -> None:
        if folder == self._folder:
            self.held.take_files(paths)
            self.popup.refresh()

    def _choose(self, mention: Mention) -> None:
        self._editor.insert_mention(mention)
        self.popup.hide()

    def _dismiss(self) -> None:
        self._dismissed = True

    def _focus(self, focused: bool) -> None:
        if not focused:
            self.popup.hide()
