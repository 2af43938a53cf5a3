"""Makes records of matches as the service writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.bots import random_action
from engine.conformance.subject import PlayedMatch, RandomGenerator
from engine.documents import to_document
from engine.draws import SCHEME, commitment, drawing, nonces_digest, terms
from engine.game import AnyGame
from engine.play import Draw, drawn
from engine.record import FORMAT, LoggedAction, Record
from engine.types import CHANCE, Entry, Setup

SECRET = bytes(range(100, 132))


def finished_record(match: PlayedMatch) -> Record:
    """The record of a new match with the same game and number of seats, whose draws come from a
    secret.
    """
    return record_of(match.game, match.subject.standard, match.seats, f"{match.number}", match.luck)


def record_of(game: AnyGame, components: Mapping[str, Any], seats: int, name: str, luck: RandomGenerator) -> Record:
    """The record of a finished match between random players; ``name`` becomes a part of its id."""
    setup = Setup(seats, game.options(), game.load_components(components))
    match, options = f"match-{name}", to_document(setup.options)
    nonces = tuple(f"nonce-of-{seat}" for seat in range(seats))
    agreed = terms(match, game.info.name, game.info.rules_version, seats, options, components)
    committed = commitment(SECRET, agreed)
    log, states = played(game, setup, drawing(SECRET, match, committed, nonces), luck)
    return Record(
        format=FORMAT,
        match=match,
        game=game.info.name,
        rules_version=game.info.rules_version,
        players=tuple(f"Player {seat}" for seat in range(seats)),
        options=options,
        components=components,
        commitment=committed,
        nonces=nonces,
        log=tuple(LoggedAction(entry.seat, to_document(entry.action)) for entry in log),
        secret=SECRET.hex(),
        started_at="2026-11-01T12:00:00Z",
        finished_at="2026-11-03T12:00:00Z",
        outcome=game.outcome(states[-1]),
        scheme=SCHEME,
        nonces_digest=nonces_digest(match, committed, nonces),
    )


def played(
    game: AnyGame, setup: Setup, draw: Draw, luck: RandomGenerator, plies: int | None = None
) -> tuple[tuple[Entry[Any], ...], list[Any]]:
    """The log of a match between random players with the given draws, up to ``plies`` entries, and
    its states: ``states[n]`` is the state at ply n.
    """
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
