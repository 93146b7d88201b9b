"""Training runs: worker processes of their own, logs of events, and who watches them."""
