"""Runs pytest in a network namespace that holds nothing but loopback, where the system lets us: what works there needs no network.

    python -m tests.realclients.loopback [PYTEST ARGUMENTS]

Owns the namespace and its one device; becomes pytest, and says so in one line where it must run without.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys

_NEW_NETWORK = 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1


def bring_up() -> None:
    """Switch the loopback device on; raises OSError where that is not allowed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(handle, _GET_FLAGS, request))[1]
        fcntl.ioctl(handle, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def enter() -> str | None:
    """Leave the network. The reason when that is not possible; then nothing has changed."""
    if sys.platform != "linux":
        return "this system has no network namespaces"
    system = ctypes.CDLL(None, use_errno=True)
    before = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        if system.unshare(_NEW_NETWORK) != 0:
            return os.strerror(ctypes.get_errno())
        try:
            bring_up()
        except OSError as error:
            system.setns(before, _NEW_NETWORK)
            return str(error.strerror)
    finally:
        os.close(before)
    return None


def main() -> None:
    reason = enter()
    if reason is not None:
        print(f"The network stays within reach: {reason}.", file=sys.stderr, flush=True)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[1:]])


if __name__ == "__main__":
    main()
