"""The web side of gradwalk: it serves pages and answers, and leaves all arithmetic to `backend` in worker processes."""

__version__ = "0.1.0"
