"""The window in other languages, through Qt's translation system (design 10).

Owns the loading of a compiled catalogue; English stands in the source and needs none. `python -m ui.translations`
brings the catalogues up to date with the source. Ends with the application.
"""

import os

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from ui import wording

CONTEXT = "codeg"
LANGUAGES = ("zh_CN",)
FOLDER = os.path.dirname(os.path.abspath(__file__))

_installed: list[QTranslator] = []


def chosen(setting: str) -> str:
    """The language of a setting: `system` takes the desktop's, if we have it; else English."""
    if setting != "system":
        return setting if setting in LANGUAGES else "en"
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


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
    translator = QTranslator()
    if translator.load(os.path.join(FOLDER, f"codeg_{language}.qm")):
        application.installTranslator(translator)
        _installed.append(translator)
        wording.use(_translate)


def _translate(text: str, n: int | None) -> str:
    return QCoreApplication.translate(CONTEXT, text, None, -1 if n is None else n)
