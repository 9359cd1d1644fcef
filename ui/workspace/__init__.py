"""The window that puts the parts together."""
