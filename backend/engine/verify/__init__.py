"""Verdicts: gradients against autograd's in two precisions, the reason for every difference."""
