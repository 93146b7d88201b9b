"""Pieces for single steps of any walk, such as the collapse, and where each is offered."""
