"""SQLite: what must survive. Schema and migrations, tasks, conversations, settings."""
