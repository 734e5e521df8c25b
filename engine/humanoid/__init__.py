"""A character from a bare skeleton: which bone is which part, masses, shapes, soles and hinges."""
