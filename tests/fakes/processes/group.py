"""Leaves an orphan in its process group and a descendant in a session of its own, both deaf to TERM, and stays."""

import os
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
heard, told = os.pipe()
for new_session in (False, True):
    if os.fork() == 0:
        if not new_session and os.fork() != 0:
            os._exit(0)
        if new_session:
            os.setsid()
        os.write(told, b"x")
        while True:
            signal.pause()
count = 0
while count < 2:
    count += len(os.read(heard, 2))
os.write(1, b"ready\n")
while True:
    signal.pause()
