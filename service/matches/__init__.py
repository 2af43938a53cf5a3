"""The use cases of a match: proposed, joined, resigned, moved on, replayed and checked."""
