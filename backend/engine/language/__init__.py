"""The language, a subset of Python: grammar and what to write instead, limits, messages."""
