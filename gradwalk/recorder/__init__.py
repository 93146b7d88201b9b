"""Records a model as it runs in its owner's process: calls of PyTorch become lines of the language."""
