"""From program to graph: single assignment, axis names, broadcasts, and why shapes don't fit."""
