"""The request: program text and tensors; lessons, starting points, and the runs that are kept."""
