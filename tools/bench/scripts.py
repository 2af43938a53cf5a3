"""Matches for the bench: written into the store with known secrets, and played beforehand.

A draw depends on secret, match and ply only, so a match that is played here with the engine goes
the same way when its turns are posted in order.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from engine import registry
from engine.documents import from_document, to_document
from engine.draws import SECRET_BYTES, commitment, digest, drawing, terms
from engine.game import AnyGame
from engine.play import begin, is_legal, settle
from engine.types import Entry, Setup
from service.players import tokens
from service.store import matches as match_rows
from service.store import players as player_rows
from service.store import tokens as token_rows
from service.store.matches import StoredMatch, StoredSeat, StoredStep
from service.store.players import Player
from service.store.tokens import Token
from tools.games import fewest_seats


@dataclass(frozen=True, slots=True)
class Posted:
    """A turn to post: its seat, the ply it answers, and its actions as documents."""

    seat: int
    ply: int
    actions: tuple[Mapping[str, Any], ...]

    @property
    def body(self) -> bytes:
        """The document to post."""
        return json.dumps({"ply": self.ply, "actions": self.actions}, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Script:
    """A running match, and all its turns up to its end."""

    match_id: str
    opening: tuple[Entry[Any], ...]
    awaited: tuple[int, ...]
    turns: tuple[Posted, ...]
    begun: Any
    """The state in which the first seat is awaited."""


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player of the bench, with the secret of a token."""

    player: Player
    token: str


def write_script(
    game: AnyGame, match_id: str, luck: random.Random, before: int = 0, number: int | None = None
) -> Script:
    """A whole match of random legal turns, each as long as the seat may continue, of so many seats,
    or as few as may be; its log begins after ``before`` invalid entries.
    """
    nonces = _nonces(number or fewest_seats(game.info.seats))
    draw_at = drawing(_secret(match_id), match_id, _commitment(game, match_id, len(nonces)), nonces)

    def draw(ply: int, total: int) -> int:
        return draw_at(ply + before, total)

    state, opening = begin(game, _setup(game, len(nonces)), draw)
    begun = state
    ply, awaited = len(opening), game.to_act(state)
    turns: list[tuple[int, int, list[Mapping[str, Any]]]] = []
    while seats := game.to_act(state):
        seat = seats[0]
        candidates = list(game.candidates(state, seat))
        luck.shuffle(candidates)
        action = next(candidate for candidate in candidates if is_legal(game, state, seat, candidate))
        if not turns or turns[-1][0] != seat:
            turns.append((seat, ply, []))
        turns[-1][2].append(to_document(action))
        state, chance = settle(game, game.apply(state, seat, action), ply + 1, draw)
        ply += 1 + len(chance)
    return Script(
        match_id,
        opening,
        awaited,
        tuple(Posted(seat, at + before, tuple(actions)) for seat, at, actions in turns),
        begun,
    )


def add_players(connection: Connection, count: int, now: datetime, first: str = "bench") -> tuple[SeatedPlayer, ...]:
    """Adds ``count`` players with confirmed addresses and a token each; their ids begin with
    ``first``.
    """
    seated = []
    for number in range(count):
        name = f"{first}-{number}"
        player = Player(name, f"Player {name}", f"{name}@players.example", now, now)
        secret = f"{tokens.PREFIX}{name:-<40}"
        player_rows.add(connection, player)
        token_rows.add(
            connection, Token(f"token-{name}", player.id, "bench", tokens.SCOPES, now), tokens.hash_of(secret)
        )
        seated.append(SeatedPlayer(player, secret))
    return tuple(seated)


def add_match(connection: Connection, game: AnyGame, script: Script, players: Sequence[Player], now: datetime) -> None:
    """Adds the match of a script as a running match."""
    match_rows.add(connection, running_match(game, script.match_id, players, script.awaited, now), components_of(game))
    opening = tuple((entry.seat, to_document(entry.action)) for entry in script.opening)
    match_rows.write_steps(connection, [StoredStep(script.match_id, 0, opening, None, {}, None)], now)


def running_match(
    game: AnyGame, match_id: str, players: Sequence[Player], awaited: Sequence[int], now: datetime
) -> StoredMatch:
    """The row of a running match, with its seats."""
    components, options = components_of(game), to_document(from_document(game.options, {}))
    return StoredMatch(
        id=match_id,
        game=game.info.name,
        rules_version=game.info.rules_version,
        components_name=registry.STANDARD,
        components_digest=digest(components),
        options=options,
        title=f"Bench {match_id}",
        status="running",
        created_by=players[0].id,
        created_at=now,
        started_at=now,
        finished_at=None,
        ply=0,
        secret=_secret(match_id),
        commitment=_commitment(game, match_id, len(players)),
        outcome=None,
        seats=tuple(
            StoredSeat(seat, player.id, player.name, None, None, nonce, now, None, None, seat in awaited)
            for seat, (player, nonce) in enumerate(zip(players, _nonces(len(players)), strict=True))
        ),
    )


def components_of(game: AnyGame) -> Mapping[str, Any]:
    """The component set of the bench's matches, as a document."""
    document: Mapping[str, Any] = to_document(registry.components(game.info.name))
    return document


def _setup(game: AnyGame, seats: int) -> Setup:
    return Setup(seats, from_document(game.options, {}), registry.components(game.info.name))


def _nonces(seats: int) -> tuple[str, ...]:
    return tuple(f"the-nonce-of-seat-{seat}-of-the-bench" for seat in range(seats))


def _commitment(game: AnyGame, match_id: str, seats: int) -> str:
    options = to_document(from_document(game.options, {}))
    info = game.info
    promised = terms(match_id, info.name, info.rules_version, seats, options, components_of(game))
    return commitment(_secret(match_id), promised)


def _secret(match_id: str) -> bytes:
    """A predictable secret."""
    return match_id.encode().ljust(SECRET_BYTES, b".")[:SECRET_BYTES]
