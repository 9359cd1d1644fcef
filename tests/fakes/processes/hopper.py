"""Never stays: each process starts its heir in a session of its own and ends at once, some hundred times a second."""

import os
import signal
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    while True:
        time.sleep(0.002)
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
os.write(1, b"ready\n")
while True:
    signal.pause()
