"""Which steering notes stand above a composer: those of the running turn, and those that no turn read.

Pure, no Qt.
"""

from codeg.api import NoteRecord
from ui.viewmodels.composing import Role, Situation
from ui.viewmodels.world import World

Notes = tuple[NoteRecord, ...]


def notes_of(world: World, session_id: str | None, situation: Situation) -> tuple[Notes, Notes]:
    """Notes to show, oldest first, and those that are offered as the next prompt."""
    if session_id is None:
        return (), ()
    told = {note.note_id: note for note in (*world.offered(session_id), *world.notes(session_id))}
    pending = tuple(note for note in told.values() if note.delivered_ms is None)
    if situation.role is Role.ROOT and not situation.busy:
        return (), pending
    if situation.role is Role.ENDED_CHILD:
        return (), ()
    began = world.turn_began(session_id)
    fresh = [note for note in told.values() if note.delivered_ms is not None and _is_of_turn(note, began)]
    return tuple(sorted((*fresh, *pending), key=lambda note: note.created_ms)), ()


def _is_of_turn(note: NoteRecord, began: int | None) -> bool:
    return began is not None and note.created_ms >= began
