"""Chapters of the course as they are written: Markdown, front matter, read into blocks."""
