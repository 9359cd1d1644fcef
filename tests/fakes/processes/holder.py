"""Leaves a child that holds its stdout and stderr, says `ready`, and at the first line of stdin ends with code 3."""

import os
import signal

if os.fork() == 0:
    os.close(0)
    while True:
        signal.pause()
os.write(1, b"ready\n")
os.read(0, 100)
os.write(2, b"last words\n")
os.write(1, b"last answer\n")
os._exit(3)
