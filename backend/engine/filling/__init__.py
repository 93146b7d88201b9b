"""A table for a program that lacks one: shapes that agree, in small sizes."""
