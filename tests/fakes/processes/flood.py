"""Writes so many bytes to stderr, in lines or as one line without an end, then `OK`."""

import os
import sys

left = int(sys.argv[1])
piece = b"noise " * 10 + (b"noise\n" if sys.argv[2] == "lines" else b"noise ")
block = piece * 1000
while left > 0:
    left -= os.write(2, block[:left])
os.write(1, b"OK\n")
os.read(0, 1)
