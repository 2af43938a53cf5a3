"""Whole matches of any game, played by bots, for tests that need a log or a finished record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import ModuleType
from typing import Any

from engine.conformance.subject import SECRET as SECRET
from engine.conformance.subject import Subject, played, record_of, subject_of
from engine.game import AnyGame
from engine.play import Draw
from engine.record import Record
from engine.types import Entry, Seat, Setup
from tests.engine import sealed, toy

TOYS: Mapping[str, ModuleType] = {"pearls": toy, "sealed": sealed}
Bot = Callable[[AnyGame, Any, Seat], Any]


def subject(name: str, seed: str = "") -> Subject:
    """A game as the conformance checks take it, the toy games too."""
    if name not in TOYS:
        return subject_of(name, Random, seed)
    toy = TOYS[name]
    return Subject(toy.GAME, {"standard": toy.COMPONENTS}, toy.__doc__ or "", {}, Random, seed)


def play(
    game: AnyGame, setup: Setup, draw: Draw, seed: str, plies: int | None = None
) -> tuple[tuple[Entry[Any], ...], list[Any]]:
    """The log of a match between random bots, up to ``plies`` entries, and the states:
    ``states[n]`` at ply n.
    """
    return played(game, setup, draw, Random(seed), plies)


def finished_record(game: AnyGame, components: Mapping[str, Any], seats: int, seed: str) -> Record:
    """The record of a whole match between random bots, as the service would write it."""
    return record_of(game, components, seats, seed, Random(seed))
