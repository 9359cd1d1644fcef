"""Icons by name: the Lucide drawings (ISC licence, `svg/LICENSE`) in any colour, crisp at any scale.

Owns the bundled SVGs and one parsed drawing for each name and colour. Nothing is kept as pixels by this module.
"""
# ruff: noqa: N802  # Qt overrides

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ui.theme.painting import mirrored
from ui.theme.theme import theme

ICON_FOLDER = Path(__file__).with_name("svg")

# Mirrored in a right-to-left layout; check, clock, stop and all others keep their direction (design 10).
MIRRORED = frozenset({
    "arrow-left", "arrow-right", "arrow-up-right", "chevron-left", "chevron-right", "corner-down-left",
    "corner-up-left", "external-link", "list", "list-checks", "list-plus", "list-tree", "log-in", "log-out",
    "message-square", "message-square-plus", "messages-square", "panel-left", "panel-right", "reply", "send",
    "text-align-start", "text-search",
    "align-left", "git-branch", "git-fork", "git-merge", "undo-2", "redo-2",
})  # fmt: skip


@lru_cache(maxsize=1)
def icon_names() -> frozenset[str]:
    """All names that can be drawn."""
    return frozenset(path.stem for path in ICON_FOLDER.glob("*.svg"))


@lru_cache(maxsize=256)
def _drawing(name: str) -> str:
    return (ICON_FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", color).encode()))


def draw_icon(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Draw an icon into `rect`, mirrored where the layout is and the drawing has a direction.

    An unknown name raises FileNotFoundError.
    """
    renderer = _renderer(name, color.name())
    if not (name in MIRRORED and mirrored(painter)):
        renderer.render(painter, rect)
        return
    painter.save()
    painter.translate(rect.center().x() * 2, 0)
    painter.scale(-1, 1)
    renderer.render(painter, rect)
    painter.restore()


class _Engine(QIconEngine):
    """Draws by name and token each time, so that an icon follows the theme and the screen."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name, self._token = name, token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:  # noqa: ARG002  # Qt's signature
        token = "text.muted" if mode == QIcon.Mode.Disabled else self._token
        draw_icon(painter, QRectF(rect), self._name, theme().color(token))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        made = _Engine(self._name, self._token)
        _clones.append(made)
        return made


_clones: list[QIconEngine] = []  # Qt owns a clone, but only Python holds its methods


def icon(name: str, token: str = "text.secondary") -> QIcon:  # noqa: S107  # a colour, no secret
    """An icon for Qt's own menus and views. It follows the theme when repainted."""
    if name not in icon_names():
        raise FileNotFoundError(name)
    return QIcon(_Engine(name, token))
