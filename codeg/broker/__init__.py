"""What a delegation is: tasks, events, effects and the table between them. Standard library only, no I/O, no clock."""
