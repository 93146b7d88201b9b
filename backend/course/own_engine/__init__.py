"""The engine that a reader builds: a text with blanks, run by our interpreter."""
