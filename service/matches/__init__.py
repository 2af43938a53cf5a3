"""The use cases of a match: the lobby, turns, what may be seen."""
