"""The course as files that any web host serves: its pages, and the answers that they ask for."""
