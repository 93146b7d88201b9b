"""The terms that one cell of a value or of a gradient is the sum of."""
