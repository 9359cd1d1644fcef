"""The one theme object: colours, fonts and sizes that follow the settings, told by one signal.

Owns scheme (light, dark, the system's), font size, language of the glyph forms and reduced motion. It never paints
and never touches the application: `ui.theme.apply` does. Lives as long as the process.
"""

from typing import Literal, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPen

from ui.theme.fonts import families, load_fonts
from ui.theme.metrics import FOCUS_WIDTH
from ui.theme.script import has_han
from ui.theme.tokens import TypeRole, tokens

Scheme = Literal["light", "dark", "system"]
UI_SIZE, UI_LEAST, UI_MOST = 13, 12, 18
_FALLBACK_DPI = 96.0
_POINTS = 72.0


class Theme(QObject):
    """Colours, fonts and sizes. `changed` is told once for each change of any of them."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._colors: dict[str, QColor] = {}
        self._fonts: dict[tuple[str, int | None, bool, bool], QFont] = {}
        self.following = False
        self._system_dark = False
        self.reset()

    def reset(self) -> None:
        """Back to the defaults, without telling: for the start and between tests."""
        self._scheme: Scheme = "system"
        self._size = UI_SIZE
        self._language = "en"
        self._reduce_motion = False
        self._read_system()
        self._dark = self._wants_dark()
        self._forget()

    # Settings

    @property
    def dark(self) -> bool:
        """Whether the dark colours are shown."""
        return self._dark

    @property
    def scheme(self) -> Scheme:
        """What was chosen; "system" follows the desktop and changes live."""
        return self._scheme

    @property
    def ui_size(self) -> int:
        """Size of the interface's text in px."""
        return self._size

    @property
    def language(self) -> str:
        """Language tag whose glyph forms are taken for Han."""
        return self._language

    @property
    def reduce_motion(self) -> bool:
        """Marks stand still and blends are off; clocks still count."""
        return self._reduce_motion

    def set_scheme(self, scheme: str) -> None:
        """Choose "light", "dark" or "system"; anything else counts as "system"."""
        self._scheme = cast("Scheme", scheme) if scheme in {"light", "dark"} else "system"
        self._settle(changed=False)

    def set_ui_size(self, size: int) -> None:
        """Choose the size of the interface's text, 12 to 18 px."""
        size = min(UI_MOST, max(UI_LEAST, size))
        changed, self._size = size != self._size, size
        self._settle(changed=changed)

    def set_language(self, language: str) -> None:
        """Choose the language whose glyph forms are taken."""
        changed, self._language = language != self._language, language
        self._settle(changed=changed)

    def set_reduce_motion(self, reduce: bool) -> None:
        """Stand still, or move where motion means something."""
        changed, self._reduce_motion = reduce != self._reduce_motion, reduce
        self._settle(changed=changed)

    def follow_system(self) -> None:
        """Listen to the desktop's light or dark. Called once there is an application; more calls do nothing."""
        if self.following or QGuiApplication.instance() is None:
            return
        self.following = True
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._read_system()
        self._settle(changed=False)

    # What it looks like

    def color(self, token: str) -> QColor:
        """The colour of a token of the token file. An unknown token raises KeyError."""
        known = self._colors.get(token)
        if known is None:
            known = self._colors[token] = QColor(tokens().colors[token][self._dark])
        return QColor(known)

    def font(self, role: str, weight: int | None = None, mono: bool = False) -> QFont:
        """The font of a type role, in its weight or another; `mono` takes the code family at the role's size."""
        return QFont(self._font(role, weight, mono, tabular=False))

    def numbers(self, role: str, weight: int | None = None) -> QFont:
        """The role's font with figures of one width, for times and counts that tick."""
        return QFont(self._font(role, weight, mono=False, tabular=True))

    def font_for(self, text: str, font: QFont) -> QFont:
        """`font`, or how text with Han is set in it: not under the interface's size, 400 or 600, no tracking."""
        if not has_han(text):
            return font
        han = QFont(font)
        if self.pixels(font) < self._size and not self._is_mark(font):
            _set_pixels(han, float(self._size))
        if font.weight() == QFont.Weight.Medium:
            han.setWeight(QFont.Weight.Normal)
        han.setItalic(False)
        han.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0)
        return han

    def line(self, role: str) -> int:
        """Line height of a role in px, at the chosen font size."""
        style = tokens().roles[role]
        return style.line if style.fixed else round(self.size(role) * style.line / style.size)

    def size(self, role: str) -> float:
        """Font size of a role in px: all roles keep their difference to the interface's size."""
        style = tokens().roles[role]
        return float(style.size if style.fixed else style.size + self._size - UI_SIZE)

    def px(self, n: float) -> int:
        """A length that grows with the font size in proportion, such as a width made for text."""
        return round(n * self._size / UI_SIZE)

    def row(self, n: int, role: str = "ui", lines: int = 1) -> int:
        """Height of a row that is `n` high at the default size and holds `lines` lines of `role`."""
        return n + lines * (self.line(role) - tokens().roles[role].line)

    def focus_pen(self) -> QPen:
        """The pen of every focus ring."""
        return QPen(self.color("focus.ring"), FOCUS_WIDTH)

    @staticmethod
    def pixels(font: QFont) -> float:
        """Size of a font in px, whichever way it was set."""
        return float(font.pixelSize()) if font.pixelSize() > 0 else font.pointSizeF() * _dpi() / _POINTS

    # Inside

    def _font(self, role: str, weight: int | None, mono: bool, *, tabular: bool) -> QFont:
        key = (role, weight, mono, tabular)
        known = self._fonts.get(key)
        if known is None:
            known = self._fonts[key] = self._make_font(tokens().roles[role], role, weight, mono, tabular)
        return known

    def _make_font(self, style: TypeRole, role: str, weight: int | None, mono: bool, tabular: bool) -> QFont:
        load_fonts()
        mono = mono or style.mono
        font = QFont()
        font.setFamilies(families(self._language, mono=mono))
        _set_pixels(font, self.size(role))
        font.setWeight(QFont.Weight(weight or style.weight))
        if style.tracking:
            font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, style.tracking)
        if mono:
            for ligatures in ("liga", "calt"):
                font.setFeature(QFont.Tag(ligatures), 0)
        elif tabular or style.tabular:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _is_mark(self, font: QFont) -> bool:
        return font.weight() == QFont.Weight.Bold

    def _wants_dark(self) -> bool:
        return self._system_dark if self._scheme == "system" else self._scheme == "dark"

    def _read_system(self) -> None:
        if QGuiApplication.instance() is not None:
            self._system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def _system_changed(self, scheme: Qt.ColorScheme) -> None:
        self._system_dark = scheme == Qt.ColorScheme.Dark
        self._settle(changed=False)

    def _settle(self, *, changed: bool) -> None:
        dark = self._wants_dark()
        if dark == self._dark and not changed:
            return
        self._dark = dark
        self._forget()
        self.changed.emit()

    def _forget(self) -> None:
        self._colors.clear()
        self._fonts.clear()


def _dpi() -> float:
    screen = QGuiApplication.primaryScreen() if QGuiApplication.instance() is not None else None
    return screen.logicalDotsPerInch() if screen is not None else _FALLBACK_DPI


def _set_pixels(font: QFont, size: float) -> None:
    """Whole px as px; half ones only fit in points, which Qt turns back into px with the screen's density."""
    if size.is_integer():
        font.setPixelSize(int(size))
    else:
        font.setPointSizeF(size * _POINTS / _dpi())


_themes: list[Theme] = []


def theme() -> Theme:
    """The theme of the process, made when first asked for."""
    if not _themes:
        _themes.append(Theme())
    shown = _themes[0]
    if not shown.following:
        shown.follow_system()
    return shown
