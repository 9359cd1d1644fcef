"""Sends back what it reads, and ends at the end of stdin."""

import os

while data := os.read(0, 65536):
    os.write(1, data)
