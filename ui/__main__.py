"""`python -m ui`: the desktop alone, with `--home DIR` as its only word. `codeg` is the door for people."""

import sys

from ui.app import main

if __name__ == "__main__":
    words = sys.argv[1:]
    raise SystemExit(main(words[1] if words[:1] == ["--home"] and len(words) > 1 else None))
