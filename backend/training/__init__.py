"""Training on the printed backward lines: steps, optimisers, runs, and what is measured of them."""
