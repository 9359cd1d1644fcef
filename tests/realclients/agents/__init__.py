"""Real agent programs as children of the real host, over the Agent Client Protocol."""
