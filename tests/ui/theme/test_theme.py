"""The theme object: what it tells, and what it follows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QGuiApplication
from pytestqt.qtbot import QtBot

from ui.theme.fonts import families
from ui.theme.theme import theme
from ui.theme.tokens import tokens


def test_a_colour_follows_the_scheme() -> None:
    light, dark = tokens().colors["bg.canvas"]
    assert theme().color("bg.canvas") == QColor(light)
    theme().set_scheme("dark")
    assert theme().color("bg.canvas") == QColor(dark)


def test_a_colour_that_is_changed_by_its_taker_stays_the_themes() -> None:
    theme().color("accent.fill").setAlpha(3)
    assert theme().color("accent.fill").alpha() == 255


def test_an_unknown_token_is_an_error() -> None:
    with pytest.raises(KeyError):
        theme().color("bg.pink")


def test_a_change_is_told_once(qtbot: QtBot) -> None:
    told: list[int] = []
    theme().changed.connect(lambda: told.append(1))
    theme().set_scheme("dark")
    theme().set_scheme("dark")
    assert len(told) == 1
    theme().set_ui_size(15)
    theme().set_ui_size(15)
    assert len(told) == 2


def test_system_follows_the_desktop_live() -> None:
    hints = QGuiApplication.styleHints()
    theme().set_scheme("system")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme().dark
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert not theme().dark


def test_a_chosen_scheme_does_not_follow_the_desktop() -> None:
    theme().set_scheme("light")
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not theme().dark
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)


def test_an_odd_scheme_counts_as_the_systems() -> None:
    theme().set_scheme("pink")
    assert theme().scheme == "system"


@pytest.mark.parametrize(
    ("role", "size", "line"),
    [("display", 24, 32), ("title", 16, 24), ("prose", 14, 22), ("ui", 13, 20), ("small", 12, 16), ("code", 12.5, 20)],
)
def test_roles_have_the_sizes_of_the_design(role: str, size: float, line: int) -> None:
    assert theme().pixels(theme().font(role)) == pytest.approx(size)
    assert theme().line(role) == line


def test_all_sizes_keep_their_difference_to_the_chosen_one() -> None:
    theme().set_ui_size(16)
    assert theme().pixels(theme().font("ui")) == 16
    assert theme().pixels(theme().font("small")) == 15
    assert theme().pixels(theme().font("prose")) == 17
    assert theme().pixels(theme().font("code")) == pytest.approx(15.5)
    assert theme().line("ui") == 25
    assert theme().row(32) == 37


def test_letters_in_badges_keep_their_size() -> None:
    theme().set_ui_size(18)
    assert theme().pixels(theme().font("badge.20")) == pytest.approx(9.5)


@pytest.mark.parametrize(("asked", "taken"), [(4, 12), (99, 18), (14, 14)])
def test_the_size_stays_between_12_and_18(asked: int, taken: int) -> None:
    theme().set_ui_size(asked)
    assert theme().ui_size == taken


def test_the_bundled_fonts_are_taken() -> None:
    assert QFontInfo(theme().font("ui")).family() == "Inter"
    assert QFontInfo(theme().font("code")).family() == "JetBrains Mono"
    assert theme().font("ui", mono=True).families()[0] == "JetBrains Mono"


def test_figures_of_counts_have_one_width() -> None:
    numbers, plain = QFontMetricsF(theme().numbers("ui")), QFontMetricsF(theme().font("ui"))
    assert numbers.horizontalAdvance("1111") == pytest.approx(numbers.horizontalAdvance("0000"))
    assert plain.horizontalAdvance("1111") < plain.horizontalAdvance("0000")
    assert theme().font("small").isFeatureSet(QFont.Tag("tnum"))


def test_code_has_no_ligatures() -> None:
    code = QFontMetricsF(theme().font("code"))
    assert theme().font("code").featureValue(QFont.Tag("calt")) == 0
    assert code.horizontalAdvance("!=") == pytest.approx(2 * code.horizontalAdvance("="))


def test_text_with_han_is_not_small_and_not_medium() -> None:
    han = theme().font_for("服务", theme().font("small", 500))
    assert theme().pixels(han) == 13
    assert han.weight() == QFont.Weight.Normal
    assert theme().font_for("服务", theme().font("ui", 600)).weight() == QFont.Weight.DemiBold
    assert theme().font_for("服务", theme().font("display")).letterSpacing() == 0


def test_text_without_han_keeps_its_font() -> None:
    small = theme().font("small", 500)
    assert theme().font_for("Größe, تاريخ", small) == small


@pytest.mark.parametrize(
    ("language", "form"),
    [("zh-Hans", "SC"), ("zh_CN", "SC"), ("zh-TW", "TC"), ("ja", "JP"), ("ko", "KR"), ("de", "SC")],
)
def test_the_glyph_forms_are_those_of_the_language(language: str, form: str) -> None:
    forms = [name.rsplit(" ", 1)[-1] for name in families(language, mono=False) if name.startswith("Noto Sans CJK")]
    assert forms[:1] in ([form], [])  # none where the machine has no such font


def test_the_language_changes_fonts_and_is_told(qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme().changed, timeout=5000):
        theme().set_language("ja")
    assert theme().font("ui").families()[0] == "Inter"
