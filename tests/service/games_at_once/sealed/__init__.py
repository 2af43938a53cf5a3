"""Sealed Bids, a game of the engine's tests in which all seats act at once, as a game of the
registry.
"""

from tests.engine.sealed import GAME

__all__ = ["GAME"]
