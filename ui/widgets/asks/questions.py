"""The form of a question set: a head with a chip for each question, options as cards, Other in place (design 7.5).

Owns the picks. A pick of a single choice moves on by itself; the last one never sends by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.asking import Answering, is_recommended, plain_label
from ui.viewmodels.asks import Ask
from ui.viewmodels.states import State
from ui.widgets.asks.form import AskForm
from ui.widgets.controls import Button, CheckMark, Chip, Field, KeyCap, Label
from ui.wording import clean_line, tr


class OptionCard(QWidget):
    """One option: box or radio, title, explanation, key."""

    pressed = Signal()

    def __init__(self, many: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.title, self.text, self.chosen, self.recommended = "", "", False, False
        self.check = CheckMark("", one=not many, parent=self)
        self.check.setAutoExclusive(False)
        self.check.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.check.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.key = KeyCap("", self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_option(self, title: str, text: str, key: str, *, chosen: bool) -> None:
        """Say this."""
        self.recommended = is_recommended(title)
        self.title, self.text, self.chosen = clean_line(plain_label(title), 200), clean_line(text, 400), chosen
        self.check.setChecked(chosen)
        self.check.setAccessibleName(self.title)
        self.key.set_key(key)
        self.key.setVisible(bool(key))
        state = tr("chosen") if chosen else tr("not chosen")
        self.setAccessibleName(f"{self.title}, {state}")
        self.setAccessibleDescription(self.text)
        self.update()

    def height_for(self, width: int) -> int:
        """Title and explanation, padding 8."""
        tall = theme().line("ui") + (theme().line("small") if self.text else 0) + 2 * metrics.OPTION_PAD_V
        pad, box = metrics.OPTION_PAD_H, metrics.CHECK_BOX
        self.check.setGeometry(pad, metrics.OPTION_PAD_V + 2, box, box)
        size = self.key.sizeHint()
        self.key.setGeometry(width - pad - size.width(), metrics.OPTION_PAD_V, size.width(), size.height())
        return tall

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Chosen: tint and accent outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = theme().color("accent.tint" if self.chosen else "bg.surface")
        outline = theme().color("accent.fill" if self.chosen else "border.default")
        box = QRectF(self.rect())
        rounded(painter, box, metrics.RADIUS_6, fill, outline)
        if self.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_6, inside=True)
        left = metrics.OPTION_PAD_H + metrics.CHECK_BOX + 10
        room = QRectF(left, metrics.OPTION_PAD_V, self.width() - left - 48, theme().line("ui"))
        width = draw_text(painter, room, self.title, theme().font("ui", 500), theme().color("text.primary"))
        if self.recommended:
            rest = room.adjusted(width + 8, 0, 0, 0)
            draw_text(painter, rest, tr("recommended"), theme().font("small"), theme().color("accent.text"))
        below = room.translated(0, theme().line("ui"))
        below.setHeight(theme().line("small"))
        draw_text(painter, below, self.text, theme().font("small"), theme().color("text.secondary"))
        painter.end()


class QuestionsForm(AskForm):
    """One question at a time."""

    on_surface = True

    def __init__(self, ask: Ask, framed: bool, parent: QWidget) -> None:
        super().__init__(ask, framed, parent)
        self.state = Answering(ask.questions)
        self.chips = [self._chip(number) for number in range(len(ask.questions))]
        self.cards: list[OptionCard] = []
        self.other = Field(tr("Write your own answer"), parent=self)
        self.other.textChanged.connect(self._wrote)
        self.other.returnPressed.connect(self.go_on)
        self.next = Button("", "filled", key="Enter", parent=self)
        self.skip = Button(tr("Skip all"), parent=self)
        self.count = Label("", "small", "text.muted", parent=self)
        self.next.clicked.connect(self.go_on)
        self.skip.clicked.connect(self.declined)
        self._fill()

    def _chip(self, number: int) -> Chip:
        header = self.ask.questions[number].header or str(number + 1)
        chip = Chip(clean_line(header, 24), checkable=True, parent=self)
        chip.clicked.connect(lambda: self._show(number))
        chip.setVisible(len(self.ask.questions) > 1)
        return chip

    def _show(self, number: int) -> None:
        self.state.at = number
        self._fill()
        self.resized.emit()

    def _fill(self) -> None:
        question = self.state.questions[self.state.at]
        total = len(question.choices) + 1
        for card in self.cards:
            card.setParent(None)
            card.deleteLater()
        self.cards = []
        for number in range(total):
            card = OptionCard(question.many, self)
            card.pressed.connect(lambda chosen=number: self.press(chosen + 1))
            card.show()
            self.cards.append(card)
        self._refresh()

    def _refresh(self) -> None:
        question, at = self.state.questions[self.state.at], self.state.at
        for number, card in enumerate(self.cards):
            is_other = number == len(question.choices)
            title = tr("Other") if is_other else question.choices[number].label
            text = tr("Write your own answer") if is_other else question.choices[number].description
            card.show_option(title, text, str(number + 1) if number < 9 else "", chosen=self.state.is_picked(number))
        self.other.setVisible(at in self.state.writing)
        if self.other.text() != self.state.others.get(at, ""):
            self.other.setText(self.state.others.get(at, ""))
        for number, chip in enumerate(self.chips):
            chip.setChecked(number == at)
            chip.set_icon("check" if self.state.is_answered(number) else None)
        last = self.state.answered >= len(self.chips) or at == len(self.chips) - 1
        self.next.setText(tr("Send answers") if last else tr("Next question"))
        self.next.setEnabled(self.state.answered == len(self.chips) if last else self.state.is_answered(at))
        total = str(len(self.chips))
        self.count.setText(tr("{done} of {all} answered", done=str(self.state.answered), all=total))
        self.update()

    def _wrote(self, text: str) -> None:
        self.state.others[self.state.at] = text
        self._refresh()

    def press(self, digit: int) -> bool:
        """Choose by number."""
        if not self.isEnabled() or not 1 <= digit <= len(self.cards):
            return False
        moves_on = self.state.pick(digit - 1)
        if moves_on:
            self._show(self.state.at + 1)
        else:
            self._refresh()
            if self.state.at in self.state.writing and digit == len(self.cards):
                self.other.setFocus(Qt.FocusReason.OtherFocusReason)
            self.resized.emit()
        return True

    def go_on(self) -> None:
        """Next question, or send when all are answered."""
        if not self.isEnabled():
            return
        if self.state.answered == len(self.chips):
            self.picked.emit(self.state.picked())
        elif self.state.is_answered(self.state.at):
            order = [*range(self.state.at + 1, len(self.chips)), *range(self.state.at)]
            self._show(next(number for number in order if not self.state.is_answered(number)))

    def height_for(self, width: int) -> int:
        """Head 40, padding 16, options 6 apart, foot."""
        left, inner = self.left, max(80, width - self.left - metrics.SPACE_16)
        right = width - 8
        for chip in reversed(self.chips):
            if not chip.isHidden():
                wide = chip.sizeHint().width()
                chip.setGeometry(right - wide, 8, wide, metrics.CHIP)
                right -= wide + 8
        top = metrics.ASK_HEAD + metrics.SPACE_12 + self._question_height(inner) + theme().line("small") + 6
        for card in self.cards:
            tall = card.height_for(inner)
            card.setGeometry(left, top, inner, tall)
            top += tall + metrics.OPTION_GAP
        if not self.other.isHidden():
            self.other.setGeometry(left, top, inner, theme().row(metrics.FIELD))
            top += theme().row(metrics.FIELD) + metrics.OPTION_GAP
        top += 6
        row = theme().row(metrics.BUTTON)
        self.next.setGeometry(left, top, self.next.sizeHint().width(), row)
        self.skip.setGeometry(left + self.next.width() + 8, top, self.skip.sizeHint().width(), row)
        wide = self.count.sizeHint().width()
        self.count.setGeometry(left + inner - wide, top, wide, row)
        return self.place_problem(top + row, inner) + metrics.SPACE_16

    def _question_height(self, inner: int) -> int:
        text = self.state.questions[self.state.at].text
        lines = 1 + int(text_width(clean_line(text, 1000), theme().font("prose", 500)) // max(80, inner))
        return lines * theme().line("prose")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Head on the tint, question, how many may be picked."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        head = QRectF(0, 0, self.width(), metrics.ASK_HEAD)
        painter.save()
        painter.setClipRect(head.adjusted(0, 0, 0, 0))
        tint, outline = theme().color("waiting.tint"), theme().color("waiting.border")
        round_head = head.adjusted(0, 0 if self.framed else -10, 0, 10)
        rounded(painter, round_head, metrics.RADIUS_8, tint, outline if self.framed else None)
        painter.restore()
        hairline(painter, 0, metrics.ASK_HEAD, self.width(), metrics.ASK_HEAD, outline)
        left = float(self.left)
        draw_mark(painter, QRectF(left, 12, 16, 16), State.WAITING, tint)
        count = tr("%n questions", n=len(self.chips))
        room = QRectF(left + 24, 0, self.width(), metrics.ASK_HEAD)
        draw_text(painter, room, count, theme().font("ui", 600), theme().color("text.primary"))
        question = self.state.questions[self.state.at]
        inner = max(80, self.width() - self.left - metrics.SPACE_16)
        tall = self._question_height(inner)
        place = QRectF(left, metrics.ASK_HEAD + metrics.SPACE_12, inner, tall)
        painter.setFont(theme().font("prose", 500))
        painter.setPen(theme().color("text.primary"))
        painter.drawText(place, int(Qt.TextFlag.TextWordWrap.value), clean_line(question.text, 1000))
        hint = QRectF(left, place.bottom(), inner, theme().line("small"))
        words = tr("Pick any number") if question.many else tr("Pick one")
        draw_text(painter, hint, words, theme().font("small"), theme().color("text.secondary"))
        painter.end()
