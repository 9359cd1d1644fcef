"""Why PySide6 stays below 6.12: that release drops a reference for each call without a result, and aborts Python 3.11."""

import subprocess
import sys

CODE = """
import sys
from PySide6.QtCore import QObject, Signal

class Sender(QObject):
    sent = Signal()

sender = Sender()
true, none = sys.getrefcount(True), sys.getrefcount(None)
for _ in range(20_000):
    sender.sent.emit()
    sender.setObjectName("")
assert sys.getrefcount(True) > true - 1_000, "references to True were lost"
assert sys.getrefcount(None) > none - 1_000, "references to None were lost"
print("kept")
"""


def test_void_calls_of_qt_lose_no_references() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", CODE], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "kept"), done.stderr[-2000:]
