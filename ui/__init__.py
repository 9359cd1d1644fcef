"""The desktop: a Qt front end on `codeg.api`. Importing this imports nothing else."""
