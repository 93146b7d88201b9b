"""A backward line as an equation of tensors: local derivative, upstream gradient, product, sum."""
