"""The chunk language: a small, allow-listed subset of the Python that PyTorch users already write."""
