"""Training data of a lesson: word lists, vocabulary, numbered examples."""
