"""Layers, functions and distributions of PyTorch in the language of code as found."""
