"""The bundled fonts, and which families stand in for scripts that they lack (design 2, 10).

Owns the loading (once per process) and the lists of families; it never sizes anything: `ui.theme.theme` does.
"""

from functools import cache
from pathlib import Path

from PySide6.QtGui import QFontDatabase

FONT_FOLDER = Path(__file__).with_name("fonts")
FONT_FILES = (
    "Inter-Regular.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-Bold.ttf",
)
SANS, MONO = "Inter", "JetBrains Mono"

# The first form is the language's own, so that the right glyph forms are taken.
_HAN = {
    "zh-hant": ("Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei"),
    "ja": ("Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic UI"),
    "ko": ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic"),
    "zh-hans": ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei"),
}
_OTHERS = ("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")


@cache
def load_fonts() -> tuple[str, ...]:
    """Make the bundled fonts known to Qt. Needs an application. Returns the files that could not be loaded."""
    failed = [name for name in FONT_FILES if QFontDatabase.addApplicationFont(str(FONT_FOLDER / name)) < 0]
    return tuple(failed)


@cache
def families(language: str, *, mono: bool) -> list[str]:
    """The families to try in order, for an interface in `language` (a tag such as "de" or "zh-Hant-TW").

    Only installed ones: a name that is missing costs a search through all fonts on some systems.
    """
    own = _han_key(language)
    han = [*_HAN[own], *(name for key, names in _HAN.items() if key != own for name in names)]
    wanted = [MONO, SANS, *han, *_OTHERS] if mono else [SANS, *han, *_OTHERS]
    bundled = {SANS, MONO}
    return [name for name in wanted if name in bundled or QFontDatabase.hasFamily(name)]


def _han_key(language: str) -> str:
    tag = language.replace("_", "-").lower()
    if tag.startswith("zh"):
        traditional = any(part in {"hant", "tw", "hk", "mo"} for part in tag.split("-"))
        return "zh-hant" if traditional else "zh-hans"
    return tag.split("-")[0] if tag.split("-")[0] in _HAN else "zh-hans"
