"""A live class: one who teaches, a wall, and students who answer; nobody has a name."""
