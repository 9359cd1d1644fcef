"""The built-in offline agent."""
