"""Sessions of the demo agent on disk, so that a fresh process can load or resume one.

Owns one JSON file a session below its home (`CODEG_DEMO_HOME`, else the data folder of Codeg), closed to others,
written whole and renamed into place.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from typing import Any

import platformdirs


@dataclass(slots=True)
class Saved:
    """One session: its folder, what was said, and the prompt that is not finished yet (None = none)."""

    session_id: str
    cwd: str
    turns: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    unfinished: str | None = None
    mode: str = "ask"


def home() -> str:
    """Where sessions are kept; below `CODEG_HOME` as everything else (contract 3)."""
    given, codeg = os.environ.get("CODEG_DEMO_HOME"), os.environ.get("CODEG_HOME")
    data = os.path.join(codeg, "data") if codeg else platformdirs.user_data_dir("codeg", appauthor=False)
    return os.path.abspath(os.path.expanduser(given or os.path.join(data, "demo")))


def _path(session_id: str) -> str | None:
    safe = session_id.startswith("demo-") and session_id[5:].isalnum()
    return os.path.join(home(), session_id + ".json") if safe else None


def create(cwd: str) -> Saved:
    """A new session, already on disk."""
    saved = Saved("demo-" + secrets.token_hex(12), cwd)
    save(saved)
    return saved


def load(session_id: str) -> Saved | None:
    """The session of that id, or None when there is none or it cannot be read."""
    path = _path(session_id)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            data: dict[str, Any] = json.load(file)
        turns = [{"who": str(turn["who"]), "text": str(turn["text"])} for turn in data["turns"]]
        return Saved(session_id, str(data["cwd"]), turns, data["unfinished"], str(data["mode"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def save(saved: Saved) -> None:
    """Write the session; a full disk costs only the resume."""
    path = _path(saved.session_id)
    assert path is not None
    try:
        os.makedirs(home(), mode=0o700, exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8", errors="replace", opener=_private) as file:
            json.dump(asdict(saved), file)
        os.replace(path + ".new", path)
    except OSError:
        return


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
