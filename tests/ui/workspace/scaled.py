"""A program of its own: the window and its pages at the scale that the environment sets; prints what it measured."""

import json
import sys

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.worlds import a_desk
from ui.theme.apply import apply
from ui.widgets.controls import Button
from ui.workspace.window import MainWindow


def measured(widget: QWidget) -> "dict[str, float]":
    """Size and device pixels of a picture of a widget."""
    picture = widget.grab()
    return {"width": picture.width(), "ratio": picture.devicePixelRatio(), "asked": widget.width()}


def cut_buttons(window: QWidget) -> "list[str]":
    """Buttons that are narrower than their words."""
    buttons = [button for button in window.findChildren(Button) if button.isVisible() and button.text()]
    return [button.text() for button in buttons if button.width() < button.minimumSizeHint().width()]


def main() -> None:
    """Measure and print."""
    application = QApplication(sys.argv)
    apply(application)
    world, orders = a_desk()
    window = MainWindow(world, orders)
    window.resize(960, 640)
    window.show()
    window.memory.restore()
    for _ in range(50):
        application.processEvents()
    found: dict[str, object] = {"rounding": QGuiApplication.highDpiScaleFactorRoundingPolicy().name, "cut": []}
    for page in ("conversation", "inbox", "board", "settings"):
        window.show_page(page)
        for _ in range(20):
            application.processEvents()
        found[page] = measured(window)
        found["cut"] = [*found["cut"], *cut_buttons(window)]  # pyright: ignore[reportGeneralTypeIssues]  # a list
    print(json.dumps(found))
    window.may_close = True
    window.close()


if __name__ == "__main__":
    main()
