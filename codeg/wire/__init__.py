"""The socket protocol without I/O: frames, places, records, requests."""
