"""The course: chapters as pages, with numbers, captions and answers computed from their walks."""
