"""Checks that every game has to pass, run by ``overland game check`` and by Overland's own tests:
each takes a game, or a finished match of it, and yields its findings as sentences.
"""
