"""Fuzzers: programs and requests drawn at random, for minutes in the tests and for hours by hand."""
