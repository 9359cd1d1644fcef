"""What the person sees and says from the shell: sessions, asks, answers, notes.

Owns the words; acts through the running host's operator door only.
"""

import json
from argparse import Namespace
from typing import Any

from codeg import api
from codeg.cli import output

Json = dict[str, Any]


def sessions(home: str | None, *, as_json: bool) -> int:
    """All sessions, newest first; read from the store when no host runs."""
    listed = api.list_sessions(home)
    if as_json:
        output.as_json(listed)
    else:
        rows = [
            (
                s["id"],
                str(s.get("agent_type") or s.get("host") or ""),
                s["state"],
                s["title"][:60],
                s["folder"],
                s["created_at"],
            )
            for s in listed
        ]
        output.table(("session", "agent", "state", "title", "folder", "created"), rows, "No sessions yet.")
    return 0


def asks(home: str | None, *, as_json: bool) -> int:
    """What waits for the person, oldest first."""
    waiting: list[Json] = api.OperatorClient(home).request("asks")
    if as_json:
        output.as_json(waiting)
        return 0
    rows = [(a["request_id"], a["kind"], a.get("title", "")[:80], _choices(a), a["since"]) for a in waiting]
    output.table(("request", "kind", "what", "options", "since"), rows, "Nothing waits for you.")
    return 0


def _choices(ask: Json) -> str:
    if "options" in ask:
        return ", ".join(f"{option['id']} ({option['name']})" for option in ask["options"])
    return " / ".join(", ".join(o["label"] for o in question["options"]) for question in ask.get("questions", []))


def answer(home: str | None, arguments: Namespace) -> int:
    """Answer one ask."""
    fields: Json = {"decline": True}
    if arguments.option is not None:
        fields = {"option": arguments.option}
    elif arguments.answers is not None:
        fields = {"answers": _parsed(arguments.answers)}
    api.OperatorClient(home).request("answer", request_id=arguments.request_id, **fields)
    return 0


def _parsed(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no number of JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise api.UserError("invalid_arguments", "--answers is nested too deeply.") from None
    except ValueError as error:
        raise api.UserError("invalid_arguments", f"--answers is no JSON: {error}.") from error


def note(home: str | None, session_id: str, text: str) -> int:
    """Leave a note for a session."""
    api.OperatorClient(home).request("note", session_id=session_id, text=text)
    return 0
