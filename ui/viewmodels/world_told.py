"""What the host told beside sessions, tasks and asks: usage, notes, questions, settings, the day's cost.

Owns the newest word on each; pure, no Qt. Ends with the world that holds it.
"""

from codeg.api import (
    AgentsChanged,
    DayUsage,
    DayUsageChanged,
    NoteRecord,
    NotesChanged,
    NotesOffered,
    OptionsChanged,
    QuestionChanged,
    QuestionRecord,
    Settings,
    SettingsChanged,
    TurnUsage,
    UsageChanged,
)
from ui.viewmodels.world_batch import Marks


class Told:
    """By session id, but for settings and day."""

    def __init__(self) -> None:
        self.usage: dict[str, TurnUsage] = {}
        self.notes: dict[str, tuple[NoteRecord, ...]] = {}
        self.questions: dict[str, dict[str, QuestionRecord]] = {}
        self.settings = Settings()
        self.day = DayUsage()
        self._offered: dict[str, tuple[NoteRecord, ...]] = {}

    def offered_now(self, session_id: str) -> tuple[NoteRecord, ...]:
        """Offered notes, less those that were delivered since."""
        delivered = {note.note_id for note in self.notes.get(session_id, ()) if note.delivered_ms is not None}
        return tuple(note for note in self._offered.get(session_id, ()) if note.note_id not in delivered)

    def take(self, what: object, marks: Marks) -> None:
        """One change; others than these mean nothing here."""
        match what:
            case UsageChanged(session_id=session_id, usage=usage):
                self.usage[session_id] = usage
                marks.usage.add(session_id)
            case OptionsChanged(session_id=session_id):
                marks.options.add(session_id)
            case NotesChanged(session_id=session_id, notes=notes):
                self.notes[session_id] = notes
                marks.notes.add(session_id)
            case NotesOffered(session_id=session_id, notes=notes):
                self._offered[session_id] = notes
                marks.notes.add(session_id)
            case QuestionChanged(record=record):
                self.questions.setdefault(record.session_id, {})[record.question_id] = record
                marks.questions.add(record.session_id)
            case SettingsChanged(settings=settings):
                self.settings = settings
                marks.settings = True
            case AgentsChanged():
                marks.agents = True
            case DayUsageChanged(usage=usage):
                self.day = usage
                marks.day = True
            case _:
                pass

    def forget(self, session_id: str) -> None:
        """The session is gone."""
        for held in (self.usage, self.notes, self.questions, self._offered):
            held.pop(session_id, None)
