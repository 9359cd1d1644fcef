"""Contrast of every pair of colours in use (design 4.1; WCAG 2.2, 1.4.3 and 1.4.11)."""

import pytest

from ui.theme.tokens import tokens
from ui.viewmodels.states import State

GROUNDS = ("bg.sidebar", "bg.canvas", "bg.surface", "bg.sunken", "bg.hover", "bg.selected")
STATES = tuple(state.value for state in State if state is not State.IDLE)
CODE = ("code.keyword", "code.string", "code.number", "code.comment", "code.function")
THEMES = ("light", "dark")


def text_pairs() -> list[tuple[str, str]]:
    plain = ("text.primary", "text.secondary", "text.muted", "accent.text")
    pairs = [(text, ground) for text in plain for ground in GROUNDS]
    pairs += [(f"{state}.text", ground) for state in STATES for ground in (f"{state}.tint", *GROUNDS)]
    pairs += [("text.on-accent", "accent.fill"), ("text.on-accent", "accent.hover"), ("accent.text", "accent.tint")]
    pairs += [(text, tint) for text in plain[:3] for tint in ("accent.tint", "waiting.tint")]
    pairs += [("waiting.on-fill", "waiting.fill")]
    pairs += [(f"diff.{side}.text", f"diff.{side}.bg") for side in ("add", "del")]
    pairs += [("text.muted", f"diff.{side}.bg") for side in ("add", "del")]
    pairs += [(code, ground) for code in CODE for ground in ("bg.sunken", "bg.surface", "diff.add.bg", "diff.del.bg")]
    return pairs


def mark_pairs() -> list[tuple[str, str]]:
    pairs = [("focus.ring", ground) for ground in (*GROUNDS, "waiting.tint")]
    pairs += [("border.control", ground) for ground in (*GROUNDS[:4], "waiting.tint")]
    pairs += [(f"{state}.mark", ground) for state in STATES for ground in (f"{state}.tint", *GROUNDS)]
    pairs += [("accent.fill", ground) for ground in GROUNDS[:4]]  # a switch that is on, a checked box
    return pairs


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(first: str, second: str, dark: bool) -> float:
    colors = tokens().colors
    light, shade = sorted((luminance(colors[first][dark]), luminance(colors[second][dark])), reverse=True)
    return (light + 0.05) / (shade + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=THEMES)
def test_text_can_be_read(dark: bool) -> None:
    assert [pair for pair in text_pairs() if ratio(*pair, dark) < 4.5] == []


@pytest.mark.parametrize("dark", [False, True], ids=THEMES)
def test_marks_and_outlines_of_controls_can_be_seen(dark: bool) -> None:
    assert [pair for pair in mark_pairs() if ratio(*pair, dark) < 3.0] == []


@pytest.mark.parametrize(("dark", "text", "mark"), [(False, 4.93, 3.35), (True, 5.16, 3.76)], ids=THEMES)
def test_the_lowest_ratios_are_those_of_the_design(dark: bool, text: float, mark: float) -> None:
    assert round(min(ratio(*pair, dark) for pair in text_pairs()), 2) == text
    assert round(min(ratio(*pair, dark) for pair in mark_pairs()), 2) == mark


def test_both_themes_have_every_token() -> None:
    assert len(tokens().colors) == 55
    assert all(len(pair) == 2 and all(color.startswith("#") for color in pair) for pair in tokens().colors.values())
