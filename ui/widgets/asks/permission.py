"""The form of a permission: question and reason, the command or change whole, where, and each option a button.

Owns its parts. All options weigh the same and none is chosen beforehand; hidden characters are shown, and said.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, text_width
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import AskDesk
from ui.viewmodels.asking import Matter, hides, lasting, matter_of, wish_of
from ui.viewmodels.asks import Ask, AskOption
from ui.viewmodels.cards import Piece, pieces
from ui.viewmodels.rows import ToolRow
from ui.viewmodels.states import State
from ui.widgets.asks.command import CommandBox
from ui.widgets.asks.flow import Flow
from ui.widgets.asks.form import AskForm
from ui.widgets.asks.pieces import draw_pieces, pieces_width
from ui.widgets.controls import Button, Field, set_tip
from ui.widgets.feed.views.tool_body import ToolBody
from ui.widgets.mirror import put, turned
from ui.wording import clean_line, tr

_GAP, _BUTTONS_ABOVE = metrics.INNER_6, metrics.INNER_10
_MARK_ROOM = metrics.MARK + metrics.SPACE_8


class PermissionForm(AskForm):
    """One row of buttons below what it is about."""

    def __init__(self, ask: Ask, desk: AskDesk, who: str, framed: bool, parent: QWidget) -> None:
        super().__init__(ask, desk, who, framed, parent)
        self.matter = Matter()
        self.box = CommandBox(self)
        self.changes: ToolBody | None = None
        self.lines: list[tuple[QRectF, tuple[Piece, ...]]] = []
        self.options = [self._button(number, option) for number, option in enumerate(ask.options, start=1)]
        self.rejection = next((option for option in ask.options if option.kind == "reject_once"), None)
        self.with_note = self._note_button(len(ask.options) + 1)
        self.note = Field(self.note_hint(), parent=self)
        self.note.setText(desk.note(ask.request_id))
        self.note.setVisible(bool(self.note.text()))
        self.note.textEdited.connect(self._keep_note)
        self.note.returnPressed.connect(self.reject_with_note)
        self.refresh()

    # ---- words

    def note_word(self) -> str:
        """What the button for a note is called."""
        return tr("Reject with a note")

    def note_hint(self) -> str:
        """What belongs into the field."""
        return tr("What should it do instead?")

    def _button(self, number: int, option: AskOption) -> Button:
        button = Button(clean_line(option.name, 120) or option.kind, key=_key(number), parent=self)
        set_tip(button, lasting(option.kind) or tr("Holds this once."))
        button.clicked.connect(lambda: self.desk.choose(self.ask, option))
        return button

    def _note_button(self, number: int) -> Button | None:
        if self.rejection is None:
            return None
        kind = "ghost" if type(self) is PermissionForm else "outlined"
        button = Button(self.note_word(), kind, key=_key(number), parent=self)
        button.clicked.connect(self.open_note)
        return button

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All of them, in the order of their keys."""
        return (*self.options, *((self.with_note,) if self.with_note is not None else ()))

    # ---- what it says

    def refresh(self) -> None:
        """The command or the change."""
        super().refresh()
        matter = matter_of(self.ask, self.desk.detail(self.ask.request_id))
        if matter == self.matter:
            return
        self.matter = matter
        self.box.show_command(matter.command)
        if matter.diffs and self.changes is None:
            self.changes = ToolBody(self)
            self.changes.resized.connect(self.resized)
        if self.changes is not None:
            self.changes.setVisible(bool(matter.diffs))
            row = ToolRow(self.ask.request_id, "edit", matter.question, "", "running", 0, diffs=matter.diffs)
            self.changes.show_call(row, 1)
        self.setAccessibleDescription(clean_line(f"{matter.question} {matter.reason} {matter.command}", 400))
        self.update()

    def _notices(self) -> list[tuple[str, tuple[Piece, ...]]]:
        """Lines under the box: what was hidden, where, and what lasts. Token and pieces."""
        matter, lines = self.matter, list[tuple[str, tuple[Piece, ...]]]()
        if hides(matter.command):
            text = tr("Characters that cannot be seen or that turn the text are shown as codes.")
            lines.append(("text.primary", (Piece(text),)))
        if matter.where:
            lines.append(("text.secondary", _with_code(tr("in {folder}", folder="\0"), clean_line(matter.where, 300))))
        for option in self.ask.options:
            if lasting(option.kind) and "session" not in option.name.casefold():
                words = f"{clean_line(option.name, 80)}: {lasting(option.kind)}"
                lines.append(("text.secondary", (Piece(words),)))
        return lines

    def _is_inline(self, room: float) -> bool:
        """A short command without more to say stands behind the question."""
        matter = self.matter
        plain = not (matter.reason or matter.where or matter.diffs or hides(matter.command) or self.framed)
        command = matter.command.strip()
        if not plain or not command or "\n" in command:
            return False
        return self._question_width() + text_width(command, theme().font("code")) <= room

    def _question_width(self) -> float:
        return text_width(self.matter.question, theme().font("ui", 600)) + metrics.SPACE_8

    # ---- places

    def height_for(self, width: int) -> int:
        """10 above, 12 below."""
        inner = self.inner(width)
        top = self._place_question(inner)
        inline = self._is_inline(inner)
        self.box.setVisible(bool(self.matter.command) and not inline and not self.matter.diffs)
        if not self.box.isHidden():
            tall = self.box.height_for(inner)
            put(self.box, self.left, top + _GAP, inner, tall)
            top += _GAP + tall
        if self.changes is not None and not self.changes.isHidden():
            tall = self.changes.height_for(inner)
            put(self.changes, self.left, top + _GAP, inner, tall)
            top += _GAP + tall
        top = self.place_more(top, width)
        self._notes = []
        for token, words in self._notices():
            line = QRectF(self.left, top + metrics.SPACE_4, inner, theme().line("small"))
            self._notes.append((line, token, words))
            top += metrics.SPACE_4 + theme().line("small")
        return self._place_buttons(top + _BUTTONS_ABOVE, width) + metrics.ASK_PAD_BOTTOM

    _notes: "list[tuple[QRectF, str, tuple[Piece, ...]]]" = []  # noqa: RUF012  # replaced, never changed

    def place_more(self, top: int, _width: int) -> int:
        """For what else a kind of permission shows."""
        return top

    def _place_question(self, inner: int) -> int:
        """The line, and the reason below where it does not fit behind."""
        line, top = theme().line("ui"), metrics.ASK_PAD_TOP
        reason = self.matter.reason
        if not reason or self._reason_fits(inner):
            return top + line
        return top + line + paragraph_height(reason, "ui", inner)

    def _reason_fits(self, inner: int) -> bool:
        if self.framed:
            return False
        reason = pieces_width(pieces(self.matter.reason), "ui")
        return self._question_width() + reason + metrics.SPACE_8 <= inner

    def _place_buttons(self, top: int, width: int) -> int:
        flow = Flow(self.left, top, self.inner(width), theme().row(metrics.BUTTON))
        for button in self.buttons:
            flow.put(button)
        top = flow.bottom
        if not self.note.isHidden():
            tall = self.note.sizeHint().height()
            put(self.note, self.left, top + metrics.SPACE_8, self.inner(width), tall)
            top += metrics.SPACE_8 + tall
        return self.place_problem(top, width)

    # ---- answers

    def press(self, digit: int) -> bool:
        """The option of that key; the last one opens the note."""
        if not self.isEnabled() or not 1 <= digit <= len(self.buttons):
            return False
        self.buttons[digit - 1].click()
        return True

    def open_note(self) -> None:
        """A field for why, or fold it."""
        self.note.setVisible(self.note.isHidden())
        self.resized.emit()
        if not self.note.isHidden():
            self.note.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep_note(self, text: str) -> None:
        self.desk.set_note(self.ask.request_id, text)

    def reject_with_note(self) -> None:
        """Enter in the field."""
        if self.rejection is not None and self.isEnabled():
            self.desk.choose(self.ask, self.rejection, self.note.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc in the note folds it."""
        if event.key() == Qt.Key.Key_Escape and self.note.hasFocus():
            self.open_note()
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            event.accept()
            return
        event.ignore()

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Question, reason, notices."""
        painter = QPainter(self)
        line, top, inner = theme().line("ui"), metrics.ASK_PAD_TOP, self.inner(self.width())
        place = QRectF(self.left, top, inner, line)
        if self.framed:
            self._paint_who(painter, place)
        else:
            self._paint_question(painter, place, inner)
        reason = self.matter.reason
        if reason and not self._reason_fits(inner):
            below = turned(self, QRectF(self.left, top + line, inner, self.height()))
            draw_paragraph(painter, below, reason, "ui", theme().color("text.secondary"))
        for room, token, words in self._notes:
            draw_pieces(self, painter, room, words, "small", token)
        painter.end()

    def _paint_question(self, painter: QPainter, place: QRectF, inner: int) -> None:
        ink = theme().color("text.primary")
        draw_text(painter, turned(self, place), self.matter.question, theme().font("ui", 600), ink)
        rest = place.adjusted(self._question_width(), 0, 0, 0)
        if self._is_inline(inner):
            draw_text(painter, turned(self, rest), self.matter.command.strip(), theme().font("code"), ink)
        elif len(self.matter.diffs) == 1 and not self.matter.reason:
            path = clean_line(self.matter.diffs[0].path, 300)
            draw_text(painter, turned(self, rest), path, theme().font("code.small"), ink, "middle")
        elif self._reason_fits(inner):
            draw_pieces(self, painter, rest, pieces(self.matter.reason), "ui", "text.secondary")

    def _paint_who(self, painter: QPainter, place: QRectF) -> None:
        tint, side = theme().color("waiting.tint"), metrics.MARK
        mark = QRectF(place.left(), place.center().y() - side / 2, side, side)
        draw_mark(painter, turned(self, mark), State.WAITING, tint)
        wish = wish_of(self.ask, self.desk.detail(self.ask.request_id))
        paint_wish(self, painter, place.adjusted(_MARK_ROOM, 0, 0, 0), self.who, wish)


def paint_wish(widget: QWidget, painter: QPainter, room: QRectF, who: str, wish: str) -> None:
    """**Who** wants what, in one line."""
    ink = theme().color("text.primary")
    used = draw_text(painter, turned(widget, room), who, theme().font("ui", 600), ink)
    rest = room.adjusted(used + metrics.SPACE_4, 0, 0, 0)
    draw_text(painter, turned(widget, rest), wish, theme().font("ui"), ink)


def _with_code(sentence: str, code: str) -> tuple[Piece, ...]:
    """The sentence with `code` in mono where its mark stands."""
    before, _, after = sentence.partition("\0")
    parts = (Piece(before), Piece(code, mono=True), Piece(after))
    return tuple(piece for piece in parts if piece.text)


def _key(number: int) -> str | None:
    return str(number) if number <= 9 else None
