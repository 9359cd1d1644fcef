"""A conversation as rows: entries, delegations, notes and questions folded for the feed."""

from ui.viewmodels.transcript.cache import Transcripts
from ui.viewmodels.transcript.model import Transcript

__all__ = ["Transcript", "Transcripts"]
