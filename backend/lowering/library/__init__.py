"""Layers, functions, methods and distributions of PyTorch, written in the language of code as found."""
