"""Code as found, lowered to chunks: what is known is run, operations on tensors are written."""
