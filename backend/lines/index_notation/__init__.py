"""Formulas in index notation for one cell: symbolic evaluation, gather, scatter."""
