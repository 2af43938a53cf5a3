"""Checks that every game has to pass, run by ``overland game check`` and by Overland's own tests.

A check takes a game, or a finished match of it, and yields its findings as sentences; a correct
game gives none. ``checks`` lists all of them.
"""
