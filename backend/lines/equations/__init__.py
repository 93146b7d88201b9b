"""A line as an equation of tensors: operands, local derivative, upstream gradient, sum."""
