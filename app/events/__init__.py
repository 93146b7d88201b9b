"""Numbered events: kept so that they survive a power cut, and told to whoever follows them."""
