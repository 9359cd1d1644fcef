r"""Text of agents, made safe to show: no control characters, no escape sequences, hidden marks as boxed codes.

Owns the one rule for texts of many lines (`ui.wording.clean_line` is for a single one). Pure; costs nothing for plain
text and a pass of a regular expression for the rest. Line ends come out as `\n`, tabs stay.
"""

import re

# CSI, then strings (OSC, DCS, SOS, PM, APC) that are really closed, then any other introducer with its final letter.
_ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]?"
)
# Control characters, lone surrogates, private use, non-characters, interlinear marks.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff"
    "\U000f0000-\U0010ffff]"
)
# What changes the direction or cannot be seen at all. Joiners and variation selectors belong to scripts and emoji.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
LINE_MOST = 4_000
"""Characters of a line of code or of a command that `broken` leaves whole."""
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029\x85]")


def clean(text: str) -> str:
    """`text` as it may be shown."""
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    return text if text.isascii() else _HIDDEN.sub(_boxed, text)


def clean_terminal(text: str) -> str:
    """Output of a terminal: what a carriage return wrote over is gone, too."""
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(_overwritten(line) for line in text.split("\n"))
    return clean(text)


def broken(text: str) -> str:
    """`text` without a line longer than 4,000 characters: longer ones go on in the next line."""
    if len(text) <= LINE_MOST:
        return text
    lines = text.split("\n")
    if max(map(len, lines)) <= LINE_MOST:
        return text
    return "\n".join(line[at : at + LINE_MOST] for line in lines for at in range(0, max(1, len(line)), LINE_MOST))


def has_marks(text: str) -> bool:
    """Whether something in it would be shown as a boxed code."""
    return not text.isascii() and _HIDDEN.search(text) is not None


def _overwritten(line: str) -> str:
    """Of a line that a program wrote over, the last version that says something."""
    return next((part for part in reversed(line.split("\r")) if part), "")


def _boxed(found: "re.Match[str]") -> str:
    return f"[U+{ord(found.group()):04X}]"
