"""What the window says: words of states and ends, durations, ages, sizes, and safe single lines. No Qt.

Owns the way to the translation (`tr`) and all forms of numbers and times. English stands in the source; a backend
installed by `use` speaks other languages. Never raises on odd text: what an agent wrote is made safe to show in a line.
Sources: the design's sections 2, 5, 10 and 13; codes of contract 6.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from datetime import datetime

from ui.viewmodels.states import State
from ui.wording_plurals import SINGULAR

Translate = Callable[[str, int | None], str]

_translate: Translate | None = None
_PLACE = re.compile(r"\{(\w+)\}")
_FSI, _PDI = "\u2068", "\u2069"
_BIDI = {0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_THOUSAND, _MILLION = 1_000, 1_000_000
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "JPY": "¥"}
_NO_CENTS = frozenset({"JPY", "KRW"})
_SHORT_ID = 4


def use(translate: Translate | None) -> None:
    """Speak through this from now on; None = English."""
    global _translate  # noqa: PLW0603  # one language a process
    _translate = translate


def tr(text: str, n: int | None = None, **parts: str) -> str:
    """A text of the window in the person's language.

    Args:
        text: English, in the plural where `n` is given; its singular stands in `ui.wording_plurals`. `%n` is the
            number, `{name}` a part.
        n: the number that decides the form.
        parts: put in as they are; those in another writing direction are isolated.
    """
    english = SINGULAR.get(text, text) if n == 1 else text
    said = _translate(text, n) if _translate is not None else english
    if n is not None:
        said = said.replace("%n", number(n))
    # In one pass: a part that looks like a place for another part stays as it is.
    return (
        _PLACE.sub(lambda place: isolated(parts[place[1]]) if place[1] in parts else place[0], said) if parts else said
    )


def isolated(text: str) -> str:
    """A name, title or number inside a sentence: text of the other direction cannot turn the sentence around."""
    if any(unicodedata.bidirectional(letter) in {"R", "AL", "AN"} for letter in text):
        return f"{_FSI}{text}{_PDI}"
    return text


# ---- numbers and times


def number(n: int) -> str:
    """With thousands set apart."""
    return f"{n:,}"


def duration(ms: int) -> str:
    """`8s`, `1m 12s`, `2h 05m`; rounded once, so that seconds never read 60."""
    seconds = max(0, ms) // _SECOND
    if seconds < 60:
        return tr("{s}s", s=str(seconds))
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return tr("{m}m {s}s", m=str(minutes), s=f"{rest:02d}")
    hours, minutes = divmod(minutes, 60)
    return tr("{h}h {m}m", h=str(hours), m=f"{minutes:02d}")


def spoken_duration(ms: int) -> str:
    """For a screen reader: `5 minutes 24 seconds`."""
    seconds = max(0, ms) // _SECOND
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [
        tr("%n hours", n=hours) if hours else "",
        tr("%n minutes", n=minutes) if minutes else "",
        tr("%n seconds", n=rest) if rest or not (hours or minutes) else "",
    ]
    return " ".join(part for part in parts if part)


def age(ms: int) -> str:
    """How long ago: `now`, `6m`, `3h`, `2d`; from a week on use `date`."""
    if ms < _MINUTE:
        return tr("now")
    if ms < _HOUR:
        return tr("{m}m", m=str(ms // _MINUTE))
    if ms < _DAY:
        return tr("{h}h", h=str(ms // _HOUR))
    return tr("{d}d", d=str(ms // _DAY))


def age_or_date(then_ms: int, now_ms: int) -> str:
    """An age, and the date once it is over a week ago."""
    if now_ms - then_ms < 7 * _DAY:
        return age(now_ms - then_ms)
    return datetime.fromtimestamp(then_ms / _SECOND).strftime("%Y-%m-%d")  # noqa: DTZ006  # the person's own zone


def clock_time(ms: int, *, seconds: bool = False) -> str:
    """The time of day, in the person's zone."""
    form = "%H:%M:%S" if seconds else "%H:%M"
    return datetime.fromtimestamp(ms / _SECOND).strftime(form)  # noqa: DTZ006  # the person's own zone


def money(amount: float, currency: str = "USD") -> str:
    """`$0.42`, `$1,234.56`; below a cent `<$0.01`."""
    sign = _SIGNS.get(currency.upper(), "")
    digits = 0 if currency.upper() in _NO_CENTS else 2
    least = 10**-digits
    text = f"{least:.{digits}f}" if 0 < amount < least else f"{amount:,.{digits}f}"
    shown = f"{sign}{text}" if sign else f"{text} {currency.upper()}"
    return f"<{shown}" if 0 < amount < least else shown


def tokens(n: int) -> str:
    """`812`, `61k`, `1.2 M`."""
    if n < _THOUSAND:
        return str(n)
    if round(n / _THOUSAND) < _THOUSAND:
        return tr("{thousands}k", thousands=str(round(n / _THOUSAND)))
    return tr("{millions} M", millions=f"{n / _MILLION:.1f}")


def ordinal_of(position: int, total: int) -> str:
    """`2nd of 5`."""
    return tr("{place} of {total}", place=ordinal(position), total=number(total))


def ordinal(position: int) -> str:
    """`1st`, `2nd`, `11th`; other languages have one form."""
    if _translate is not None:
        return tr("{position}th", position=str(position))
    if position % 100 in {11, 12, 13}:
        return f"{position}th"
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{position}{endings.get(position % 10, 'th')}"


# ---- words


def state_word(state: State) -> str:
    """The word of a state."""
    return {
        State.QUEUED: tr("Queued"),
        State.STARTING: tr("Starting"),
        State.RUNNING: tr("Running"),
        State.WAITING: tr("Waiting for you"),
        State.COMPLETED: tr("Completed"),
        State.FAILED: tr("Failed"),
        State.CANCELED: tr("Canceled"),
        State.INTERRUPTED: tr("Interrupted"),
        State.IDLE: tr("Idle"),
    }[state]


def ask_kind(kind: str) -> str:
    """What kind of ask it is, as a noun."""
    return {"question": tr("Question"), "plan_approval": tr("Plan")}.get(kind, tr("Permission"))


def ask_phrase(kind: str) -> str:
    """What a child stopped at."""
    return {
        "question": tr("Stopped at a question for you"),
        "plan_approval": tr("Stopped at a plan that needs your word"),
    }.get(kind, tr("Stopped at a command that needs your permission"))


_LABELS = {
    "claude_code": "Claude Code",
    "claude-code": "Claude Code",
    "codex": "Codex",
    "codex-cli": "Codex",
    "codex-mcp-client": "Codex",
    "open_code": "OpenCode",
    "opencode": "OpenCode",
    "gemini": "Gemini CLI",
    "gemini-cli": "Gemini CLI",
    "gemini-cli-mcp-client": "Gemini CLI",
    "qwen": "Qwen Code",
    "qwen-code": "Qwen Code",
    "qwen-cli-mcp-client": "Qwen Code",
    "demo": "Demo",
}


def agent_label(slug: str) -> str:
    """What an agent or host program is called when no catalogue says so."""
    plain = slug.removeprefix("custom:")
    return _LABELS.get(plain.lower()) or plain.replace("_", " ").replace("-", " ").strip().title() or tr("Agent")


def end_reason(code: str, message: str = "") -> str:
    """Why something did not go well, as a sentence: the host's own where it has one."""
    if message.strip():
        return message.strip()
    reasons = {
        "depth_limit": tr("Children may not delegate any deeper."),
        "live_limit": tr("Too many children run at once."),
        "queue_full": tr("The queue is full."),
        "invalid_agent_type": tr("There is no such agent."),
        "agent_not_installed": tr("The agent is not installed."),
        "agent_disabled": tr("The agent is switched off in Settings."),
        "auth_required": tr("The agent is not signed in."),
        "invalid_arguments": tr("The call was not understood."),
        "invalid_working_dir": tr("The folder does not exist."),
        "spawn_failed": tr("The agent could not be started."),
        "agent_start_timeout": tr("The agent did not answer in time."),
        "agent_crashed": tr("The agent ended unexpectedly."),
        "subagent_error": tr("The agent answered with an error."),
        "child_refusal": tr("The agent refused the task."),
        "child_max_tokens": tr("The answer reached the model's limit."),
        "child_max_turn_requests": tr("The agent reached its limit of steps."),
        "child_empty": tr("The agent ended without a result."),
        "child_unknown": tr("The agent ended for a reason that it did not tell."),
        "run_timeout": tr("It ran longer than allowed."),
        "canceled": tr("It was stopped."),
        "parent_gone": tr("The session that asked for it has ended."),
        "delegation_disabled": tr("Delegation is switched off in Settings."),
        "not_authorized": tr("This session may not do that."),
        "conflict": tr("Something else was under way."),
        "resume_unavailable": tr("The agent cannot take it up again."),
        "host_unavailable": tr("The host does not run."),
        "version_mismatch": tr("Host and companion are of different versions."),
        "busy": tr("The host was too busy."),
        "invalid_request": tr("The request was not understood."),
        "too_large": tr("It was too large."),
    }
    return reasons.get(code, tr("It failed."))


def short_id(task_id: str, others: Iterable[str] = ()) -> str:
    """`#7c1e`: four characters that tell a task from the others, more where they collide."""
    plain = _bare(task_id)
    rest = {_bare(other) for other in others} - {plain}
    length = _SHORT_ID
    while length < len(plain) and any(other[:length] == plain[:length] for other in rest):
        length += 1
    return f"#{plain[:length]}"


def _bare(task_id: str) -> str:
    return task_id.rpartition("-")[2] or task_id


# ---- safe text


def clean_line(text: str, most: int = 200) -> str:
    """One line that is safe to show: no control characters, no line ends, direction marks boxed, cut at `most`."""
    letters: list[str] = []
    blank = False
    for letter in _without_escapes(text[: most * 8 + 64]):
        if letter.isspace():
            blank = bool(letters)
            continue
        shown = _shown(letter)
        if not shown:
            continue
        if blank:
            letters.append(" ")
            blank = False
        letters.append(shown)
        if len(letters) > most:
            return "".join(letters[: most - 1]).rstrip() + "…"
    return "".join(letters)


def _shown(letter: str) -> str:
    """A letter as it may be shown: "" = not at all; hidden direction marks as boxed codes (design 10)."""
    code = ord(letter)
    if code in _BIDI:
        return f"[U+{code:04X}]"
    if unicodedata.category(letter) == "Cn":  # an emoji may be newer than our tables; what can never be a letter is not
        return "" if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF else letter
    return "" if unicodedata.category(letter) in {"Cc", "Cs", "Co"} else letter


def _without_escapes(text: str) -> str:
    """Terminal escape sequences, taken out whole."""
    if "\x1b" not in text:
        return text
    kept: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\x1b":
            kept.append(text[at])
            at += 1
            continue
        at = _after_escape(text, at + 1)
    return "".join(kept)


def _after_escape(text: str, at: int) -> int:
    """The place after the sequence whose introducer stands before `at`."""
    if at >= len(text):
        return at
    kind = text[at]
    at += 1
    if kind == "[":
        while at < len(text) and not "@" <= text[at] <= "~":
            at += 1
        return at + 1
    if kind in "]P^_X":
        while at < len(text) and text[at] != "\x07" and text[at : at + 2] != "\x1b\\":
            at += 1
        return at + (2 if text[at : at + 1] == "\x1b" else 1)
    return at


def key_text(key: str) -> str:
    """A key in the platform's words: `Ctrl K`; on macOS `Cmd K`."""
    parts = [part for part in key.replace("++", "+Plus").split("+") if part]
    names: dict[str, str] = {"Ctrl": "Cmd", "Alt": "Option"} if sys.platform == "darwin" else {}
    names |= {"Plus": "+", "PgDown": "PgDn", "Return": "Enter"}
    return " ".join(names.get(part, part) for part in parts)
