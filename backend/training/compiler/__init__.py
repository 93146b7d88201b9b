"""Printed lines compiled: run once, and noted as calls of NumPy that write into fixed arrays."""
