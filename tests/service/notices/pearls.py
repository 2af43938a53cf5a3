"""Pearls, the toy game of the engine's tests, for tests of what a mail may say of a match."""

from __future__ import annotations

from typing import Any

from engine.types import CHANCE, Entry, Setup
from tests.engine import toy

__all__ = ["GAME", "NAMES", "dive", "setup", "toy"]

GAME = toy.GAME
NAMES = ("Anna", "Ben")


def setup(seats: int = 2, bag: Any = toy.BAG) -> Setup:
    return Setup(seats, toy.Options(), bag)


def dive(seat: int, value: int) -> tuple[Entry[Any], Entry[Any]]:
    """A seat dives, and chance gives it that pearl."""
    return Entry(seat, toy.Dive()), Entry(CHANCE, toy.Draw(seat, value))
