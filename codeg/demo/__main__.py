"""`codeg-demo-agent`: the built-in offline agent, an ACP agent over stdio.

Owns the process: descriptor 1 is kept for the protocol, stray prints go to stderr. Ends at end of input.
"""

import os
import sys

import anyio

from codeg.demo.pipes import Descriptors, Lines
from codeg.demo.server import Server
from codeg.wire.version import VERSION

USAGE = """usage: codeg-demo-agent [--version]
An ACP agent over stdin and stdout that works offline. It is no language model.
"""


def main() -> None:
    """Entry point."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"codeg-demo-agent {VERSION}\n")
        return
    if arguments:
        sys.stderr.write(USAGE)
        raise SystemExit(0 if arguments[0] in {"-h", "--help"} else 2)
    protocol = os.dup(1)
    os.dup2(2, 1)
    try:
        anyio.run(Server(Lines(Descriptors(0, protocol))).run)
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
