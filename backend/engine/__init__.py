"""The engine, which stands alone: from a program's text to gradients that two other ways agree with."""
