"""Between a text document and its pieces: text and mentions, in order.

Owns nothing; what is put in is made safe first, what is read is as it stands.
"""

from collections.abc import Sequence

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextFragment

from ui.viewmodels.composing import Mention, Piece, Pieces
from ui.widgets.composer.chips import OBJECT, chip_format, mention_of
from ui.widgets.text import clean


def insert_pieces(cursor: QTextCursor, pieces: Sequence[Piece]) -> None:
    """Put them in at the cursor, instead of what it has selected."""
    for piece in pieces:
        if isinstance(piece, Mention):
            cursor.insertText(OBJECT, chip_format(piece))
        elif piece:
            cursor.insertText(clean(piece).replace(OBJECT, ""), QTextCharFormat())
    cursor.setCharFormat(QTextCharFormat())


def pieces_between(document: QTextDocument, start: int, end: int) -> Pieces:
    """What stands between two places."""
    made: list[Piece] = []
    text = ""
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        if block.position() > start:
            text += "\n"
        places = block.begin()
        while not places.atEnd():
            mention, shown = _read(places.fragment(), start, end)
            if mention is None:
                text += shown
            else:
                made += [text, *[mention] * len(shown)]
                text = ""
            places += 1
        block = block.next()
    if block.isValid() and start < block.position() == end:
        text += "\n"  # a line that is still empty
    made.append(text)
    return tuple(piece for piece in made if piece)


def _read(fragment: QTextFragment, start: int, end: int) -> tuple[Mention | None, str]:
    """What stands of a fragment between two places: letters of one mention, or text."""
    first = max(start - fragment.position(), 0)
    last = max(0, end - fragment.position())
    shown = fragment.text()[first:last]
    mention = mention_of(fragment.charFormat())
    if mention is not None:
        return mention, shown
    return None, shown.replace("\u2028", "\n").replace("\u00a0", " ").replace(OBJECT, "")
