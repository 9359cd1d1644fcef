"""The form of a permission: question and reason, the command or change whole, where, and each option a button.

Owns its parts. All options weigh the same and none is chosen beforehand; hidden characters are shown and said.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.asking import Matter, matter_of
from ui.viewmodels.asks import Ask, AskDetail, AskOption
from ui.viewmodels.states import State
from ui.widgets.asks.form import AskForm, Flow
from ui.widgets.controls import Button, Field, Label, ScrollColumn
from ui.widgets.text import DiffView
from ui.widgets.text.clean import broken, clean, has_marks
from ui.widgets.text.code import PlainText
from ui.wording import clean_line, tr

BOX_LINES, DIFF_MOST = 8, 240


class PermissionForm(AskForm):
    """One row of buttons below what it is about."""

    def __init__(self, ask: Ask, framed: bool, parent: QWidget) -> None:
        super().__init__(ask, framed, parent)
        self.matter: Matter = matter_of(ask, None)
        self.box = PlainText("code", self)
        self.diffs: list[DiffView] = []
        self.diff_room = ScrollColumn("bg.surface", self)
        self.hidden = Label(
            tr("Hidden or direction-changing characters are shown as codes."), "small", wrap=True, parent=self
        )
        self.where = Label("", "small", "text.secondary", parent=self)
        self.note = Field(tr("Why not? Your note goes to the agent."), parent=self)
        self.note.hide()
        self.note.returnPressed.connect(self._send_note)
        self.options = [self._button(number, option) for number, option in enumerate(ask.options)]
        self.with_note = self._note_button(len(ask.options))
        self._box_rect = QRectF()
        self._fill()

    def _button(self, number: int, option: AskOption) -> Button:
        button = Button(clean_line(option.name, 120), key=str(number + 1) if number < 9 else None, parent=self)
        lasting = {
            "allow_always": tr("Also the next times, as the agent defines it."),
            "reject_always": tr("Also the next times, as the agent defines it."),
        }
        button.setToolTip(lasting.get(option.kind, tr("This once.")))
        button.clicked.connect(lambda: self.option_chosen.emit(option.option_id, ""))
        return button

    def _note_button(self, number: int) -> Button | None:
        if not any(option.kind == "reject_once" for option in self.ask.options):
            return None
        button = Button(tr("Reject with a note"), "ghost", key=str(number + 1) if number < 9 else None, parent=self)
        button.clicked.connect(self._open_note)
        return button

    def _open_note(self) -> None:
        self.note.setVisible(self.note.isHidden())
        if not self.note.isHidden():
            self.note.setFocus(Qt.FocusReason.OtherFocusReason)
        self.resized.emit()

    def _send_note(self) -> None:
        rejection = next((o for o in self.ask.options if o.kind == "reject_once"), None)
        if rejection is not None:
            self.option_chosen.emit(rejection.option_id, self.note.text())

    def press(self, digit: int) -> bool:
        """By number; the last is the note."""
        buttons = [*self.options, *([self.with_note] if self.with_note is not None else [])]
        if not self.isEnabled() or not 1 <= digit <= len(buttons):
            return False
        buttons[digit - 1].click()
        return True

    def show_detail(self, detail: AskDetail) -> None:
        """The command or the change."""
        self.matter = matter_of(self.ask, detail)
        self._fill()

    def _fill(self) -> None:
        matter = self.matter
        self.box.setPlainText(broken(clean(matter.command)))
        self.box.setVisible(bool(matter.command))
        self.box.setAccessibleName(matter.command)
        self.hidden.setVisible(has_marks(matter.command))
        self.where.setText(tr("in {folder}", folder=clean_line(matter.where, 300)) if matter.where else "")
        self.where.setVisible(bool(matter.where))
        for view in self.diffs:
            view.setParent(None)
            view.deleteLater()
        self.diffs = []
        for diff in matter.diffs[:20]:
            view = DiffView()
            view.show_diff(diff)
            view.resized.connect(self.resized)
            self.diff_room.column.addWidget(view)
            self.diffs.append(view)
        self.diff_room.setVisible(bool(self.diffs))
        self.update()

    def _width(self, width: int) -> int:
        return max(80, width - self.left - metrics.ASK_PAD_RIGHT)

    def height_for(self, width: int) -> int:
        """10 above, 12 below; the box at most 8 lines with a scroll, never cut."""
        inner = self._width(width)
        top = metrics.ASK_PAD_TOP + theme().line("ui") * self._question_lines(inner) + 6
        if not self.box.isHidden():
            lines = min(BOX_LINES, self.box.document().blockCount())
            wide = self.box.document().idealWidth() > inner - 2 * metrics.ASK_BOX_PAD_H
            bar = metrics.SCROLL_BAR if wide else 0
            tall = round(lines * self.box.line_px()) + 2 + bar
            long = self.box.document().blockCount() > BOX_LINES
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if long else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.box.setVerticalScrollBarPolicy(policy)
            self._box_rect = QRectF(self.left, top, inner, tall + 2 * metrics.ASK_BOX_PAD_V)
            pad = metrics.ASK_BOX_PAD_H
            self.box.setGeometry(self.left + pad, top + metrics.ASK_BOX_PAD_V, inner - 2 * pad, tall)
            top += tall + 2 * metrics.ASK_BOX_PAD_V + 4
        if not self.diff_room.isHidden():
            tall = min(DIFF_MOST, sum(view.wanted_height() + 8 for view in self.diffs))
            self.diff_room.setGeometry(self.left, top, inner, tall)
            top += tall + 4
        for label in (self.hidden, self.where):
            if not label.isHidden():
                label.setGeometry(self.left, top, inner, theme().line("small"))
                top += theme().line("small") + 2
        return self._place_buttons(top + 6, inner) + metrics.ASK_PAD_BOTTOM

    def _place_buttons(self, top: int, inner: int) -> int:
        flow = Flow(self.left, top, inner, theme().row(metrics.BUTTON))
        for button in [*self.options, *([self.with_note] if self.with_note is not None else [])]:
            flow.put(button)
        top = flow.bottom
        if not self.note.isHidden():
            self.note.setGeometry(self.left, top + 8, inner, theme().row(metrics.FIELD))
            top += theme().row(metrics.FIELD) + 8
        return self.place_problem(top, inner)

    def _question_lines(self, inner: int) -> int:
        wide = text_width(self.matter.question, theme().font("ui", 600)) + text_width(
            self.matter.reason, theme().font("ui")
        )
        return 2 if self.matter.reason and wide + 40 > inner else 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc folds the note; the panel has the rest."""
        if event.key() == Qt.Key.Key_Escape and not self.note.isHidden():
            self._open_note()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Question, reason, box."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, top, left = theme().line("ui"), metrics.ASK_PAD_TOP, float(self.left)
        inner = self._width(self.width())
        if self.framed:
            draw_mark(painter, QRectF(left, top + 2, 16, 16), State.WAITING, theme().color("waiting.tint"))
            left += 24
        strong, plain = theme().font("ui", 600), theme().font("ui")
        room = QRectF(left, top, self.left + inner - left, line)
        width = draw_text(painter, room, self.matter.question, strong, theme().color("text.primary"))
        below = self._question_lines(inner) > 1
        rest = QRectF(self.left, top + line, inner, line) if below else room.adjusted(width + 8, 0, 0, 0)
        draw_text(painter, rest, self.matter.reason, plain, theme().color("text.secondary"))
        if not self.box.isHidden():
            outline = theme().color("border.default")
            rounded(painter, self._box_rect, metrics.RADIUS_6, theme().color("bg.surface"), outline)
        painter.end()
