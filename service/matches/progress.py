"""How a match moves on: entries appended, seats awaited, notices written. Starting, judging and resigning all end here.

Everything happens on the caller's connection, in the caller's transaction, with the match locked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from engine.bots import house
from engine.documents import to_document
from engine.game import AnyGame
from engine.play import Draw, settle
from engine.types import CHANCE, Entry, Outcome, Seat
from service.matches import memory
from service.store import matches as rows
from service.store import outbox
from service.store.matches import StoredMatch

if TYPE_CHECKING:
    from service.wiring import Overland


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be appended to the log of a match, and the state behind it."""

    entries: tuple[Entry[Any], ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Moved:
    """A match that has moved on: remembered once the transaction is committed."""

    match_id: str
    ply: int
    state: Any


def with_house(game: AnyGame, step: Step, ply: int, resigned: Collection[Seat], draw: Draw) -> Step:
    """The step, and after it whatever the house plays at once for seats that have resigned. The first entry of the step stands at ``ply``."""
    entries, state = list(step.entries), step.state
    while game.outcome(state) is None and (due := [seat for seat in game.to_act(state) if seat in resigned]):
        action = house(game, state, due[0])
        entries.append(Entry(due[0], action))
        state, luck = settle(game, game.apply(state, due[0], action), ply + len(entries), draw)
        entries.extend(luck)
    return Step(tuple(entries), state)


def move(connection: Connection, match: StoredMatch, step: Step, now: datetime, turn_id: str | None = None, conceded: Outcome | None = None) -> Moved:
    """Writes a step to a match that is locked, and a notice for every seat that is newly awaited; all hear of the end.

    ``conceded`` is the outcome of a match that ends because seats gave up.
    """
    game = memory.game_of(match)
    ply = match.ply + len(step.entries)
    rows.append(connection, match.id, match.ply, [(entry.seat, to_document(entry.action)) for entry in step.entries], turn_id, now)
    outcome = conceded or game.outcome(step.state)
    awaited: Sequence[Seat] = () if outcome else [seat for seat in game.to_act(step.state) if seat != CHANCE]
    rows.set_awaited(connection, match.id, awaited)
    if outcome is None:
        waited = {seat.seat for seat in match.seats if seat.to_act}
        told = [("your_turn", seat) for seat in awaited if seat not in waited]
    else:
        rows.set_status(connection, match.id, "finished", now)
        rows.set_outcome(connection, match.id, to_document(outcome))
        told = [("match_over", seat.seat) for seat in match.seats]
    for kind, seat in told:
        tell(connection, match, seat, kind, {"ply": ply}, now)
    return Moved(match.id, ply, step.state)


def tell(connection: Connection, match: StoredMatch, seat: Seat, kind: str, payload: dict[str, Any], now: datetime) -> None:
    """A notice for who sits there."""
    outbox.add(connection, kind, match.seats[seat].player_id, match.id, {"seat": seat} | payload, now)


def remember(overland: Overland, moved: Moved) -> None:
    """The state of a match that has moved on, once that is committed."""
    overland.memory.remember(moved.match_id, moved.ply, moved.state)


def publish(overland: Overland, moved: Moved) -> None:
    """What follows the commit."""
    remember(overland, moved)
    overland.queue.wake_notices()
