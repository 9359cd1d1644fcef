"""Search everywhere: titles and conversations."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QWidget

from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.worlds import a_desk
from ui.orders import Hit
from ui.widgets.sidebar import SearchPage

Show = Callable[[QWidget], None]


class Rig:
    """A search page and what it told."""

    def __init__(self, show: Show) -> None:
        self.world, self.orders = a_desk()
        self.orders.auto = False
        self.page = SearchPage(self.world, self.orders)
        QAbstractItemModelTester(self.page.model, QAbstractItemModelTester.FailureReportingMode.Fatal, self.page.model)
        self.page.resize(900, 600)
        self.told: list[tuple[str, int]] = []
        self.page.open_session.connect(self._session)
        self.page.open_entry.connect(self._entry)
        show(self.page)

    def _session(self, key: str) -> None:
        self.told.append((key, -1))

    def _entry(self, key: str, seq: int) -> None:
        self.told.append((key, seq))

    def search(self, text: str, *hits: Hit) -> None:
        self.orders.hits = hits
        self.page.field.setText(text)
        QTest.keyClick(self.page.field, Qt.Key.Key_Return)
        self.orders.settle()

    def rows(self) -> list[tuple[str, int]]:
        model = self.page.model
        places = [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]
        return [(place.session_id, place.seq) for place in places]


@pytest.fixture
def rig(show: Show) -> Rig:
    return Rig(show)


def test_titles_come_before_places_in_conversations(rig: Rig) -> None:
    rig.search("retry", Hit(m.child_of(s.POLICY), 3, "Edit retry/policy.py"))
    assert rig.rows() == [(s.RETRY, -1), (m.child_of(s.POLICY), -1), (m.child_of(s.POLICY), 3)]
    assert rig.page.said.text() == "3 places"


def test_titles_in_any_script_are_found(rig: Rig) -> None:
    rig.search("时区")
    assert rig.rows() == [(s.LOGIN, -1)]


def test_enter_opens_what_was_found(rig: Rig) -> None:
    rig.search("flaky")
    QTest.keyClick(rig.page.field, Qt.Key.Key_Return)
    assert rig.told == [(s.FLAKY, -1)]


def test_down_goes_into_the_list_and_enter_opens_the_place(rig: Rig) -> None:
    rig.search("cart", Hit(s.FLAKY, 7, "the cart fixture"), Hit(s.TOUR, 2, "a cart"))
    QTest.keyClick(rig.page.field, Qt.Key.Key_Down)
    QTest.keyClick(rig.page.list, Qt.Key.Key_J)
    QTest.keyClick(rig.page.list, Qt.Key.Key_Return)
    assert rig.told == [(s.TOUR, 2)]


def test_a_late_answer_to_an_older_text_is_dropped(rig: Rig) -> None:
    rig.page.field.setText("one")
    QTest.keyClick(rig.page.field, Qt.Key.Key_Return)
    rig.page.field.setText("contrast")
    QTest.keyClick(rig.page.field, Qt.Key.Key_Return)
    older, newer = rig.orders.all("search")
    rig.orders.answer(newer, ())
    rig.orders.answer(older, (Hit(s.TOUR, 1, "one"),))
    assert rig.rows() == [(s.CONTRAST, -1)]


def test_nothing_found_is_said_and_an_empty_field_says_nothing(rig: Rig) -> None:
    rig.search("no such thing")
    assert rig.page.said.text() == "Nothing found"
    rig.search("")
    assert (rig.page.said.text(), rig.rows()) == ("", [])


def test_what_agents_wrote_is_one_safe_line(rig: Rig) -> None:
    rig.search("png", Hit(s.TOUR, 1, "<img src=x>\n\u202egnp.exe\x1b[31m"))
    assert rig.page.model.index(0, 0).data() == "Tour of the demo agent, <img src=x> [U+202E]gnp.exe"
