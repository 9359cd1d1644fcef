"""The composer's text: lines that grow from one to ten, mentions as chips, keys that send.

Owns the document. What Enter means is told by signals; while an input method composes, Enter and Esc are its own.
Pasted and dropped things are passed on, text is taken plain. Ends with the composer.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, QRect, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.script import has_han
from ui.theme.theme import theme
from ui.viewmodels.composing import MOST_TEXT, Mention, Piece, Pieces, pasted, plain, query_at
from ui.widgets.composer.chips import CHIP, OBJECT, Chips
from ui.widgets.composer.pieces import insert_pieces, pieces_between
from ui.widgets.text import clean
from ui.wording import number, tr

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_HAN_LINE, _LOOKED_AT = 2, 4_000
_IGNORED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier


class Editor(QTextEdit):
    """`submitted`: "send", "queue" or "delegate". `query_changed`: what follows the `@` at the caret, None = no `@`."""

    edited = Signal()
    submitted = Signal(str)
    stop_asked = Signal()
    recall_asked = Signal()
    query_changed = Signal(object)
    focus_changed = Signal(bool)
    images_given = Signal(object)
    files_given = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.intercept: Callable[[QKeyEvent], bool] | None = None
        self._placeholder = ""
        self._query: str | None = None
        self._held: tuple[int, Pieces] | None = None
        self._han = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAutoFormatting(QTextEdit.AutoFormattingFlag.AutoNone)
        self.setContentsMargins(0, 0, 0, 0)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().registerHandler(CHIP, Chips(self))
        self.document().contentsChanged.connect(self._contents_changed)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.cursorPositionChanged.connect(self._look_for_query)
        theme().changed.connect(self._retheme)
        self._retheme()

    # ---- what stands in it

    def pieces(self) -> Pieces:
        """Text and mentions, in order."""
        revision = self.document().revision()
        if self._held is None or self._held[0] != revision:
            self._held = (revision, pieces_between(self.document(), 0, self.document().characterCount() - 1))
        return self._held[1]

    def is_empty(self) -> bool:
        """Nothing at all stands in it."""
        return self.document().characterCount() <= 1

    def set_pieces(self, pieces: Sequence[Piece]) -> None:
        """Replace everything; the caret goes to the end. Can be undone."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        insert_pieces(cursor, pieces)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def insert_mention(self, mention: Mention) -> None:
        """At the caret, instead of the `@` and the letters that were typed for it; a space follows."""
        cursor = self.textCursor()
        if self._query is not None:
            at = cursor.position()
            cursor.setPosition(at - len(self._query) - 1)
            cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
        follows = self._letter(cursor.selectionEnd())
        cursor.beginEditBlock()
        insert_pieces(cursor, (mention, "" if follows.isspace() and follows not in "\u2029\u2028" else " "))
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def set_placeholder(self, text: str) -> None:
        """Shown while it is empty."""
        if text != self._placeholder:
            self._placeholder = text
            self.setAccessibleName(text)
            self.viewport().update()

    @property
    def composing(self) -> bool:
        """An input method is at work: Enter and Esc belong to it."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    @property
    def query(self) -> str | None:
        """What is looked for at the caret."""
        return self._query

    def token_rect(self) -> QRect:
        """Where the `@` of the query stands, in the editor's coordinates."""
        cursor = self.textCursor()
        if self._query is not None:
            cursor.setPosition(max(0, cursor.position() - len(self._query) - 1))
        return self.cursorRect(cursor).translated(self.viewport().pos())

    def wanted_height(self) -> int:
        """From one line to ten."""
        line = self._line()
        lines = max(line, round(self.document().documentLayout().documentSize().height()))
        return min(lines, line * metrics.COMPOSER_LINES)

    # ---- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The popup first, then ours, then Qt's."""
        if self.composing:
            if event.key() not in {*_ENTER, Qt.Key.Key_Escape}:
                super().keyPressEvent(event)
            return
        if self.intercept is not None and self.intercept(event):
            return
        if event.key() in _ENTER:
            self._enter(event)
        elif event.key() == Qt.Key.Key_Period and event.modifiers() == _CTRL:
            self.stop_asked.emit()
        elif event.key() == Qt.Key.Key_Up and not event.modifiers() & ~_IGNORED and self.is_empty():
            self.recall_asked.emit()
        elif event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Delete} and self._select_chip(event):
            return
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _enter(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~_IGNORED
        if held == _SHIFT:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif event.isAutoRepeat():
            return
        elif held == Qt.KeyboardModifier.NoModifier:
            self.submitted.emit("send")
        elif held == _CTRL:
            self.submitted.emit("queue")
        elif held == _CTRL | _SHIFT:
            self.submitted.emit("delegate")

    def _select_chip(self, event: QKeyEvent) -> bool:
        """A mention beside the caret is selected first; the next press deletes it."""
        cursor = self.textCursor()
        if cursor.hasSelection() or event.modifiers() & ~_IGNORED:
            return False
        back = event.key() == Qt.Key.Key_Backspace
        at = cursor.position() - 1 if back else cursor.position()
        if at < 0 or self._letter(at) != OBJECT:
            return False
        cursor.setPosition(at)
        cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        return True

    def event(self, event: QEvent) -> bool:
        """Keys that we use are ours, whatever the window's shortcuts; Tab is the popup's first."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() in _ENTER and event.modifiers() & _CTRL:
                event.accept()
                return True
            tab = event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab
            if tab and self.intercept is not None and self.intercept(event):
                return True
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What is being composed is no query yet."""
        super().inputMethodEvent(event)
        self._look_for_query()
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The composer's outline follows."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The composer's outline follows; a menu keeps it."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.focus_changed.emit(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """What does not scroll passes the wheel on."""
        if self.verticalScrollBar().maximum() == 0:
            event.ignore()
            return
        super().wheelEvent(event)

    # ---- pasting and dropping

    def text_before(self) -> str:
        """What stands before the caret in its line."""
        cursor = self.textCursor()
        return cursor.block().text()[: cursor.positionInBlock()]

    def type_text(self, text: str) -> None:
        """As if it were typed at the caret."""
        self.textCursor().insertText(text, QTextCharFormat())
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text, images, files."""
        return source.hasText() or source.hasImage() or source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Images and files are passed on; text is taken plain, without what hides or turns it."""
        urls = [url for url in source.urls() if url.isLocalFile()]
        if urls:
            self.files_given.emit([QUrl(url).toLocalFile() for url in urls])
            return
        if source.hasImage() and not source.hasText():
            image = source.imageData()
            if isinstance(image, QImage) and not image.isNull():
                self.images_given.emit(image)
            return
        self._paste(clean(source.text()))

    def createMimeDataFromSelection(self) -> QMimeData:
        """Mentions leave as they are written."""
        cursor = self.textCursor()
        data = QMimeData()
        data.setText(plain(pieces_between(self.document(), cursor.selectionStart(), cursor.selectionEnd())))
        return data

    def _paste(self, text: str) -> None:
        cursor = self.textCursor()
        room = MOST_TEXT - len(plain(self.pieces()))
        if len(text) > room:
            self.refused.emit(
                tr(
                    "What you pasted is too long: {most} characters are the most. Attach it as a file.",
                    most=number(MOST_TEXT),
                )
            )
            return
        cursor.beginEditBlock()
        insert_pieces(cursor, (pasted(text),))
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    # ---- looks

    def paintEvent(self, event: QPaintEvent) -> None:
        """The query's tint, the text, the placeholder."""
        painter = QPainter(self.viewport())
        if self._query is not None and not self.composing and self.hasFocus():
            self._paint_query(painter)
        if self.is_empty() and not self.composing:
            line = self._line()
            place = QRectF(0, 0, self.viewport().width(), line)
            draw_text(painter, place, self._placeholder, theme().font("prose"), theme().color("text.muted"))
        painter.end()
        super().paintEvent(event)

    def _paint_query(self, painter: QPainter) -> None:
        end = self.cursorRect()
        start = self.token_rect().translated(-self.viewport().pos())
        if start.top() != end.top():
            return
        left, right = sorted((start.left(), end.left()))
        box = QRectF(left - 2, end.top() + 1, right - left + metrics.SPACE_4, end.height())
        rounded(painter, box, metrics.RADIUS_4, theme().color("accent.tint"))

    # ---- inside

    def _letter(self, at: int) -> str:
        return str(self.document().characterAt(at))

    def _contents_changed(self) -> None:
        self._set_lines()
        self._look_for_query()
        self.edited.emit()

    def _look_for_query(self) -> None:
        found: str | None = None
        cursor = self.textCursor()
        if not cursor.hasSelection() and not self.composing:
            block = cursor.block().text()[: cursor.positionInBlock()]
            found = query_at(block.replace("\u2028", "\n"))
        if found != self._query:
            self._query = found
            self._tint_query()
            self.query_changed.emit(found)
            self.viewport().update()

    def _tint_query(self) -> None:
        """What is looked for has the accent's ink; its tint is painted."""
        if self._query is None:
            self.setExtraSelections([])
            return
        inked = QTextEdit.ExtraSelection()
        cursor = self.textCursor()
        at = cursor.position()
        cursor.setPosition(at - len(self._query) - 1)
        cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setForeground(theme().color("accent.text"))
        inked.cursor, inked.format = cursor, form  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        self.setExtraSelections([inked])

    def _line(self) -> int:
        return theme().line("prose") + (_HAN_LINE if self._han else 0)

    def _set_lines(self) -> None:
        """Every line has the design's height; with Han 2 px more."""
        beginning = QTextCursor(self.document())
        beginning.setPosition(min(_LOOKED_AT, self.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
        han = has_han(beginning.selectedText())
        first = self.document().begin().blockFormat()
        last = self.document().lastBlock().blockFormat()
        self._han = han
        wanted = self._line()
        if {first.lineHeight(), last.lineHeight()} != {float(wanted)}:
            self._apply_line(wanted)

    def _apply_line(self, wanted: int) -> None:
        form = QTextBlockFormat()
        form.setLineHeight(float(wanted), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor = QTextCursor(self.document())
        cursor.joinPreviousEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)
        cursor.endEditBlock()

    def _fit(self, _size: object = None) -> None:
        self.updateGeometry()

    def _retheme(self) -> None:
        font = theme().font("prose")
        resized = font != self.document().defaultFont()
        if resized:
            self.document().setDefaultFont(font)
            self.setFont(font)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)
        if resized and not self.is_empty():
            self._set_anew(self.pieces())
        self._set_lines()
        self.viewport().update()

    def _set_anew(self, pieces: Sequence[Piece]) -> None:
        """Chips measure themselves in the font that they were made with. Undo begins here."""
        at = self.textCursor().position()
        signals = self.document().blockSignals(True)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        insert_pieces(cursor, pieces)
        cursor.setPosition(min(at, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.document().clearUndoRedoStacks()
        self.document().blockSignals(signals)
