"""Printed lines compiled: run once, and noted as calls of NumPy on fixed arrays."""
