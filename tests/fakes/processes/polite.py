"""Ignores the end of stdin, but ends on TERM with code 7 and says so."""

import os
import signal


def end(_number: int, _frame: object) -> None:
    os.write(1, b"bye\n")
    os._exit(7)


signal.signal(signal.SIGTERM, end)
os.write(1, b"ready\n")
while True:
    signal.pause()
