"""Recorded tensors in few bytes: each told by those it follows from, and by what that misses."""
