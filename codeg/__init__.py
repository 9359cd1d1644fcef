"""Codeg: delegation between coding agents. The package root imports nothing."""
