"""Advances matches: appends entries, stores which seats are awaited, writes events and notices.

Used by starting, judging and resigning, on the caller's connection, in the caller's transaction,
with the matches locked. Many matches take as many statements as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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
from service.events.kinds import EventKind
from service.events.tell import News, tell
from service.matches import replays
from service.store import steps
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.steps import StoredStep


@dataclass(frozen=True, slots=True)
class Step:
    """Entries to append to the log of a match, and the state after them."""

    entries: tuple[Entry[Any], ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Progress:
    """How a match advances: the step, the seats awaited after it, the outcome where it ends the
    match, and the notices to write, as (kind, seat).
    """

    match: StoredMatch
    step: Step
    turn_id: str | None
    awaited: tuple[Seat, ...]
    outcome: Outcome | None
    told: tuple[tuple[str, Seat], ...]

    @property
    def ply(self) -> int:
        """The ply of the match after the step."""
        return self.match.ply + len(self.step.entries)


def with_substitutes(game: AnyGame, step: Step, ply: int, resigned: Collection[Seat], draw: Draw) -> Step:
    """The step, followed by the actions that a bot plays for awaited seats that have resigned.

    The first entry of the step is at ``ply``.
    """
    entries, state = list(step.entries), step.state
    while game.outcome(state) is None and (due := [seat for seat in game.to_act(state) if seat in resigned]):
        action = substitute(game, state, due[0])
        entries.append(Entry(due[0], action))
        state, luck = settle(game, game.apply(state, due[0], action), ply + len(entries), draw)
        entries.extend(luck)
    return Step(tuple(entries), state)


def progress_by(
    match: StoredMatch, step: Step, turn_id: str | None = None, conceded: Outcome | None = None
) -> Progress:
    """Gives the progress that a step makes: a notice for every newly awaited seat, or for every
    seat at the end of the match.

    ``conceded`` is the outcome of a match that ends because seats resigned.
    """
    game = replays.game_of(match)
    outcome = conceded or game.outcome(step.state)
    if outcome is not None:
        return Progress(match, step, turn_id, (), outcome, tuple(("match_over", seat.seat) for seat in match.seats))
    awaited = tuple(seat for seat in game.to_act(step.state) if seat != CHANCE)
    waited = {seat.seat for seat in match.seats if seat.to_act}
    return Progress(
        match, step, turn_id, awaited, None, tuple(("your_turn", seat) for seat in awaited if seat not in waited)
    )


@dataclass(frozen=True, slots=True)
class ProgressRows:
    """The rows that a progress adds and changes: plain data, also for another process."""

    step: StoredStep
    news: tuple[News, ...]


def rows_of(progress: Progress, resigned: Seat | None = None) -> ProgressRows:
    """The rows of a progress; ``resigned`` is the seat whose resignation caused it."""
    return ProgressRows(_stored(progress), tuple(_news(progress, resigned)))


def write(connection: Connection, progresses: Sequence[ProgressRows], more: Sequence[News], now: datetime) -> None:
    """Writes the progress of locked matches, with their events and notices, and then ``more``
    events; call it once in a transaction.

    Raises ``IntegrityError`` where one of the plies has an entry already.
    """
    steps.write(connection, [each.step for each in progresses], now)
    tell(connection, [*(each for rows in progresses for each in rows.news), *more], now)


def start(connection: Connection, match: StoredMatch, deal: Step, now: datetime) -> Progress:
    """Writes the deal of a match that begins, and tells every seat."""
    made = progress_by(match, deal)
    mailed = tuple(notice_for(match, seat.seat, "match_started", ply=made.ply) for seat in match.seats)
    begun = News(match.id, "match_started", "all", ply=made.ply, notices=mailed)
    rows = rows_of(made)
    write(connection, [ProgressRows(rows.step, (begun, *rows.news))], (), now)
    return made


def notice_for(match: StoredMatch, seat: Seat, kind: str, **payload: Any) -> NewNotice:
    """A notice for the player in that seat."""
    return NewNotice(kind, match.seats[seat].player_id, match.id, {"seat": seat, **payload})


def news_for(match: StoredMatch, seat: Seat, kind: EventKind, ply: int, *notices: NewNotice, **about: Any) -> News:
    """An event that concerns the player in that seat alone."""
    return News(match.id, kind, "player", match.seats[seat].player_id, seat, ply, notices=notices, **about)


def remember(context: Replaying, progress: Progress) -> None:
    """Remembers the state of a match that has advanced. Call it after the commit."""
    context.states.remember(progress.match.id, progress.ply, progress.step.state)


def publish(context: Judging, progress: Progress) -> None:
    """Remembers the state and wakes the workers. Call it after the commit."""
    remember(context, progress)
    context.queue.wake_notices()


def _news(progress: Progress, resigned: Seat | None) -> Iterator[News]:
    """What happened, then who is awaited, or that the match is over."""
    match, ply = progress.match, progress.ply
    acting = next((entry.seat for entry in progress.step.entries if entry.seat != CHANCE), None)
    since = {"since": match.ply}
    if resigned is not None:
        yield News(match.id, "resigned", "all", seat=resigned, ply=ply, payload=since)
    elif progress.turn_id is not None:
        yield News(match.id, "turn_played", "all", seat=acting, ply=ply, payload=since)
    if progress.outcome is not None:
        mailed = tuple(notice_for(match, seat, kind, ply=ply) for kind, seat in progress.told)
        yield News(match.id, "match_over", "all", ply=ply, notices=mailed)
        return
    for kind, seat in progress.told:
        yield news_for(match, seat, "turn_awaited", ply, notice_for(match, seat, kind, ply=ply))


def _stored(progress: Progress) -> StoredStep:
    return StoredStep(
        match_id=progress.match.id,
        ply=progress.match.ply,
        entries=tuple((entry.seat, to_document(entry.action)) for entry in progress.step.entries),
        turn_id=progress.turn_id,
        awaits={
            seat.seat: not seat.to_act
            for seat in progress.match.seats
            if seat.to_act != (seat.seat in progress.awaited)
        },
        outcome=None if progress.outcome is None else to_document(progress.outcome),
    )
