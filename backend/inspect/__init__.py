"""Looking inside a number: terms, Jacobians, JVPs, finite differences, windows into tensors."""
