"""From program to graph: single assignment, axis names, broadcasts, why shapes don't fit."""
