"""Mistakes in a backward line: edits of what it computes, each with a code and a sentence."""
