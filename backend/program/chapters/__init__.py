"""Chapters of the course as they are written: Markdown with front matter, read into blocks."""
