"""Reverse mode: from the graph to backward lines of the same language."""
