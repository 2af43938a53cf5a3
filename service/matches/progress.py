"""Advances matches: appends entries, stores which seats are awaited, writes events and notices.

On the caller's connection, in the caller's transaction, with the matches locked. Many matches take
as many statements as one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection

from engine import play
from engine.bots import substitute
from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.play import Draw, Replayed, ended_early, marks, settle
from engine.record import EarlyEnd, StepKind
from engine.types import CHANCE, Entry, Outcome, Seat
from service.clocks.history import BY_BOT, NOBODY, ClockStep
from service.context import Context
from service.events.gate import tell
from service.kinds import Audience, EventKind, NoticeKind
from service.matches import replays, timekeeping
from service.matches.timekeeping import ClockMove
from service.payloads import AtPly, Payload, TimeUp, TurnPlayed
from service.store import matches
from service.store.events import News
from service.store.matches import StoredMatch, StoredStep
from service.store.outbox import NewNotice
from service.store.players import Player


@dataclass(frozen=True, slots=True)
class Step:
    """Entries to append to the log of a match; ``states`` are the one before them and those that
    they lead to, in order. A state in which chance was due may be missing.
    """

    entries: tuple[Entry[Any], ...]
    states: tuple[Any, ...]

    @property
    def state(self) -> Any:
        """The state after all of them."""
        return self.states[-1]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a match advances: the kind of the step of its clocks, the seat that acted, and when it
    counts in whole seconds; ``None`` for the time at which it is written.
    """

    kind: StepKind
    seat: Seat | None
    counts_at: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How a match advances; with an ``early_end`` there may be no outcome."""

    match: StoredMatch
    step: Step
    cause: Cause
    turn_id: str | None
    awaited: tuple[Seat, ...]
    outcome: Outcome | None
    early_end: EarlyEnd | None = None

    @property
    def is_over(self) -> bool:
        """Whether the match ends with it."""
        return self.outcome is not None or self.early_end is not None

    @property
    def ply(self) -> int:
        """The ply of the match after the step."""
        return self.match.ply + len(self.step.entries)


def replayed(progress: Progress) -> Iterable[Replayed]:
    """The entries of a progress, each with the states before and after it."""
    states, entries, ply = progress.step.states, progress.step.entries, progress.match.ply
    if len(states) == len(entries) + 1:
        return (Replayed(ply + n, states[n], entry, states[n + 1]) for n, entry in enumerate(entries))
    return play.walk(replays.game_of(progress.match), states[0], ply, entries, None)


def with_substitutes(
    game: AnyGame,
    step: Step,
    ply: int,
    played: Collection[Seat],
    draw: Draw,
    choose: Callable[[AnyGame, Any, Seat], Any] = substitute,
) -> Step:
    """The step, which begins at ``ply``, and what ``choose`` plays for awaited seats ``played``."""
    while game.outcome(step.state) is None:
        due = next((seat for seat in game.to_act(step.state) if seat in played), None)
        if due is None:
            break
        action = choose(game, step.state, due)
        entries = (*step.entries, Entry(due, action))
        state, luck = settle(game, game.apply(step.state, due, action), ply + len(entries), draw)
        step = Step((*entries, *luck), (*step.states, state))
    return step


def progress_by(
    match: StoredMatch, step: Step, cause: Cause, turn_id: str | None = None, conceded: Outcome | None = None
) -> Progress:
    """The progress that a step makes; ``conceded`` is the outcome where seats resigned. Raises
    ``ValueError`` where the match would go on without a seat of it that is awaited.
    """
    game = replays.game_of(match)
    outcome = conceded or play.outcome(game, step.state, match.ply + len(step.entries))
    awaited = () if outcome is not None else tuple(seat for seat in game.to_act(step.state) if seat != CHANCE)
    if outcome is None and not (awaited and set(awaited) <= set(range(len(match.seats)))):
        raise ValueError(f"the match is not over, and awaits {awaited}, where {len(match.seats)} have a seat")
    return Progress(match, step, cause, turn_id, awaited, outcome)


def ended_by(match: StoredMatch, state: Any, turn_id: str, early_end: EarlyEnd) -> Progress:
    """The early end of a match in ``state``."""
    resigned = [seat.seat for seat in match.resigned]
    outcome = ended_early(replays.game_of(match), state, early_end.how, early_end.seats, resigned)
    step, cause = Step((), (state,)), Cause("over", None)
    return Progress(match, step, cause, turn_id, (), outcome, early_end)


@dataclass(frozen=True, slots=True)
class ProgressRows:
    """The rows that a progress adds and changes: plain data, also for another process."""

    step: StoredStep
    news: tuple[News, ...]
    clock: ClockMove | None = None
    resigned: Seat | None = None


def rows_of(progress: Progress) -> ProgressRows:
    """The rows of a progress."""
    resigned = progress.cause.seat if progress.cause.kind in ("resigned", "time_up_resign") else None
    return ProgressRows(_stored(progress), tuple(_news(progress)), _clock_move(progress), resigned)


def write(connection: Connection, progresses: Sequence[ProgressRows], more: Sequence[News], now: datetime) -> None:
    """Writes the progress of locked matches, with their events and notices, and then ``more``
    events; once in a transaction. Raises ``IntegrityError`` where a ply has an entry already.
    """
    for each in progresses:
        if each.resigned is not None:
            matches.resign(connection, each.step.match_id, each.resigned, each.step.ply, now)
    matches.write_steps(connection, [each.step for each in progresses], now)
    timekeeping.move(connection, [each.clock for each in progresses if each.clock is not None], now)
    tell(connection, [*(each for rows in progresses for each in rows.news), *more], now)


def start(connection: Connection, match: StoredMatch, deal: Step, now: datetime) -> Progress:
    """Writes the deal of a match that begins, and tells every seat."""
    made = progress_by(match, deal, Cause("begun", None))
    mailed = tuple(notice_for(match, seat.seat, "match_started", AtPly(seat.seat, made.ply)) for seat in match.seats)
    begun = News(match.id, "match_started", "all", ply=made.ply, notices=mailed)
    rows = rows_of(made)
    write(connection, [replace(rows, news=(begun, *rows.news))], (), now)
    return made


def notice_for(
    match: StoredMatch, seat: Seat, kind: NoticeKind, payload: Payload, sender_id: str | None = None
) -> NewNotice:
    """A notice for the player in that seat."""
    return NewNotice(kind, match.seats[seat].player_id, match.id, payload, sender_id=sender_id)


def news_for(match: StoredMatch, seat: Seat, kind: EventKind, ply: int, *notices: NewNotice, **about: Any) -> News:
    """An event that concerns the player in that seat alone."""
    return News(match.id, kind, "player", match.seats[seat].player_id, seat, ply, notices=notices, **about)


def news_by_address(
    match: StoredMatch,
    seat: Seat,
    kind: Literal["invitation", "seat_offered"],
    payload: Payload,
    known: Player | None,
    typed: str,
    sender_id: str,
) -> News:
    """An event for the confirmed player with an address, else for the address as ``typed``."""
    player_id = None if known is None or known.confirmed_at is None else known.id
    address = typed if player_id is None else None
    notice = NewNotice(kind, player_id, match.id, payload, address, sender_id=sender_id, typed=typed)
    audience: Audience = "address" if player_id is None else "player"
    return News(match.id, kind, audience, player_id, seat, notices=(notice,))


def publish(context: Context, progress: Progress) -> None:
    """Remembers the state of a match that has advanced, and wakes the workers; after the commit."""
    context.states.remember(progress.match.id, progress.ply, progress.step.state)
    wake_for(context, [progress.match])


def wake_for(context: Context, advanced: Iterable[StoredMatch]) -> None:
    """Wakes whoever mails, and bots, for matches that have advanced; after the commit."""
    context.queue.wake_notices()
    if any(match.bots for match in advanced):
        context.queue.wake_bots()


def _news(progress: Progress) -> Iterator[News]:
    """What happened, then who is awaited, or that the match is over."""
    match, ply = progress.match, progress.ply
    acting = next((entry.seat for entry in progress.step.entries if entry.seat != CHANCE), None)
    since = TurnPlayed(match.ply)
    cause = progress.cause
    if cause.kind == "resigned":
        yield News(match.id, "resigned", "all", seat=cause.seat, ply=ply, payload=since)
    elif cause.kind in BY_BOT and cause.seat is not None and cause.counts_at is not None:
        payload = TimeUp(cause.seat, ply, match.ply, cause.kind, cause.counts_at)
        told = notice_for(match, cause.seat, "time_up", payload)
        yield News(match.id, "time_up", "all", seat=cause.seat, ply=ply, payload=payload, notices=(told,))
    elif progress.turn_id is not None and progress.early_end is None:
        yield News(match.id, "turn_played", "all", seat=acting, ply=ply, payload=since)
    if progress.is_over:
        mailed = tuple(notice_for(match, seat.seat, "match_over", AtPly(seat.seat, ply)) for seat in match.seats)
        yield News(match.id, "match_over", "all", ply=ply, notices=mailed)
        return
    for seat in progress.awaited:
        if not match.seats[seat].to_act:
            yield news_for(match, seat, "turn_awaited", ply, notice_for(match, seat, "your_turn", AtPly(seat, ply)))


def _clock_move(progress: Progress) -> ClockMove | None:
    match = progress.match
    if match.clock is None:
        return None
    game, cause, states = replays.game_of(match), progress.cause, progress.step.states
    begins = cause.kind == "begun"
    before = NOBODY if begins else next(iter(marks(game, states[:1])), NOBODY)
    after = marks(game, states if begins else states[1:])
    if progress.is_over:
        after = (*after, NOBODY)
    counts_at = -1 if cause.counts_at is None else cause.counts_at
    return ClockMove(
        match_id=match.id,
        rule=match.clock,
        players=tuple(seat.player_id for seat in match.seats),
        held=match.without_clock,
        step=ClockStep(cause.kind, cause.seat, progress.ply, counts_at, -1, marks=after),
        before=before,
    )


def _stored(progress: Progress) -> StoredStep:
    match = progress.match
    return StoredStep(
        match_id=match.id,
        ply=match.ply,
        entries=tuple((entry.seat, to_document(entry.action)) for entry in progress.step.entries),
        turn_id=progress.turn_id,
        awaits={seat.seat: not seat.to_act for seat in match.seats if seat.to_act != (seat.seat in progress.awaited)},
        outcome=None if progress.outcome is None else _outcome(progress.outcome, len(match.seats)),
        early_end=None if progress.early_end is None else to_document(progress.early_end),
        reopens=match.status == "archived",
    )


def _outcome(outcome: Outcome, seats: int) -> dict[str, Any]:
    """The document of an outcome. Raises ``ValueError`` for one that could never be shown again."""
    document: dict[str, Any] = to_document(outcome)
    found: Outcome = from_document(Outcome, document)
    if not len(found.scores) == len(found.ranks) == seats or len(found.details) not in (0, seats) or not found.winners:
        raise ValueError(f"This is no outcome for {seats} seats: {document}")
    return document
