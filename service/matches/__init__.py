"""The use cases of a match: create, join, start, resign, advance, replay and check."""
