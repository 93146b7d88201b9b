"""One backward line, read: as an equation, in index notation, and with a mistake in it."""
