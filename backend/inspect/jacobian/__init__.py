"""Local Jacobians and their patterns; vector-Jacobian products (VJPs) as a check."""
