"""The token file is the only place with colours, and the package holds every drawing and font that is asked for."""

import ast
import re
from collections.abc import Iterator
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


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(UI)))
def test_no_colour_stands_outside_the_token_file(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert [text for text in texts if HEX.fullmatch(text)] == []
    colors = [call for name, call in calls(path) if name in {"QColor", "fromRgb", "fromHsv", "fromHsl"}]
    assert [ast.unparse(call) for call in colors if call.args and isinstance(call.args[0], ast.Constant)] == []
    globals_ = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_global_color(node)]
    assert [name for name in globals_ if name != "transparent"] == []


def _is_global_color(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "GlobalColor"


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(UI)))
def test_no_widget_has_a_stylesheet_or_an_effect(path: Path) -> None:
    assert [name for name, _ in calls(path) if name in {"setStyleSheet", "setGraphicsEffect", "setWindowOpacity"}] == []


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(UI)))
def test_every_icon_that_is_asked_for_is_bundled(path: Path) -> None:
    assert icons_asked_for(path) <= icon_names()


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(UI)))
def test_every_colour_that_is_asked_for_is_a_token(path: Path) -> None:
    asked = {text for name, call in calls(path) if name == "color" and call.args for text in strings(call.args[0])}
    assert asked <= set(tokens().colors)


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


@pytest.mark.parametrize("path", sorted(ICON_FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_an_icon_is_a_line_of_the_right_weight(path: Path) -> None:
    drawing = path.read_text(encoding="utf-8")
    assert 'stroke-width="2.1"' in drawing  # of 24 units: 1.4 px at 16 px
    assert 'stroke-linecap="round"' in drawing
    assert 'stroke-linejoin="round"' in drawing
    assert "currentColor" in drawing


def test_an_unknown_icon_is_refused() -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")
    assert callable(draw_icon)
