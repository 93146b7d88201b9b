"""What `make bench` measures; nothing here is a test."""
