"""Endpoints other than the walk: check, decompose, export (forms, file names), reference."""
