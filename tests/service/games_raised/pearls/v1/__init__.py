"""Pearls by version 1 of its rules, for the matches that were begun by it."""

from tests.engine.toy import GAME

__all__ = ["GAME"]
