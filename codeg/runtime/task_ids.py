"""Ids of tasks: `<agent>-<words>-<12 random>` (contract 6, delegate_to_agent).

Owns their form only. The randomness is the system's; nothing is kept.
"""

import re
import secrets
import unicodedata
from collections.abc import Callable

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32 in lower case."""
RANDOM_LENGTH = 12
MOST_WORDS = 3
WORDS_LENGTH = 24

_LOOKED_AT = 2000
_WORD = re.compile(r"[a-z0-9]+")
_FOREIGN = re.compile(r"[^a-z0-9]")


def new_task_id(agent_type: str, task: str, pick: Callable[[str], str] = secrets.choice) -> str:
    """A fresh id for a task of this agent. `pick` chooses one character of the alphabet."""
    random = "".join(pick(ALPHABET) for _ in range(RANDOM_LENGTH))
    return f"{agent_part(agent_type)}-{words_part(task)}-{random}"


def agent_part(agent_type: str) -> str:
    """The slug without `custom:`, every character that is no lower-case letter or digit as `-`."""
    return _FOREIGN.sub("-", agent_type.removeprefix("custom:").lower()) or "agent"


def words_part(task: str) -> str:
    """Up to three words of the task in ASCII, 24 characters at most; `task` if it has none."""
    plain = unicodedata.normalize("NFKD", task[:_LOOKED_AT]).encode("ascii", "ignore").decode("ascii").lower()
    words: list[str] = []
    for found in _WORD.finditer(plain):
        if len(words) == MOST_WORDS or len("-".join([*words, found[0]])) > WORDS_LENGTH:
            break
        words.append(found[0])
    if words:
        return "-".join(words)
    first = _WORD.search(plain)
    return first[0][:WORDS_LENGTH] if first else "task"
