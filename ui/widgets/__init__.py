"""Widgets: data in, signals out. None knows the host."""
