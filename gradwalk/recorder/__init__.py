"""Records a model as it runs in its owner's process, call by call, in the small language."""
