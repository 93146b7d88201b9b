"""Verdicts: gradients against autograd's in two precisions, and the reason for every difference."""
