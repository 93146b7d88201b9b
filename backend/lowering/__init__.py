"""Code as found becomes chunks: what is known is run, and each operation on tensors is written down."""
