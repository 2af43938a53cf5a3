"""How a match moves on: entries appended, seats awaited, notices written.

Starting, judging and resigning all end here.

Everything happens on the caller's connection, in the caller's transaction, with the matches locked;
many matches are written like one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from engine.bots import substitute
from engine.documents import to_document
from engine.game import AnyGame
from engine.play import Draw, settle
from engine.types import CHANCE, Entry, Outcome, Seat
from service.context import Judging, Replaying
from service.matches import replays
from service.store import outbox, steps
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.steps import StoredStep


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be appended to the log of a match, and the state behind it."""

    entries: tuple[Entry[Any], ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Move:
    """A match that moves on: the step, the seats that are awaited behind it, the outcome where it
    ends the match, and who is told what (kind, seat).
    """

    match: StoredMatch
    step: Step
    turn_id: str | None
    awaited: tuple[Seat, ...]
    outcome: Outcome | None
    told: tuple[tuple[str, Seat], ...]

    @property
    def ply(self) -> int:
        """Where the match stands behind the step."""
        return self.match.ply + len(self.step.entries)


def with_house(game: AnyGame, step: Step, ply: int, resigned: Collection[Seat], draw: Draw) -> Step:
    """The step, and after it whatever the house plays at once for seats that have resigned.

    The first entry of the step stands at ``ply``.
    """
    entries, state = list(step.entries), step.state
    while game.outcome(state) is None and (due := [seat for seat in game.to_act(state) if seat in resigned]):
        action = substitute(game, state, due[0])
        entries.append(Entry(due[0], action))
        state, luck = settle(game, game.apply(state, due[0], action), ply + len(entries), draw)
        entries.extend(luck)
    return Step(tuple(entries), state)


def moved(match: StoredMatch, step: Step, turn_id: str | None = None, conceded: Outcome | None = None) -> Move:
    """What a step means for its match: a notice for every seat that is newly awaited; all hear of
    the end.

    ``conceded`` is the outcome of a match that ends because seats gave up.
    """
    game = replays.game_of(match)
    outcome = conceded or game.outcome(step.state)
    if outcome is not None:
        return Move(match, step, turn_id, (), outcome, tuple(("match_over", seat.seat) for seat in match.seats))
    awaited = tuple(seat for seat in game.to_act(step.state) if seat != CHANCE)
    waited = {seat.seat for seat in match.seats if seat.to_act}
    return Move(
        match, step, turn_id, awaited, None, tuple(("your_turn", seat) for seat in awaited if seat not in waited)
    )


def write(connection: Connection, moves: Sequence[Move], now: datetime) -> None:
    """Writes the moves of matches that are locked, with their notices.

    Raises ``IntegrityError`` where an entry stands at one of the plies already.
    """
    steps.write(connection, [_stored(move) for move in moves], now)
    outbox.add_all(
        connection,
        [notice_for(move.match, seat, kind, ply=move.ply) for move in moves for kind, seat in move.told],
        now,
    )


def move(
    connection: Connection, match: StoredMatch, step: Step, now: datetime, conceded: Outcome | None = None
) -> Move:
    """Writes one step that no turn has caused."""
    made = moved(match, step, conceded=conceded)
    write(connection, [made], now)
    return made


def notice_for(match: StoredMatch, seat: Seat, kind: str, **payload: Any) -> NewNotice:
    """A notice for who sits there."""
    return NewNotice(kind, match.seats[seat].player_id, match.id, {"seat": seat, **payload})


def remember(context: Replaying, move: Move) -> None:
    """The state of a match that has moved on, once that is committed."""
    context.states.remember(move.match.id, move.ply, move.step.state)


def publish(context: Judging, move: Move) -> None:
    """What follows the commit."""
    remember(context, move)
    context.queue.wake_notices()


def _stored(move: Move) -> StoredStep:
    return StoredStep(
        match_id=move.match.id,
        ply=move.match.ply,
        entries=tuple((entry.seat, to_document(entry.action)) for entry in move.step.entries),
        turn_id=move.turn_id,
        awaits={seat.seat: not seat.to_act for seat in move.match.seats if seat.to_act != (seat.seat in move.awaited)},
        outcome=None if move.outcome is None else to_document(move.outcome),
    )
