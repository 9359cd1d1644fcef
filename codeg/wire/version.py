"""Version of the product and of the socket protocol. Compared by a test with `pyproject.toml`."""

PROTOCOL = 1
VERSION = "0.1.0"
