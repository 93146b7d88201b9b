"""Endpoints other than the walk: check, decompose, export, reference; schemas, warm-up."""
