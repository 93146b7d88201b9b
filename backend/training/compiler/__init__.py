"""Printed lines compiled: their algebra simplified, calls of NumPy on fixed arrays."""
