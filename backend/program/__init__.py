"""The request: program text and tensors; lessons, starting points and their data."""
