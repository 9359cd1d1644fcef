"""Agents: how a conversation is folded from updates, how an agent program is found, started, driven and ended."""
