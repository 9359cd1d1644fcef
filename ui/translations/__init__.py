"""The window in other languages, through Qt's translation system (design 10).

Owns the loading of a compiled catalogue, and of Qt's own texts (menus of fields, dialogs); English stands in the
source and needs none. `python -m ui.translations` brings the catalogues up to date with the source. Ends with the
application.
"""

import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from ui import wording
from ui.wording_plurals import SINGULAR

CONTEXT = "codeg"
LANGUAGES = ("zh_CN",)
FOLDER = os.path.dirname(os.path.abspath(__file__))

_installed: list[QTranslator] = []


def chosen(setting: str) -> str:
    """The language of a setting: `system` takes the desktop's, if we have it; else English."""
    if setting != "system":
        return setting if setting in LANGUAGES else "en"
    return "zh_CN" if read_by_person(setting).replace("_", "-").partition("-")[0] == "zh" else "en"


def read_by_person(setting: str) -> str:
    """The language tag that decides the forms of Han glyphs: the setting, else the desktop's, had or not by us."""
    if setting != "system":
        return setting
    # What the person reads, not how dates are written: these differ on macOS and Windows.
    return next(iter(QLocale.system().uiLanguages()), "") or "en"


def install(language: str) -> None:
    """Speak this language from now on; texts that stand already stay."""
    application = QCoreApplication.instance()
    while _installed:
        if application is not None:
            application.removeTranslator(_installed[-1])
        _installed.pop()
    wording.use(None)
    if language not in LANGUAGES or application is None:
        return
    qts_own = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    _load(application, os.path.join(qts_own, f"qtbase_{language}.qm"))  # a Qt without it keeps English there
    ours = _load(application, os.path.join(FOLDER, f"codeg_{language}.qm"))
    if ours is not None:
        wording.use(lambda text, n: _said(ours, text, n))


def _load(application: QCoreApplication, path: str) -> QTranslator | None:
    translator = QTranslator()
    if not translator.load(path):
        return None
    application.installTranslator(translator)
    _installed.append(translator)
    return translator


def _said(translator: QTranslator, text: str, n: int | None) -> str:
    """The translation with its places still open: `wording` writes numbers. English where there is none."""
    said = translator.translate(CONTEXT, text, None, -1 if n is None else n)
    return said or (SINGULAR.get(text, text) if n == 1 else text)
