"""Looking inside a walk: terms, Jacobians, JVPs, finite differences, closed forms, windows."""
