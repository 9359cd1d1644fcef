"""What an ask says, and where a person stands in answering it.

Owns the words of permissions and the picks of a question set; pure, no Qt. Every option is the agent's own; nothing is
chosen beforehand and nothing is sent by itself (design 7.5).
"""

import re
from dataclasses import dataclass, field
from typing import Any, cast

from ui.viewmodels.asks import Ask, AskDetail, Picked, Question
from ui.viewmodels.rows import Diff
from ui.wording import clean_line, tr

# Controls but line ends and tabs, what cannot be seen, what turns the text, and letters that no font is bound to show.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\uf8ff"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)


@dataclass(frozen=True, slots=True)
class Matter:
    """What a permission is about.

    `kind`: of the tool call (ACP); `reason`: the agent's own words; `command`: mono text, whole and as it is; `where`:
    the folder; `plan`: Markdown.
    """

    kind: str = ""
    question: str = ""
    reason: str = ""
    command: str = ""
    where: str = ""
    diffs: tuple[Diff, ...] = ()
    plan: str = ""


def matter_of(ask: Ask, detail: AskDetail | None) -> Matter:
    """From the tool call that the permission is about; the title alone where nothing is told."""
    raw = detail.raw if detail is not None else {}
    given = _mapping(raw.get("rawInput"))
    title = _text(raw.get("title")) or ask.title
    if ask.kind == "plan_approval":
        return Matter(
            "plan", tr("Go ahead with this plan?"), plan=_text(given.get("plan")) or _content_text(raw) or title
        )
    diffs = _diffs(raw)
    command = _command(given)
    kind = _kind(_text(raw.get("kind")), diffs, command)
    reason = _text(given.get("description")) or _text(given.get("reason"))
    where = _text(given.get("cwd")) or _text(given.get("working_dir")) or _text(given.get("workdir"))
    if not command and not diffs:
        command = _target(given) or _places(raw) or ask.title
    if not reason and title and not _same(title, command) and not diffs:
        reason = title
    return Matter(kind, _question(kind, max(1, len(diffs))), clean_line(reason, 400), command, where, diffs)


def _kind(told: str, diffs: tuple[Diff, ...], command: str) -> str:
    if told in {"delete", "move"} or not (diffs or command):
        return told
    return "edit" if diffs else "execute"


def _question(kind: str, files: int) -> str:
    return {
        "delete": tr("Delete %n files?", n=files),
        "move": tr("Move %n files?", n=files),
        "edit": tr("Edit %n files?", n=files),
        "execute": tr("Run a command?"),
        "fetch": tr("Open a page?"),
        "read": tr("Read a file?"),
        "search": tr("Search?"),
    }.get(kind, tr("Allow this?"))


def wish_of(ask: Ask, detail: AskDetail | None = None) -> str:
    """What the agent wants, to follow its name: `wants to run a command`."""
    if ask.kind == "question":
        return tr("has %n questions", n=max(1, len(ask.questions)))
    if ask.kind == "plan_approval":
        return tr("asks for your word on a plan")
    matter = matter_of(ask, detail)
    files = max(1, len(matter.diffs))
    return {
        "delete": tr("wants to delete %n files", n=files),
        "move": tr("wants to move %n files", n=files),
        "edit": tr("wants to edit %n files", n=files),
        "execute": tr("wants to run a command"),
        "fetch": tr("wants to open a page"),
        "read": tr("wants to read a file"),
        "search": tr("wants to search"),
    }.get(matter.kind, tr("asks for a permission"))


def summary_of(ask: Ask) -> str:
    """One line for lists: the command, the question, the plan's first line."""
    if ask.kind == "question" and ask.questions:
        return clean_line(ask.questions[0].text)
    return clean_line(ask.title)


def lasting(kind: str) -> str:
    """How long an option holds, by its ACP kind; "" = this once."""
    return {
        "allow_always": tr("Holds for later calls as well, as the agent defines it."),
        "reject_always": tr("Refuses later calls as well, as the agent defines it."),
    }.get(kind, "")


def whole_command(text: str) -> str:
    """A command with all that cannot be seen in it as boxed codes, so that nothing is hidden."""
    return _HIDDEN.sub(lambda found: f"[U+{ord(found.group()):04X}]", text.replace("\r\n", "\n"))


def hides(text: str) -> bool:
    """Whether a command has something that cannot be seen, or that turns what can."""
    return _HIDDEN.search(text.replace("\r\n", "\n")) is not None


@dataclass(slots=True)
class Answering:
    """Picks of a question set. `at`: the question that shows."""

    questions: tuple[Question, ...]
    at: int = 0
    picks: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    others: dict[int, str] = field(default_factory=dict[int, str])
    writing: set[int] = field(default_factory=set[int])

    def pick(self, number: int) -> bool:
        """Choose option `number` (from 0; the last is Other); True = a single choice was made and the next may show."""
        question = self.questions[self.at]
        chosen = self.picks.setdefault(self.at, [])
        if number >= len(question.choices):
            self._toggle_other(question)
            return False
        label = question.choices[number].label
        if question.many and label in chosen:
            chosen.remove(label)
            return False
        if not question.many:
            chosen.clear()
            self.writing.discard(self.at)
        chosen.append(label)
        return not question.many and self.at < len(self.questions) - 1

    def _toggle_other(self, question: Question) -> None:
        if self.at in self.writing:
            self.writing.discard(self.at)
            return
        self.writing.add(self.at)
        if not question.many:
            self.picks[self.at] = []

    def is_picked(self, number: int) -> bool:
        """Option `number` of the question that shows is chosen."""
        question = self.questions[self.at]
        if number >= len(question.choices):
            return self.at in self.writing
        return question.choices[number].label in self.picks.get(self.at, [])

    def is_answered(self, number: int) -> bool:
        """Something was chosen or written there."""
        other = self.others.get(number, "").strip() if number in self.writing else ""
        return bool(self.picks.get(number) or other)

    @property
    def answered(self) -> int:
        """Number of answered questions."""
        return sum(self.is_answered(number) for number in range(len(self.questions)))

    def picked(self) -> tuple[Picked, ...]:
        """As it is sent."""
        return tuple(
            Picked(
                question.text,
                tuple(self.picks.get(number, ())),
                self.others.get(number, "").strip() if number in self.writing else "",
            )
            for number, question in enumerate(self.questions)
        )


def is_recommended(label: str) -> bool:
    """The agent marks an option so."""
    return label.casefold().rstrip().endswith("(recommended)")


def plain_label(label: str) -> str:
    """Without that mark; a label that is nothing else stays."""
    cut = label.rstrip()[: -len("(recommended)")].rstrip() if is_recommended(label) else label
    return cut or label


# ---- reading


def _mapping(value: Any) -> "dict[str, Any]":
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _command(given: "dict[str, Any]") -> str:
    for key in ("command", "cmd", "script"):
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list):
            return " ".join(str(word) for word in cast("list[Any]", value))
    return ""


def _target(given: "dict[str, Any]") -> str:
    for key in ("file_path", "path", "url", "pattern", "query"):
        if _text(given.get(key)):
            return _text(given.get(key))
    return ""


def _places(raw: "dict[str, Any]") -> str:
    """Paths that the call touches, a line each."""
    listed = raw.get("locations")
    places = cast("list[Any]", listed) if isinstance(listed, list | tuple) else []
    return "\n".join(path for path in (_text(_mapping(place).get("path")) for place in places) if path)


def _same(title: str, command: str) -> bool:
    """The title only says the command again."""
    plain = title.strip().strip("`").strip()
    return not plain or plain == command.strip() or (bool(command) and command.strip() in title)


def _diffs(raw: "dict[str, Any]") -> tuple[Diff, ...]:
    found: list[Diff] = []
    content = raw.get("content")
    for block in cast("list[Any]", content) if isinstance(content, list | tuple) else []:
        shape = _mapping(block)
        if shape.get("type") == "diff":
            old = shape.get("oldText")
            found.append(
                Diff(_text(shape.get("path")), old if isinstance(old, str) else None, _text(shape.get("newText")))
            )
    return tuple(found)


def _content_text(raw: "dict[str, Any]") -> str:
    parts: list[str] = []
    content = raw.get("content")
    for block in cast("list[Any]", content) if isinstance(content, list | tuple) else []:
        shape = _mapping(block)
        inner = _mapping(shape.get("content")) if shape.get("type") == "content" else shape
        if inner.get("type") == "text":
            parts.append(_text(inner.get("text")))
    return "\n".join(parts)
