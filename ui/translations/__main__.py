"""Bring the catalogues up to date with the source; say what is still to translate (`./dev strings` compiles them too).

Ends with exit code 1 while a text is unfinished.
"""

import os
import sys

from ui.translations import FOLDER, LANGUAGES
from ui.translations.catalogue import read, texts_of, write


def main() -> int:
    """Update and report."""
    texts = texts_of(os.path.dirname(FOLDER))
    missing = 0
    for language in LANGUAGES:
        path = os.path.join(FOLDER, f"codeg_{language}.ts")
        translated = read(path)
        write(path, language, texts, translated)
        for text in texts:
            if text.source not in translated:
                missing += 1
                print(f"{language}: {text.source!r} ({text.where})")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
