"""The token file is the only place with colours, and the package holds every drawing and font that is asked for."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ui.theme.fonts import FONT_FILES, FONT_FOLDER, load_fonts
from ui.theme.icons import ICON_FOLDER, MIRRORED, draw_icon, icon, icon_names
from ui.theme.tokens import TOKEN_FILE, tokens
from ui.viewmodels.states import State

UI = Path(__file__).resolve().parents[3] / "ui"
HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
TAKE_ICONS = frozenset({"draw_icon", "icon", "IconButton", "set_icon", "IconLabel"})


def sources() -> list[Path]:
    return sorted(UI.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            called = node.func
            yield (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")), node


def strings(node: ast.expr) -> list[str]:
    """The texts that an argument can be, through a conditional expression as well."""
    if isinstance(node, ast.IfExp):
        return [*strings(node.body), *strings(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def icons_asked_for(path: Path) -> set[str]:
    names: set[str] = set()
    for name, call in calls(path):
        if name in TAKE_ICONS and name != "draw_icon" and call.args:
            names.update(strings(call.args[0]))
        elif name == "draw_icon" and len(call.args) > 2:
            names.update(strings(call.args[2]))
        names.update(text for word in call.keywords if word.arg == "icon" for text in strings(word.value))
    return names - {""}


def test_no_colour_stands_outside_the_token_file() -> None:
    assert [found for path in sources() for found in colors_in(path)] == []


def colors_in(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and HEX.fullmatch(node.value):
            found.append(node.value)
        elif isinstance(node, ast.Attribute) and node.attr != "transparent" and _is_global_color(node):
            found.append(node.attr)
    makers = [call for name, call in calls(path) if name in {"QColor", "fromRgb", "fromHsv", "fromHsl"}]
    found += [ast.unparse(call) for call in makers if call.args and isinstance(call.args[0], ast.Constant)]
    return [f"{path.relative_to(UI)}: {color}" for color in found]


def _is_global_color(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "GlobalColor"


def test_no_widget_has_a_stylesheet_or_an_effect() -> None:
    banned = {"setStyleSheet", "setGraphicsEffect", "setWindowOpacity"}
    assert [str(path) for path in sources() if any(name in banned for name, _ in calls(path))] == []


def test_every_icon_that_is_asked_for_is_bundled() -> None:
    asked = {name: str(path.relative_to(UI)) for path in sources() for name in icons_asked_for(path)}
    assert {name: path for name, path in asked.items() if name not in icon_names()} == {}


def test_every_colour_that_is_asked_for_is_a_token() -> None:
    taking = {"color", "set_token", "set_ground"}
    asked = {
        text: str(path.relative_to(UI))
        for path in sources()
        for name, call in calls(path)
        if name in taking and call.args
        for text in strings(call.args[0])
    }
    assert {token: path for token, path in asked.items() if token not in tokens().colors} == {}


def test_every_state_has_its_colours() -> None:
    for state in State:
        if state is not State.IDLE:
            assert {f"{state}.mark", f"{state}.text", f"{state}.tint"} <= set(tokens().colors)


def test_the_package_is_complete() -> None:
    assert TOKEN_FILE.is_file()
    assert all((FONT_FOLDER / name).is_file() for name in FONT_FILES)
    assert {"OFL-Inter.txt", "OFL-JetBrainsMono.txt"} <= {path.name for path in FONT_FOLDER.iterdir()}
    assert "ISC License" in (ICON_FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert icon_names() >= MIRRORED


def test_all_bundled_fonts_can_be_loaded(qapp: object) -> None:
    assert load_fonts() == ()


def test_every_icon_is_a_line_of_the_right_weight() -> None:
    needed = ('stroke-width="2.1"', 'stroke-linecap="round"', 'stroke-linejoin="round"', "currentColor")
    for path in ICON_FOLDER.glob("*.svg"):  # 2.1 of 24 units are 1.4 px at 16 px
        assert all(part in path.read_text(encoding="utf-8") for part in needed), path.stem


def test_an_unknown_icon_is_refused() -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")
    assert callable(draw_icon)
