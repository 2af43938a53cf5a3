"""What waits for a player, in all matches, most urgent first. It is read in two steps: where a
player is awaited, and what they are asked, for which matches are replayed; a client that has the
answer already is spared the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from engine.documents import About, to_document
from engine.types import ToldStatement
from service.clocks.spans import instant
from service.context import Context
from service.matches import mending, replays, timekeeping
from service.matches.access import seat_clock_shown
from service.matches.timekeeping import SeatTime
from service.matches.types import Document, OfGame, SeatClockShown
from service.store import match_lists
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views.match import Sight, asked

MOST: Final = 200
"""So many matches are listed, at most."""
MOST_IN_FULL: Final = 20
"""So many with their observations or legal actions, which cost more."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Where a player is awaited; ``turns``: so many of the match have begun by its clocks."""

    match: StoredMatch
    seat: int
    time: SeatTime | None
    turns: int = 0

    @property
    def state(self) -> tuple[object, ...]:
        """All that an answer depends on, except the time that passes."""
        if self.time is None:
            return (self.match.id, self.match.ply, self.match.unreadable_reason)
        clock = self.time.stored.clock
        return (self.match.id, self.match.ply, self.match.unreadable_reason, clock, self.time.stops)


@dataclass(frozen=True, slots=True)
class AwaitsYou:
    """A match that waits for you."""

    match: Annotated[str, About("The id of the match.")]
    title: Annotated[str, About("The title of the match.")]
    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    seat: Annotated[int, About("Your seat.")]
    ply: Annotated[int, About("The ply a turn has to answer.")]
    prompt: Annotated[
        ToldStatement | None, About("What you are asked; `null` while the log of the match cannot be read.")
    ]
    clock: Annotated[SeatClockShown | None, About("Your clock; `null` in a match without clocks.")]
    observation: Annotated[
        Document | None,
        OfGame("observation"),
        About("What you may know; `null` unless you ask for it, and while the log of the match cannot be read."),
    ] = None


def waiting(context: Context, player: Player) -> tuple[Waits, ...]:
    """At most ``MOST`` matches, by their deadlines, those without a clock last."""
    with context.database.read() as connection:
        found = match_lists.of_player(connection, player.id, (), ("running",), True, MOST, None)
        times = timekeeping.times_of(connection, found, context.clock())
    waits = []
    for match in found:
        seat = match.seat_of(player.id)
        assert seat is not None
        clocks = times.get(match.id, ())
        turns = sum(each.stored.clock.turns for each in clocks)
        waits.append(Waits(match, seat, clocks[seat] if clocks else None, turns))
    return tuple(sorted(waits, key=_urgency))


def count(context: Context, player: Player) -> int:
    """How many matches wait for a player."""
    with context.database.read() as connection:
        return match_lists.count_awaiting(connection, player.id)


def stopped_now(context: Context, waits: Sequence[Waits]) -> tuple[object, ...]:
    """What stops each of these clocks at present."""
    now = instant(context.clock())
    return tuple(None if each.time is None else each.time.remaining(now).stopped for each in waits)


def awaiting(context: Context, waits: Sequence[Waits], *, observation: bool = False) -> tuple[AwaitsYou, ...]:
    """What is asked in these matches, and with ``observation`` what the player may know; of one
    that cannot be read, both are missing.
    """
    return tuple(_asked(context, each, context.clock(), observation) for each in waits)


def _asked(context: Context, waits: Waits, now: datetime, observation: bool) -> AwaitsYou:
    def shown() -> tuple[ToldStatement | None, Document | None]:
        seen = _sight(context, match, seat)
        if seen is None:
            return None, None
        return asked(seen).get(seat), to_document(seen.game.observe(seen.state, seat)) if observation else None

    match, seat = waits.match, waits.seat
    prompt, document = mending.of_several(context, match.id, shown) or (None, None)
    return AwaitsYou(
        match=match.id,
        title=match.title,
        game=match.game,
        seat=seat,
        ply=match.ply,
        prompt=prompt,
        clock=None if waits.time is None else seat_clock_shown(waits.time, now),
        observation=document,
    )


def _urgency(waits: Waits) -> tuple[bool, int, str]:
    due = None if waits.time is None else waits.time.due_at
    return (due is None, due or 0, waits.match.id)


def _sight(context: Context, match: StoredMatch, seat: int) -> Sight | None:
    """The match for its player; ``None`` where its rules are not installed. Raises
    ``MatchUnreadable``.
    """
    if not replays.at_hand(match):
        return None
    with context.database.read() as connection:
        state = replays.load(connection, context, match)
    return Sight(match, replays.game_of(match), match.ply, state, seat)
