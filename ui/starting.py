"""What is looked at before Qt is loaded: is there a display, are the system's libraries there.

Owns the sentences for what is missing. Qt itself ends the process with a page of loader errors in these cases, so
nothing of it is imported here. Never changes anything.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

PIP = 'pip install "PySide6-Essentials>=6.8,<6.12" pygments'
_SCREENLESS = frozenset({"offscreen", "minimal", "minimalegl", "linuxfb", "eglfs", "vkkhrdisplay", "vnc"})

DRAWING = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
"""Needed by Qt's own libraries: library to Debian package."""
X11 = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Needed for a window on X11."""
_LIBRARY = re.compile(r"lib[\w.+-]+\.so[.\d]*")


class CannotStart(Exception):
    """There can be no window. The text is one sentence that says what to do."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


def has_display(env: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Something is there to draw on: a screen of the system, or one that the person names for Qt."""
    if platform in {"win32", "darwin"}:
        return True
    wanted = env.get("QT_QPA_PLATFORM", "").split(";", 1)[0].split(":", 1)[0]
    if wanted == "xcb":
        return bool(env.get("DISPLAY"))
    if wanted.startswith("wayland"):
        return bool(env.get("WAYLAND_DISPLAY"))
    if wanted in _SCREENLESS:
        return True
    return bool(wanted or env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def no_display() -> CannotStart:
    """The sentence for it."""
    return CannotStart(
        "There is no display for a window: set DISPLAY or WAYLAND_DISPLAY, or use `codeg serve` and `codeg run`, "
        "which need none."
    )


def require_x11(
    env: Mapping[str, str], platform: str = sys.platform, load: "Callable[[str], Any] | None" = None
) -> None:
    """A window on X11 has all that it needs, a display that answers included; other systems need nothing of it.

    Raises:
        CannotStart: it has not.
    """
    if platform in {"win32", "darwin"} or not _is_x11(env):
        return
    load = load or _loader()
    lacking = missing(X11, load)
    if lacking:
        raise CannotStart(lacks(lacking))
    if not _answers(load("libxcb.so.1")):
        raise CannotStart(f"The display {env.get('DISPLAY')} does not answer: check DISPLAY and the right to use it.")


def why_not_imported(error: ImportError, load: "Callable[[str], Any] | None" = None) -> CannotStart | None:
    """The sentence for Qt that could not be imported; None = it was something else, and a fault of ours."""
    if (error.name or "").split(".", 1)[0] in {"PySide6", "shiboken6"} and isinstance(error, ModuleNotFoundError):
        return CannotStart(f"The desktop needs PySide6, which is not installed: {PIP}")
    found = _LIBRARY.search(str(error))
    if found is None:
        return None
    lacking = missing(DRAWING, load or _loader())
    return CannotStart(lacks(lacking) if lacking else f"The library {found[0]} of Qt is missing: {error}.")


def missing(libraries: Mapping[str, str], load: "Callable[[str], Any]") -> list[str]:
    """Packages of the libraries that cannot be loaded."""
    lacking: list[str] = []
    for library, package in libraries.items():
        try:
            load(library)
        except OSError:
            lacking.append(package)
    return lacking


def lacks(packages: Sequence[str]) -> str:
    """The sentence for missing packages."""
    names = " ".join(packages)
    return f"Qt needs libraries of the system that are missing: apt-get install --no-install-recommends {names}"


def _is_x11(env: Mapping[str, str]) -> bool:
    """Qt will take its X11 platform."""
    wanted = env.get("QT_QPA_PLATFORM", "").split(";", 1)[0].split(":", 1)[0]
    if wanted:
        return wanted == "xcb"
    return bool(env.get("DISPLAY")) and not env.get("WAYLAND_DISPLAY")


def _loader() -> "Callable[[str], Any]":
    import ctypes  # noqa: PLC0415  # only where Qt draws on X11

    return ctypes.CDLL


def _answers(xcb: Any) -> bool:
    """The display takes a connection."""
    import ctypes  # noqa: PLC0415  # likewise

    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
