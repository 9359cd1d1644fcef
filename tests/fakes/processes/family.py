"""Has every kind of descendant: deaf to TERM, in a session of its own, orphaned, orphaned in a session of its own."""

import os
import signal


def deaf(new_session: bool) -> None:
    if new_session:
        os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(told, b"x")
    while True:
        signal.pause()


def start(new_session: bool, orphan: bool) -> None:
    if os.fork() == 0:
        if orphan and os.fork() != 0:
            os._exit(0)
        deaf(new_session)


heard, told = os.pipe()
for session in (False, True):
    for orphan in (False, True):
        start(session, orphan)
count = 0
while count < 4:
    count += len(os.read(heard, 4))
os.write(1, b"ready\n")
while True:
    signal.pause()
