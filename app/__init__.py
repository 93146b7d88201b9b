"""The web server: settings, pages, errors; worker processes do the arithmetic, with `backend`."""

__version__ = "0.1.0"
