"""A conversation as rows: entries, delegations, notes and questions folded for the feed."""

from ui.viewmodels.transcript.model import Transcript, Transcripts

__all__ = ["Transcript", "Transcripts"]
