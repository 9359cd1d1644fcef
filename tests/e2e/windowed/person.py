"""A person at the real desktop: starts it, looks at it, and acts through the hand only.

Owns one `Desktop` at a time, built as `codeg` builds it, with its host and real agent processes. Reads widgets to see
what a person would see; never calls what a hand could do. Ends with `leave`, or by `close` whatever happened.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.e2e.rig import processes_with
from tests.e2e.windowed import hand
from ui.desktop import Desktop
from ui.desktop_questions import WindowFace
from ui.viewmodels.overlay import SubAgent
from ui.viewmodels.rows import MessageRow
from ui.viewmodels.states import State
from ui.widgets.cards import DelegationCard
from ui.widgets.controls import Button
from ui.workspace.conversation import Conversation
from ui.workspace.panels import Scrim
from ui.workspace.window import MainWindow

PATIENCE = 15_000
STILL = 8
"""Looks, 10 ms apart, at which a thing must lie in the same place."""
HEAD = QPoint(20, 18)
"""On the chevron of a card."""
ENDS_MS = 8_000


class Person:
    """`home`: the program's; `folder`: where work is done; `mark`: every process started carries it."""

    def __init__(self, qtbot: QtBot, home: Path, folder: Path, mark: str) -> None:
        self._qtbot, self.home, self.folder = qtbot, home, folder
        self._mark = mark.encode()
        self.codes: list[int] = []
        self._desktop: Desktop | None = None

    # ---- start and end

    def start(self) -> MainWindow:
        """Open the program and wait for its main window, as it was left."""
        window = self.begin_over_a_host()
        bridge = self.desktop.bridge
        self.until(lambda: bridge is not None and bridge.is_open, "the host")
        return window

    def begin_over_a_host(self) -> MainWindow:
        """Open the program and wait for its main window: there may be a question on it."""
        desktop = self._desktop = Desktop(str(self.home))
        self.codes = []
        desktop.finished.connect(self.codes.append)
        desktop.show()
        self.until(lambda: desktop.opening is None and self.window.isActiveWindow(), "the main window")
        return self.window

    def ends(self) -> None:
        """The program comes to its end in time, in order, and leaves no process."""
        desktop = self._desktop
        assert desktop is not None
        self.until(lambda: self.codes == [0], "the end", ENDS_MS)
        assert desktop.end(), "the host ended in order"
        self._desktop = None
        self.until(lambda: not self.processes(), "no process left")

    def quit(self) -> None:
        """Ctrl+Q, with nothing running."""
        self.until(lambda: not self.window.world.live_tasks(), "nothing that would be asked about")
        hand.key("ctrl+q")
        self.ends()

    def choose(self, word: str) -> None:
        """Press a button of the question over the window."""
        self.until(lambda: self.scrim() is not None, "the question")
        scrim = self.scrim()
        assert scrim is not None
        self.click_word(scrim, word)

    def close(self) -> None:
        """After a test that failed, too."""
        desktop, self._desktop = self._desktop, None
        if desktop is not None:
            desktop.quit()
            desktop.end()

    def processes(self) -> list[tuple[int, str]]:
        """Everything that the program started and that still runs."""
        return list(processes_with(self._mark))

    # ---- waiting and looking

    def until(self, seen: Callable[[], object], what: str, patience: int = PATIENCE) -> None:
        """Wait for something to be seen."""

        def look() -> bool:
            return bool(seen())

        try:
            self._qtbot.waitUntil(look, timeout=patience)
        except Exception as error:
            self.picture(what)
            raise AssertionError(f"never seen: {what}") from error

    def picture(self, name: str) -> None:
        """What the screen shows, for whoever looks into a failure."""
        folder = os.environ.get("CODEG_SHOTS")
        if folder and self._desktop is not None and self._desktop.face is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.window.grab().save(str(Path(folder, f"{name.replace(' ', '-').replace('/', '-')}.png")))

    @property
    def desktop(self) -> Desktop:
        """The one that runs."""
        assert self._desktop is not None
        return self._desktop

    @property
    def window(self) -> MainWindow:
        """The main window."""
        face = self.desktop.face
        assert isinstance(face, WindowFace)
        return face.window

    @property
    def talk(self) -> Conversation:
        """The conversation with the focus."""
        page = self.window.sessions.conversation()
        assert page is not None
        return page

    def focus(self) -> QWidget | None:
        """What has the keyboard."""
        return QApplication.focusWidget()

    def composer_has_focus(self) -> bool:
        """What is typed goes to the agent of the conversation that shows."""
        page = self.window.sessions.conversation()
        return page is not None and page.composer.editor.hasFocus()

    def scrim(self) -> Scrim | None:
        """The question over the window."""
        found = self.window.findChildren(Scrim)
        return next((scrim for scrim in found if scrim.isVisible()), None)

    def last_words(self) -> str:
        """What the agent said last in the conversation that shows."""
        transcript = self.talk.transcript
        rows = [transcript.row_at(number) for number in range(transcript.rowCount())]
        return next((row.text for row in reversed(rows) if isinstance(row, MessageRow)), "")

    # ---- cards

    def cards(self, within: QWidget | None = None) -> list[DelegationCard]:
        """Cards that show, outer ones first, from the top."""
        feed = within if within is not None else self.talk.feed
        found = [card for card in feed.findChildren(DelegationCard) if isValid(card) and card.isVisible() and card.face]
        return sorted(found, key=lambda card: (card.mapTo(feed, QPoint(0, 0)).y(), card.stand.depth))

    def card(self, title: str, within: QWidget | None = None) -> DelegationCard | None:
        """The card of the child with this task."""
        found = (card for card in self.cards(within) if card.face is not None and card.face.title == title)
        return next(found, None)

    def the_card(self, title: str) -> DelegationCard:
        """It shows."""
        card = self.card(title)
        assert card is not None, f"a card {title!r} among {[c.face.title for c in self.cards() if c.face]}"
        return card

    def state(self, title: str) -> State | None:
        """What the card's badge says."""
        card = self.card(title)
        return card.face.state if card is not None and card.face is not None else None

    def sees(self, title: str, state: State, patience: int = PATIENCE) -> DelegationCard:
        """Wait until a card is in a state."""
        self.until(lambda: self.state(title) is state, f"{title} {state.name}", patience)
        return self.the_card(title)

    def offers(self, title: str, action: str) -> bool:
        """A button of a card."""
        card = self.card(title)
        return card is not None and card.head.strip.button(action) is not None

    def the_button(self, title: str, action: str) -> QWidget:
        """It shows."""
        button = self.the_card(title).head.strip.button(action)
        assert button is not None, f"{action} of {title}"
        return button

    def press(self, title: str, action: str) -> None:
        """Click a button of a card."""
        self.until(
            lambda: self.offers(title, action) and self.the_button(title, action).isEnabled(), f"{action} of {title}"
        )
        self.click(lambda: self.the_button(title, action))

    def lanes(self) -> dict[str, State]:
        """Titles and states in the panel of sub-agents."""
        model = self.talk.overlay.model
        rows = [model.row_at(number) for number in range(model.rowCount())]
        return {row.title: row.state for row in rows if isinstance(row, SubAgent)}

    def click_lane(self, title: str) -> None:
        """Click a row of that panel."""
        rows, model = self.talk.overlay.rows, self.talk.overlay.model
        titles = [str(model.index(number, 0).data()) for number in range(model.rowCount())]
        place = rows.visualRect(model.index(titles.index(title), 0))
        self.click(rows.viewport, place.center())

    def tree_states(self) -> dict[str, State]:
        """Titles and states of all rows of the sidebar, unfolded or not."""
        model = self.window.sidebar.model
        found: dict[str, State] = {}
        for record in self.window.world.sessions():
            node = model.node_of(model.index_of(record.session_id))
            if node is not None:
                found[model.title(node)] = model.state(node)
        return found

    # ---- acting

    def click(self, find: Callable[[], QWidget], at: QPoint | None = None) -> None:
        """Click what is found, once it lies still: nobody hits what still moves."""
        held: list[tuple[bool, QPoint]] = []

        def still() -> bool:
            widget = find()
            held.append((widget.isVisible(), hand.place_of(widget, at)))
            return len(held) > STILL and held[-1][0] and len(set(map(repr, held[-STILL:]))) == 1

        self.until(still, "something that lies still")
        hand.click(find(), at)

    def unfold(self, title: str) -> DelegationCard:
        """Click a card's head, and see it open."""
        self.click(lambda: self.the_card(title).head, HEAD)
        self.until(lambda: self.the_card(title).is_open(), f"{title} unfolded")
        return self.the_card(title)

    def begin(self, prompt: str) -> None:
        """A new session by keyboard; it is sent, and its page has the focus."""
        before = {record.session_id for record in self.window.world.sessions()}
        hand.key("ctrl+n")
        self.until(lambda: self.typed() == "", "an empty form")
        self.write(prompt)
        hand.key("Return")

        def begun() -> bool:
            page = self.window.sessions.conversation()
            return page is not None and page.session_id not in before

        self.until(begun, "the new conversation")

    def say(self, prompt: str) -> None:
        """Send a prompt in the conversation that shows."""
        self.click(lambda: self.talk.composer.editor)
        self.until(self.composer_has_focus, "the composer's caret")
        self.write(prompt)
        hand.key("Return")
        self.until(lambda: self.typed() == "", "the prompt taken")

    def open_from_the_sidebar(self, title: str) -> None:
        """Click a row of the tree."""
        tree, model = self.window.sidebar.tree, self.window.sidebar.model
        found = (
            record for record in self.window.world.sessions() if self.window.world.title_of(record.session_id) == title
        )
        session_id = next(found).session_id
        self.click(tree.viewport, tree.visualRect(model.index_of(session_id)).center())
        self.until(lambda: self.window.sessions.current_session() == session_id, f"{title} opened")

    def write(self, text: str) -> None:
        """Type into the composer that has the focus, and see it there. A popup of names never swallows the text."""
        hand.write(text)
        self.until(lambda: self.typed() == text.strip(), f"typed {text!r}; there is {self.typed()!r}")

    def typed(self) -> str | None:
        """What the composer with the focus holds; None = no composer has it."""
        page = self.window.sessions.page()
        composer = getattr(page, "composer", None)
        if composer is None or not composer.editor.hasFocus():
            return None
        return str(composer.text()).strip()

    def click_word(self, within: QWidget, word: str) -> None:
        """Click the button with this text."""
        self.click(lambda: self.button(within, word))

    def button(self, within: QWidget, word: str) -> Button:
        """The button with this text."""
        found = [button for button in within.findChildren(Button) if button.isVisible() and button.text() == word]
        assert found, f"a button {word!r} among {_texts(within.findChildren(Button))}"
        return found[0]


def _texts(buttons: Iterable[Button]) -> list[str]:
    return [button.text() for button in buttons if button.isVisible()]
