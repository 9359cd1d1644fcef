"""What a host says of questions that may be put to the asking program's own person, and how such a call ends."""

import json
from typing import Any

from tests.companion.relays import Rig

COPY = [
    {
        "question": "Which?",
        "header": "Choice",
        "multiSelect": False,
        "options": [{"label": "a", "description": ""}, {"label": "b", "description": ""}],
    }
]
ANSWERS = [{"question": "Which?", "header": "Choice", "selected": ["a"]}]
SESSION = {"session_token": "s", "parent_connection_id": "p"}
SAID = [{"question": "Which?", "selected": ["a"]}]


def pending(question_id: str = "q1", elicit: bool = True) -> dict[str, Any]:
    return {"state": "pending", "question_id": question_id, "answers": [], "questions": COPY, "elicit": elicit}


def answered(question_id: str = "q1") -> dict[str, Any]:
    return {"state": "answered", "question_id": question_id, "answers": ANSWERS}


def result_of(rig: Rig, call_id: Any = 1) -> dict[str, Any]:
    """The result, with its mark run: what is committed must have been written."""
    for data, marks in list(rig.bench.core.out):
        message = json.loads(data)
        if message.get("id") == call_id and "method" not in message:
            rig.bench.core.out.clear()
            for mark in marks or ():
                mark()
            return message["result"]
    raise AssertionError("no answer")
