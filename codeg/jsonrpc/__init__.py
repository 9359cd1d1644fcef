"""JSON-RPC 2.0 without I/O."""
