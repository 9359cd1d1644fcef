"""Rules of every test of the desktop: no screen is needed, Qt's warnings fail, nothing is left behind.

Owns the offscreen platform, the look, and the guards; resets the theme and the clock between tests.
"""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported

import gc
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QObject,
    QThread,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import getCppPointer, isValid

from ui.theme.apply import apply
from ui.theme.clock import clock
from ui.theme.theme import theme

_BAD = {QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg}
_HARMLESS = ("This plugin does not support",)  # the offscreen platform has no window manager to hint to
_QTS_OWN = ("QTipLabel", "QWhatsThat")


@pytest.fixture(scope="session")
def qapp(qapp_args: list[str], qapp_cls: type[QApplication]) -> QApplication:
    """The application of all tests, with our look."""
    app = qapp_cls.instance() or qapp_cls(qapp_args)
    assert isinstance(app, QApplication)
    apply(app)
    QCursor.setPos(790, 790)  # out of the way: a window that opens under the pointer is hovered
    gc.collect()
    gc.freeze()  # what was there before the first test is never looked at again: the guard stays quick
    return app


@pytest.fixture(autouse=True)
def plain_theme(qapp: QApplication) -> Iterator[None]:
    """Every test starts in the light theme at the default size, and with a clock that nobody watches."""
    _plain()
    yield
    _plain()


@pytest.fixture(autouse=True)
def nothing_left(plain_theme: None) -> Iterator[None]:
    """Fail a test that leaves a window, a running timer without an owner, or a thread."""
    before = {_address(widget) for widget in QApplication.topLevelWidgets()}
    yield
    QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    QCoreApplication.processEvents()
    if left_behind(before):
        gc.collect()  # what only Python held goes now; it is slow, so only on suspicion
        QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    left = left_behind(before)
    for widget in left:  # the next test starts clean all the same
        if isinstance(widget, QWidget):
            widget.hide()
            widget.deleteLater()
        elif isinstance(widget, QTimer):
            widget.stop()
    assert not left, "the test left windows, timers or threads"


@pytest.fixture(autouse=True)
def qt_warnings(nothing_left: None) -> Iterator[list[str]]:
    """A warning of Qt fails the test; a test that provokes one clears the list."""
    said: list[str] = []

    def note(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind in _BAD and not text.startswith(_HARMLESS):
            said.append(text)

    before = qInstallMessageHandler(note)
    yield said
    qInstallMessageHandler(before)
    assert said == []


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Callable[[QWidget], None]]:
    """Show a widget and wait for its window; it is kept, and closed and deleted at the end."""
    kept: list[QWidget] = []  # qtbot holds only weak references

    def shown(widget: QWidget) -> None:
        kept.append(widget)
        qtbot.addWidget(widget)
        with qtbot.waitExposed(widget, timeout=5000):
            widget.show()

    yield shown
    kept.clear()


def _plain() -> None:
    theme().reset()
    theme().set_scheme("light")
    theme().changed.emit()
    clock().reset()


def left_behind(before: set[int]) -> list[QObject]:
    """Windows, ownerless running timers, and running threads."""
    tops = [widget for widget in QApplication.topLevelWidgets() if isValid(widget)]
    windows = [widget for widget in tops if _address(widget) not in before and _parent(widget) is None]
    shown: list[QObject] = [widget for widget in windows if not any(widget.inherits(own) for own in _QTS_OWN)]
    return [*shown, *(thing for thing in _living(QTimer, QThread) if _runs_on(thing))]


def _runs_on(thing: QObject) -> bool:
    if isinstance(thing, QTimer):
        return thing.isActive() and _parent(thing) is None
    return isinstance(thing, QThread) and thing is not QThread.currentThread() and thing.isRunning()


def _living(*kinds: type[QObject]) -> list[QObject]:
    wanted = set[type[QObject]]().union(*(_below(kind) for kind in kinds))
    return [thing for thing in gc.get_objects() if type(thing) in wanted and isValid(thing)]


def _below(kind: type[QObject]) -> set[type[QObject]]:
    """A type and all below it: quicker to look up than to ask each object of the process."""
    return {kind}.union(*(_below(below) for below in kind.__subclasses__()))


def _address(widget: QWidget) -> int:
    return int(getCppPointer(widget)[0])  # Python's wrappers come and go, and their ids with them


def _parent(thing: QObject) -> QObject | None:
    return thing.parent()
