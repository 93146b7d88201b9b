"""Endpoints other than the walk: check, decompose, export, reference of lessons and operations."""
