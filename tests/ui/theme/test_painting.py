"""Text in one line, hairlines, boxes, paragraphs: what lands on the device's pixels."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from tests.ui.theme.pictures import inked, painted
from ui.theme.painting import draw_text, fit_text, hairline, mix, rounded, text_width
from ui.theme.paragraph import draw_paragraph, line_of, paragraph_height
from ui.theme.script import has_han, is_rtl
from ui.theme.theme import theme

INK = QColor(Qt.GlobalColor.black)
ARABIC = "إصلاح خطأ المنطقة الزمنية في صفحة الدخول"


@pytest.mark.parametrize(("scale", "thick"), [(1.0, 1), (1.25, 1), (1.5, 2), (2.0, 2), (3.0, 3)])
def test_a_hairline_is_whole_device_pixels(scale: float, thick: int) -> None:
    image = painted(lambda painter: hairline(painter, 0, 7, 20, 7, INK), 20, 20, scale)
    rows = {y for _, y in inked(image)}
    assert len(rows) == thick
    assert all(image.pixelColor(5, y) == INK for y in rows)  # no grey: it lies on the grid


def test_a_hairline_on_the_far_edge_is_pulled_inside() -> None:
    level = painted(lambda painter: hairline(painter, 0, 20, 20, 20, INK), 20, 20)
    upright = painted(lambda painter: hairline(painter, 20, 0, 20, 20, INK), 20, 20)
    assert {y for _, y in inked(level)} == {19}
    assert {x for x, _ in inked(upright)} == {19}


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_an_outline_is_crisp_and_inside_its_box(scale: float) -> None:
    image = painted(lambda painter: rounded(painter, QRectF(2, 2, 30, 20), 6, None, INK), 40, 30, scale)
    across = [x for x in range(image.width()) if image.pixelColor(x, image.height() // 2) != QColor("white")]
    assert all(image.pixelColor(x, image.height() // 2) == INK for x in across)
    assert min(across) == round(2 * scale)
    assert max(across) == round(32 * scale) - 1


def test_text_that_fits_is_not_cut() -> None:
    font = theme().font("ui")
    shown, width, _ = fit_text("Codex", font, 200)
    assert shown == "Codex"
    assert width == text_width("Codex", font)


def test_a_long_text_is_cut_at_its_end_and_a_path_in_its_middle() -> None:
    path = "services/payments/retry/very/deep/down/budget.py"
    end, width, _ = fit_text(path, theme().font("ui"), 120)
    middle, _, _ = fit_text(path, theme().font("code.small"), 150, "middle")
    assert end.startswith("services")
    assert end.endswith("…")
    assert width <= 120
    assert middle.endswith("budget.py")


def draw_line(text: str, direction: Qt.LayoutDirection, align: Qt.AlignmentFlag) -> list[int]:
    def paint(painter: QPainter) -> None:
        painter.setLayoutDirection(direction)
        draw_text(painter, QRectF(0, 0, 400, 20), text, theme().font("ui"), INK, align=align)
        assert painter.layoutDirection() == direction

    return sorted({x for x, _ in inked(painted(paint, 400, 20))})


LTR, RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
START, END = Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignTrailing


@pytest.mark.parametrize("text", ["Codex", ARABIC])
@pytest.mark.parametrize(
    ("direction", "align", "at_left"),
    [(LTR, START, True), (LTR, END, False), (RTL, START, False), (RTL, END, True)],
)
def test_a_text_of_any_direction_starts_at_the_leading_edge(
    text: str, direction: Qt.LayoutDirection, align: Qt.AlignmentFlag, at_left: bool
) -> None:
    places = draw_line(text, direction, align)
    assert places[0] < 8 if at_left else places[-1] > 391


def test_an_arabic_text_is_cut_at_its_own_end() -> None:
    shown, _, _ = fit_text(ARABIC, theme().font("ui"), 120)
    assert shown[:5] == ARABIC[:5]
    assert shown.endswith("…")


def test_a_million_letters_cost_no_more_than_a_line() -> None:
    shown, width, _ = fit_text("x" * 1_000_000, theme().font("ui"), 300)
    assert len(shown) < 200
    assert width <= 300


@pytest.mark.parametrize(
    ("text", "han", "rtl"),
    [("Codex", False, False), ("修复登录", True, False), ("Fix 登录", True, False), (ARABIC, False, True), ("12 عربي", False, True),
     ("ひらがな", True, False), ("한국어", True, False), ("עברית", False, True), ("", False, False)],
)  # fmt: skip
def test_scripts_are_known(text: str, han: bool, rtl: bool) -> None:
    assert has_han(text) is han
    assert is_rtl(text) is rtl


def test_a_paragraph_has_the_lines_height_of_the_design() -> None:
    text = "The settlement job goes last because it needs a migration. " * 4
    height = paragraph_height(text, "prose", 300)
    assert height % 22 == 0
    assert height >= 3 * 22
    assert paragraph_height("服务", "prose", 300) == 24
    assert line_of("服务", "ui") == 20


def test_a_paragraph_is_cut_after_its_most_lines() -> None:
    text = "word " * 200
    assert paragraph_height(text, "ui", 200, most=3) == 60
    image = painted(lambda p: draw_paragraph(p, QRectF(0, 0, 200, 400), text, "ui", INK, most=3), 200, 400)
    assert max(y for _, y in inked(image)) < 60


def test_a_word_longer_than_the_line_is_broken() -> None:
    assert paragraph_height("x" * 200, "ui", 100) > 20


def test_line_breaks_are_kept() -> None:
    assert paragraph_height("one\ntwo\r\nthree", "small", 400) == 48


def test_a_mix_is_opaque() -> None:
    half = mix(QColor(Qt.GlobalColor.black), QColor(Qt.GlobalColor.white), 0.5)
    assert half.alpha() == 255
    assert 126 <= half.red() <= 129
