"""What the window shows, without widgets: models fed with snapshots and numbered changes."""
