"""A composer on a window, with a world and orders to answer: what the tests of this folder share."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from codeg.api import Change, ConfigOption, RootFacts, SessionChanged, TurnFinished, TurnResult, TurnUsage
from tests.ui import scene
from tests.ui.worlds import a_desk
from ui.viewmodels.view_state import ViewState
from ui.widgets.composer import Composer

MODES = (("ask", "Ask first"), ("auto", "Edit freely"))
MODEL = ConfigOption("model", "Model", "model", "large", (("large", "Large model"), ("small", "Small model")))
THINK = ConfigOption("think", "Thinking", "thought_level", "high", (("low", "Low"), ("high", "High")))
FACTS = RootFacts(MODES, "ask", TurnUsage(), "", 0, (MODEL, THINK), (), True)


class Desk:
    """`room` is the window; `composer` stands at its lower edge."""

    def __init__(self, session_id: str | None, width: int = 700, view: ViewState | None = None, **more: Any) -> None:
        self.world, self.orders = a_desk()
        self.orders.files_held = ("services/payments/config.py", "tests/clients/contract_test.py", "README.md")
        if session_id is not None:
            self.orders.facts_held[session_id] = more.pop("facts", FACTS)
        self.view = view or ViewState()
        self.session = session_id
        self.room = QWidget()
        self.composer = Composer(session_id, self.world, self.orders, self.view, self.room, **more)
        column = QVBoxLayout(self.room)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch(1)
        column.addWidget(self.composer)
        self.room.resize(width, 600)

    def type(self, text: str) -> None:
        """Key by key."""
        QTest.keyClicks(self.composer.editor, text)

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key in the text."""
        QTest.keyClick(self.composer.editor, key, held)

    def tell(self, *what: Any) -> None:
        """The host tells it."""
        self.world.apply([Change(number, each) for number, each in enumerate(what)])

    def state(self, state: str) -> None:
        """The session stands otherwise."""
        record = self.world.session(self.session or "")
        assert record is not None
        self.tell(SessionChanged(replace(record, state=state)))

    def turn_ends(self, reason: str = "end_turn", code: str = "") -> None:
        """The turn is over."""
        self.state("idle")
        result = None if code else TurnResult(reason, "done", 0, TurnUsage())
        self.tell(TurnFinished(self.session or "", result, code, "why"))


Show = Callable[[QWidget], None]
RUNNING, IDLE = scene.RETRY, scene.FLAKY
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ENTER, UP, DOWN, ESC, BACK = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Backspace,
)
