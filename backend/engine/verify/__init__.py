"""Verdicts: gradients against autograd's in two precisions, a reason for each difference."""
