"""Gradient checking by central differences of the loss."""
