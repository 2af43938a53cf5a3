"""Reads the pictures of games and measures what they show, for ``tests.games.labels``."""
