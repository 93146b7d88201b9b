"""Filling a table that lacks tensors: shapes that agree with each other, in small sizes that can be changed."""
