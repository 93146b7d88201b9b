"""Numbered events: kept once, over a power cut, and told to whoever follows them."""
