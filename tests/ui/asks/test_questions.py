"""A question set: chips, options, Other, and what is sent."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.asks.stand import Show, Stand, an_ask
from tests.ui.scene import OLD_LINKS, WIDTHS
from ui.theme.theme import theme
from ui.viewmodels.asks import Picked
from ui.widgets.asks import AskPanel
from ui.widgets.asks.option import OptionCard
from ui.widgets.asks.questions import QuestionsForm


def a_set(show: Show, *questions: object, framed: bool = True) -> Stand:
    stand = an_ask(show, "question", framed, questions=list(questions or (WIDTHS, OLD_LINKS)))
    stand.panel.setFocus()
    return stand


def form_of(stand: Stand) -> QuestionsForm:
    assert isinstance(stand.panel.form, QuestionsForm)
    return stand.panel.form


def press(stand: Stand, *keys: str) -> None:
    for each in keys:
        focus = QApplication.focusWidget()
        QTest.keyClicks(focus if focus is not None else stand.panel, each)


def enter(stand: Stand) -> None:
    QTest.keyClick(stand.panel, Qt.Key.Key_Return)


def test_the_set_of_the_picture(show: Show) -> None:
    form = form_of(a_set(show))
    assert [chip.text() for chip in form.chips] == ["Widths", "Old links"]
    names = [card.accessibleName() for card in form.cards]
    assert names == [
        "Desktop, 1200 px and more",
        "Tablet, 768 to 1199 px, recommended",
        "Phone, under 768 px",
        "Other",
    ]
    assert form.cards[0].accessibleDescription() == "Two columns: list and detail"
    assert form.next.text() == "Next question"
    assert not form.next.isEnabled()
    assert form.count.text() == "0 of 2 answered"
    assert not any(card.isChecked() for card in form.cards)


def test_several_are_picked_by_digit_and_enter_goes_on(show: Show) -> None:
    stand = a_set(show)
    form = form_of(stand)
    press(stand, "1", "2")
    assert [card.isChecked() for card in form.cards] == [True, True, False, False]
    assert form.picks.at == 0
    enter(stand)
    assert form.picks.at == 1
    assert form.count.text() == "1 of 2 answered"


def test_a_single_choice_moves_on_and_the_last_never_sends(show: Show) -> None:
    stand = a_set(show, OLD_LINKS, {**OLD_LINKS, "header": "More"})
    form = form_of(stand)
    press(stand, "1")
    assert form.picks.at == 1
    press(stand, "2")
    assert "answer_questions" not in stand.orders.names()
    assert form.next.text() == "Send answers"
    enter(stand)
    picked = stand.orders.last("answer_questions").given["picked"]
    question = str(OLD_LINKS["question"])
    assert picked == (Picked(question, ("Redirect (Recommended)",)), Picked(question, ("Drop",)))


def test_other_is_written_in_place_and_digits_are_text_there(show: Show) -> None:
    stand = a_set(show, OLD_LINKS)
    form = form_of(stand)
    press(stand, "3")
    assert form.other.isVisible()
    assert form.other.hasFocus()
    QTest.keyClicks(form.other, "keep 1 year")
    assert form.next.isEnabled()
    QTest.keyClick(form.other, Qt.Key.Key_Return)
    assert stand.orders.last("answer_questions").given["picked"][0].other == "keep 1 year"


def test_chips_walk_and_show_what_is_answered(show: Show) -> None:
    stand = a_set(show)
    form = form_of(stand)
    press(stand, "1")
    QTest.mouseClick(form.chips[1], Qt.MouseButton.LeftButton)
    assert form.picks.at == 1
    assert form.chips[0]._icon == "check"
    assert form.chips[1]._icon is None
    QTest.mouseClick(form.chips[0], Qt.MouseButton.LeftButton)
    assert form.cards[0].isChecked()


def test_enter_finds_the_question_that_is_left(show: Show) -> None:
    stand = a_set(show)
    form = form_of(stand)
    form.show_question(1)
    press(stand, "1")
    assert form.next.text() == "Next question"
    enter(stand)
    assert form.picks.at == 0


def test_nothing_picked_sends_nothing(show: Show) -> None:
    stand = a_set(show)
    enter(stand)
    assert form_of(stand).picks.at == 0
    assert "answer_questions" not in stand.orders.names()


def test_skip_all_is_pressed_and_has_no_letter_of_its_own(show: Show) -> None:
    stand = a_set(show)
    press(stand, "s")  # on a card it steers
    assert "decline" not in stand.orders.names()
    QTest.mouseClick(form_of(stand).skip_button, Qt.MouseButton.LeftButton)
    assert stand.orders.last().name == "decline"


def test_picks_survive_in_another_place(show: Show) -> None:
    stand = a_set(show)
    press(stand, "1")
    again = AskPanel(stand.panel.ask, stand.world, stand.orders, framed=False, parent=stand.window)
    form = again.form
    assert isinstance(form, QuestionsForm)
    assert form.cards[0].isChecked()
    again.press(2)
    assert form_of(stand).cards[1].isChecked()


def test_options_are_a_group_for_screen_readers(show: Show) -> None:
    stand = a_set(show)
    card = form_of(stand).cards[0]
    assert card.isCheckable()
    press(stand, "1")
    assert card.isChecked()


def test_space_presses_the_option_with_the_focus_and_enter_goes_on(show: Show) -> None:
    stand = a_set(show)
    form = form_of(stand)
    form.cards[2].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(form.cards[2], Qt.Key.Key_Space)
    assert form.picks.is_picked(2)
    QTest.keyClick(form.cards[2], Qt.Key.Key_Return)
    assert form.picks.at == 1


def test_a_long_question_is_never_cut(show: Show) -> None:
    long = "Which of these should it be, considering everything that was said? " * 12
    stand = a_set(show, {**OLD_LINKS, "question": long})
    form = form_of(stand)
    wide, narrow = stand.panel.height_for(700), stand.panel.height_for(360)
    assert narrow > wide
    assert form._question_height(form.inner(360)) >= 12 * theme().line("prose")


def test_an_option_grows_with_its_explanation(show: Show) -> None:
    text = "An explanation that needs more than one line because it says everything there is to say. " * 2
    choices = [{"label": "A", "description": text}, {"label": "B", "description": "short"}]
    form = form_of(a_set(show, {**OLD_LINKS, "options": choices}))
    first, second, *_ = form.cards
    assert isinstance(first, OptionCard)
    assert first.height() > second.height()


def test_hostile_labels_are_safe(show: Show) -> None:
    choices = [{"label": "<b>x</b>\u202e\x1b[31m", "description": ""}, {"label": "B", "description": ""}]
    form = form_of(a_set(show, {**OLD_LINKS, "options": choices}))
    assert form.cards[0].accessibleName() == "<b>x</b>[U+202E]"
