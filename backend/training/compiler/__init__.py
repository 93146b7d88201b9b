"""Printed lines compiled: their algebra simplified, then calls of NumPy on fixed arrays."""
