"""The form of a question set: a head with a chip for each question, options as cards, Other in place (design 7.5).

Owns its parts; the picks are the desk's, so that they are the same wherever the set shows. A pick of a single choice
moves on by itself; the last one never sends by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, hairline, rounded
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import AskDesk
from ui.viewmodels.asking import Answering
from ui.viewmodels.asks import Ask
from ui.viewmodels.states import State
from ui.widgets.asks.form import AskForm
from ui.widgets.asks.option import OptionCard
from ui.widgets.controls import Button, Chip, Field, Label
from ui.widgets.mirror import put, turned
from ui.widgets.text.clean import clean
from ui.wording import clean_line, tr

_TEXT_MOST = 4_000
_MARK_ROOM = metrics.MARK + metrics.SPACE_8


class QuestionsForm(AskForm):
    """One question at a time."""

    def __init__(self, ask: Ask, desk: AskDesk, who: str, framed: bool, parent: QWidget) -> None:
        super().__init__(ask, desk, who, framed, parent)
        self.chips = [self._chip(number) for number in range(len(ask.questions))]
        self.cards: list[OptionCard] = []
        self._shown_at = -1
        self.other = Field(tr("Write your own answer"), parent=self)
        self.other.textEdited.connect(self._wrote)
        self.other.returnPressed.connect(self.go_on)
        self.next = Button("", "filled", key="Enter", parent=self)
        self.skip_button = Button(tr("Skip all"), parent=self)
        self.count = Label("", "small", "text.muted", parent=self)
        self.next.clicked.connect(self.go_on)
        self.skip_button.clicked.connect(self.skip)
        self.refresh()

    @property
    def picks(self) -> Answering:
        """What was picked so far, and which question shows."""
        return self.desk.draft(self.ask)

    def _chip(self, number: int) -> Chip:
        header = clean_line(self.ask.questions[number].header, 24) or str(number + 1)
        chip = Chip(header, checkable=True, parent=self)
        chip.clicked.connect(lambda: self.show_question(number))
        chip.setVisible(len(self.ask.questions) > 1)
        return chip

    # ---- what it says

    def show_question(self, number: int) -> None:
        """Show another one."""
        self.picks.at = number
        self.tell()
        self.resized.emit()

    def tell(self) -> None:
        """The picks are others: wherever the set shows."""
        self.desk.changed.emit(self.ask.request_id)

    def refresh(self) -> None:
        """As the desk says."""
        super().refresh()
        picks = self.picks
        if self._shown_at != picks.at:
            self._make_cards()
        question, at = picks.questions[picks.at], picks.at
        for number, card in enumerate(self.cards):
            is_other = number == len(question.choices)
            title = tr("Other") if is_other else question.choices[number].label
            text = tr("Write your own answer") if is_other else question.choices[number].description
            card.show_option(title, text, str(number + 1) if number < 9 else "", chosen=picks.is_picked(number))
        self.other.setVisible(at in picks.writing)
        if self.other.text() != picks.others.get(at, ""):
            self.other.setText(picks.others.get(at, ""))
        self._refresh_foot()
        self.update()

    def _refresh_foot(self) -> None:
        picks, total = self.picks, len(self.chips)
        for number, chip in enumerate(self.chips):
            chip.setChecked(number == picks.at)
            chip.set_icon("check" if picks.is_answered(number) else None)
        sends = total in {1, picks.answered}
        self.next.setText(tr("Send answers") if sends else tr("Next question"))
        self.next.setEnabled(picks.is_answered(picks.at))
        self.count.setText(tr("{done} of {all} answered", done=str(picks.answered), all=str(total)))
        self.count.setVisible(total > 1)

    def _make_cards(self) -> None:
        question = self.picks.questions[self.picks.at]
        self._shown_at = self.picks.at
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for number in range(len(question.choices) + 1):
            card = OptionCard(not question.many, self)
            card.clicked.connect(lambda _checked=False, digit=number + 1: self.press(digit))
            card.show()
            self.cards.append(card)
        after: QWidget = self.chips[-1]
        for part in (*self.cards, self.other, self.next, self.skip_button):
            QWidget.setTabOrder(after, part)
            after = part

    # ---- picks

    def press(self, digit: int) -> bool:
        """Choose by number."""
        if not self.isEnabled() or not 1 <= digit <= len(self.cards):
            return False
        picks = self.picks
        had_focus = any(card.hasFocus() for card in self.cards)
        moves_on = picks.pick(digit - 1)
        if moves_on:
            picks.at += 1
        self.tell()
        self.resized.emit()
        if picks.at in picks.writing and digit == len(self.cards) and not moves_on:
            self.other.setFocus(Qt.FocusReason.OtherFocusReason)
        elif moves_on and had_focus:
            self.cards[0].setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def go_on(self) -> bool:
        """Next question, or send when all are answered."""
        picks = self.picks
        if not self.isEnabled() or not picks.is_answered(picks.at):
            return False
        if picks.answered == len(self.chips):
            self.desk.send(self.ask)
            return True
        order = [*range(picks.at + 1, len(self.chips)), *range(picks.at)]
        self.show_question(next(number for number in order if not picks.is_answered(number)))
        return True

    def skip(self) -> None:
        """Answer none of them."""
        self.desk.decline(self.ask)

    def _wrote(self, text: str) -> None:
        self.picks.others[self.picks.at] = text
        self.tell()

    # ---- places

    def height_for(self, width: int) -> int:
        """Head 40, padding 16, options 6 apart, foot."""
        inner = self.inner(width)
        at, middle = width - metrics.SPACE_8, self._head() / 2
        for chip in reversed(self.chips):
            if not chip.isHidden():
                size = chip.sizeHint()
                put(chip, at - size.width(), middle - size.height() / 2, size.width(), size.height())
                at -= size.width() + metrics.SPACE_8
        top = self._head() + metrics.SPACE_12 + self._question_height(inner) + theme().line("small") + metrics.INNER_6
        for card in self.cards:
            tall = card.height_for(inner)
            put(card, self.left, top, inner, tall)
            top += tall + metrics.OPTION_GAP
        if not self.other.isHidden():
            tall = self.other.sizeHint().height()
            put(self.other, self.left, top, inner, tall)
            top += tall + metrics.OPTION_GAP
        return self._place_foot(top + metrics.INNER_6, width) + metrics.SPACE_12

    def _place_foot(self, top: int, width: int) -> int:
        at, row, inner = self.left, theme().row(metrics.BUTTON), self.inner(width)
        for button in (self.next, self.skip_button):
            wide = button.sizeHint().width()
            put(button, at, top, wide, row)
            at += wide + metrics.SPACE_8
        wide = self.count.sizeHint().width()
        put(self.count, self.left + inner - wide, top, wide, row)
        return self.place_problem(top + row, width)

    @staticmethod
    def _head() -> int:
        return theme().row(metrics.ASK_HEAD)

    def _question(self) -> str:
        return clean(self.picks.questions[self.picks.at].text)[:_TEXT_MOST].strip()

    def _question_height(self, inner: int) -> int:
        return paragraph_height(self._question(), "prose", inner, 500)

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Head on the tint, question, how many may be picked."""
        painter = QPainter(self)
        head = self._head()
        self._paint_head(painter, QRectF(0, 0, self.width(), head))
        inner = self.inner(self.width())
        place = QRectF(self.left, head + metrics.SPACE_12, inner, self._question_height(inner))
        draw_paragraph(painter, turned(self, place), self._question(), "prose", theme().color("text.primary"), 500)
        many = self.picks.questions[self.picks.at].many
        hint = QRectF(self.left, place.bottom(), inner, theme().line("small"))
        words = tr("Pick any number") if many else tr("Pick one")
        draw_text(painter, turned(self, hint), words, theme().font("small"), theme().color("text.secondary"))
        painter.end()

    def _paint_head(self, painter: QPainter, head: QRectF) -> None:
        tint, outline = theme().color("waiting.tint"), theme().color("waiting.border")
        painter.save()
        painter.setClipRect(head)
        reach = metrics.RADIUS_8
        whole = head.adjusted(0, 0, 0, reach) if self.framed else head.adjusted(0, -reach, 0, reach)
        rounded(painter, whole, metrics.RADIUS_8, tint, outline if self.framed else None)
        painter.restore()
        hairline(painter, 0, head.bottom() - 1, head.width(), head.bottom() - 1, outline)
        side = metrics.MARK
        mark = QRectF(self.left, head.center().y() - side / 2, side, side)
        draw_mark(painter, turned(self, mark), State.WAITING, tint)
        room = QRectF(self.left + _MARK_ROOM, 0, head.width() / 2, head.height())
        count = tr("%n questions", n=len(self.chips))
        draw_text(painter, turned(self, room), count, theme().font("ui", 600), theme().color("text.primary"))
