"""Custom functions: what their backward pass returns, held against the truth."""
