"""The local Jacobian of a node with respect to one of its inputs, what pattern it makes, and what it brings back."""
