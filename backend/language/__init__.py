"""The language, an allow-listed subset of Python: grammar, limits, parser, printer, messages."""
