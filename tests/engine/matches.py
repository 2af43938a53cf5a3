"""Whole matches of any game, played by bots, for tests that need a log or a finished record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engine.bots import random_action
from engine.documents import to_document
from engine.draws import commitment, drawing, terms
from engine.game import AnyGame
from engine.play import Draw, drawn
from engine.record import FORMAT, LoggedAction, Record
from engine.types import CHANCE, Entry, Seat, Setup

SECRET = bytes(range(100, 132))
Bot = Callable[[AnyGame, Any, Seat], Any]


def play(
    game: AnyGame, setup: Setup, draw: Draw, seed: str, plies: int | None = None
) -> tuple[tuple[Entry[Any], ...], list[Any]]:
    """The log of a match between random bots, up to ``plies`` entries, and the states:
    ``states[n]`` at ply n.
    """
    luck = Random(seed)
    log: list[Entry[Any]] = []
    states = [game.setup(setup)]
    while (awaited := game.to_act(states[-1])) and len(log) != plies:
        seat = awaited[0]
        action = (
            drawn(game, states[-1], len(log), draw)
            if seat == CHANCE
            else random_action(game, states[-1], seat, luck.choice)
        )
        log.append(Entry(seat, action))
        states.append(game.apply(states[-1], seat, action))
    return tuple(log), states


def finished_record(game: AnyGame, components: Mapping[str, Any], seats: int, seed: str) -> Record:
    """The record of a whole match between random bots, as the service would write it."""
    setup = Setup(seats, game.options(), game.load_components(components))
    nonces = tuple(f"nonce-of-{seat}" for seat in range(seats))
    log, states = play(game, setup, drawing(SECRET, f"match-{seed}", nonces), seed)
    options = to_document(setup.options)
    agreed = terms(f"match-{seed}", game.info.name, game.info.rules_version, seats, options, components)
    return Record(
        format=FORMAT,
        match=f"match-{seed}",
        game=game.info.name,
        rules_version=game.info.rules_version,
        players=tuple(f"Player {seat}" for seat in range(seats)),
        options=options,
        components=components,
        commitment=commitment(SECRET, agreed),
        nonces=nonces,
        log=tuple(LoggedAction(entry.seat, to_document(entry.action)) for entry in log),
        secret=SECRET.hex(),
        started_at="2026-11-01T12:00:00Z",
        finished_at="2026-11-03T12:00:00Z",
        outcome=game.outcome(states[-1]),
    )
