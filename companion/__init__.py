"""The companion: the stdio MCP process through which an agent reaches the host. Standard library only."""
