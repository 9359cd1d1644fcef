"""What lies under and beside the rows of a feed: the rail, icons on it, badges, marks of a search.

Owns painting only. Rows paint themselves, in the text column.
"""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, draw_person, letters_of
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, hairline, rounded
from ui.theme.theme import theme
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.estimates import Kind
from ui.widgets.feed.geometry import Geometry
from ui.widgets.feed.layout import FeedLayout, Spot
from ui.widgets.feed.row_view import Sign
from ui.wording import tr

_CUT = metrics.ICON_RAIL / 2 + metrics.SPACE_4
"""The rail stops so far from the middle of an icon."""
_OUT = metrics.SPACE_4


class Ground:
    """Paints for one feed."""

    def __init__(self, ctx: FeedContext, nested: bool) -> None:
        self._ctx, self._nested = ctx, nested
        self.found: frozenset[str] = frozenset()
        self.found_current: str | None = None

    def paint(self, widget: QWidget, area: QRect, layout: FeedLayout, loading: int | None) -> None:
        """Everything in `area`. `loading`: rows known so far of a transcript that is still read."""
        painter = QPainter(widget)
        painter.fillRect(area, theme().color("bg.sunken" if self._nested else "bg.canvas"))
        if loading is not None:
            self._paint_loading(painter, layout.place, loading)
        else:
            for spot in layout.spots:
                self._paint_found(painter, spot, layout.place)
            self._paint_rail(painter, widget, layout)
            for spot in layout.spots:
                self._paint_badge(painter, widget, spot, layout.place)
        painter.end()

    @staticmethod
    def _paint_loading(painter: QPainter, place: Geometry, count: int) -> None:
        words = tr("Opening %n entries…", n=count) if count else tr("Opening…")
        line = QRectF(place.left, place.top, place.width, theme().row(metrics.LINE_ROW))
        draw_text(painter, line, words, theme().font("ui"), theme().color("text.muted"))

    def _paint_found(self, painter: QPainter, spot: Spot, place: Geometry) -> None:
        if spot.key not in self.found:
            return
        band = QRectF(place.left - _OUT, spot.view_top - 2, place.width + 2 * _OUT, spot.view_height + 4)
        outline = theme().color("accent.fill") if spot.key == self.found_current else None
        rounded(painter, band, metrics.RADIUS_6, theme().color("accent.tint"), outline)

    # ---- the rail

    def _paint_rail(self, painter: QPainter, widget: QWidget, layout: FeedLayout) -> None:
        place = layout.place
        signs = [(spot, sign) for spot in layout.spots for sign in spot.view.signs()]
        x = _mirrored(widget, place.rail, 0)
        if place.depth > 0:
            stops = [spot.view_top + sign.y for spot, sign in signs]
            self._paint_pieces(painter, x, (0, widget.height()), stops)
        elif not place.above:
            for run in _runs(layout.spots):
                stops = [spot.view_top + sign.y for spot in run for sign in spot.view.signs()]
                if len(stops) > 1:
                    self._paint_pieces(painter, x, (stops[0], stops[-1]), stops)
        for spot, sign in signs:
            self._paint_sign(painter, widget, place, (spot, sign))

    @staticmethod
    def _paint_pieces(painter: QPainter, x: float, reach: tuple[float, float], stops: list[float]) -> None:
        at, color = reach[0], theme().color("border.default")
        for stop in [*stops, reach[1] + _CUT]:
            if stop - _CUT > at:
                hairline(painter, x, at, x, stop - _CUT, color)
            at = max(at, stop + _CUT)

    @staticmethod
    def _paint_sign(painter: QPainter, widget: QWidget, place: Geometry, found: tuple[Spot, Sign]) -> None:
        spot, sign = found
        if spot.view.stand.inline:
            return
        side, y = metrics.ICON_RAIL, spot.view_top + sign.y
        left = _mirrored(widget, place.rail - side / 2, side)
        draw_icon(painter, QRectF(left, y - side / 2, side, side), sign.icon, theme().color("text.muted"))
        if sign.joined:
            ends = sorted((_mirrored(widget, place.rail + _CUT, 0), _mirrored(widget, place.left, 0)))
            hairline(painter, ends[0], y, ends[1], y, theme().color("border.default"))

    # ---- badges

    def _paint_badge(self, painter: QPainter, widget: QWidget, spot: Spot, place: Geometry) -> None:
        if place.depth > 0 or not (spot.shape.first or spot.shape.own):
            return
        side = metrics.BADGE_MESSAGE
        left = _mirrored(widget, place.badge, side)
        if place.above:
            top = float(spot.view_top - side - metrics.SPACE_4)
        elif spot.shape.own:
            top = float(spot.view_top)
        else:
            top = spot.view_top + round(spot.view.first_line() - side / 2)
        box = QRectF(left, top, side, side)
        if spot.shape.own:
            draw_person(painter, box)
            return
        world, session_id = self._ctx.world, self._ctx.session_id
        letters = letters_of(world.agent_of(session_id), world.agent_name(session_id))
        draw_agent_badge(painter, box, letters)
        if place.above:
            room = place.width - side - metrics.SPACE_8
            beside = QRectF(_mirrored(widget, place.left + side + metrics.SPACE_8, room), top, room, side)
            draw_text(
                painter, beside, world.agent_name(session_id), theme().font("ui", 600), theme().color("text.primary")
            )


def _runs(spots: list[Spot]) -> list[list[Spot]]:
    """Lines that follow each other without anything between."""
    runs: list[list[Spot]] = []
    for spot in spots:
        on_rail = spot.shape.kind is Kind.LINE and not spot.view.stand.inline
        if on_rail and runs and runs[-1] and runs[-1][-1].number == spot.number - 1:
            runs[-1].append(spot)
        elif on_rail:
            runs.append([spot])
    return runs


def _mirrored(widget: QWidget, x: float, width: float) -> float:
    return widget.width() - x - width if widget.layoutDirection() == Qt.LayoutDirection.RightToLeft else x
