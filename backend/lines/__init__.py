"""A line, read: as an equation of tensors, in index notation for one cell, with a mistake in it."""
