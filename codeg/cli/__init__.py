"""The command line: a front end like the window."""
