"""The web server: pages, errors, and in `settings.py` every number that an operator may set."""

__version__ = "0.1.0"
