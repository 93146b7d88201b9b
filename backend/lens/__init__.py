"""One number opened: which cells of other tensors it is made from, or which gradients reach it, by which way."""
