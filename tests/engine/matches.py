"""Whole matches of any game, played by bots, for tests that need a log or a finished record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import ModuleType
from typing import Any

from engine import registry
from engine.conformance.subject import SECRET as SECRET
from engine.conformance.subject import Subject, played, record_of, subject_of
from engine.game import AnyGame
from engine.play import Draw, prompt
from engine.record import Record
from engine.sentences import outcome_told, prompt_told
from engine.types import SPECTATOR, Entry, Outcome, Seat, Setup, ToldOutcome, Viewer
from tests.engine import sealed, toy

TOYS: Mapping[str, ModuleType] = {"pearls": toy, "sealed": sealed}
Bot = Callable[[AnyGame, Any, Seat], Any]


def subject(name: str, seed: str = "") -> Subject:
    """A game as the conformance checks take it, the toy games too."""
    if name not in TOYS:
        return subject_of(name, Random, seed)
    toy = TOYS[name]
    return Subject(toy.GAME, {"standard": toy.COMPONENTS}, toy.__doc__ or "", {}, Random, seed)


def asked(game: AnyGame, state: Any, seat: Seat, viewer: Viewer = SPECTATOR) -> str:
    """The sentence of what an awaited seat is asked, as the viewer may read it."""
    return prompt_told(game, prompt(game, state, seat, viewer)).sentence


def told(name: str, outcome: Outcome | None) -> ToldOutcome | None:
    """The outcome with the sentences of the game of that name."""
    return None if outcome is None else outcome_told(registry.game(name), outcome)


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
