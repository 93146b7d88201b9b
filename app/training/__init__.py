"""Training runs: worker processes of their own, and who watches them."""
