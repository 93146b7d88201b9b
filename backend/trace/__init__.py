"""From program to graph: shapes, single assignment, axis names, every broadcast a node."""
