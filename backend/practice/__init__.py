"""Practice: an answer run on many instances of its program, judged, and its mistake named."""
