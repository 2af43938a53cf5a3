"""Pearls, the toy of the engine's tests, as a game of the registry: a folder like any other, found
by discovery.
"""

from tests.engine.toy import GAME

__all__ = ["GAME"]
