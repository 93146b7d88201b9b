"""Connections: time limits, the number per client, and flow control for answers."""
