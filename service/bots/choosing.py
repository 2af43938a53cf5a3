"""Chooses the actions of bots, in a process of its own: the rules may hang or crash at that."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias

from engine.bots import Level, chosen, first_legal
from engine.documents import to_document
from service.context import Context
from service.errors import Conflict
from service.guard import Bounds, ChildOutcome, Guard
from service.matches import mending, replays
from service.matches.replays import MatchUnreadable
from service.store import matches
from service.store.matches import StoredMatch

BOUNDS: Final = Bounds(seconds=10)
"""The budget of positions is meant to keep choosing far below."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be chosen: actions for a seat at a ply, by a bot of that level that looks at so
    many ``positions``; without a level the first legal action.
    """

    match_id: str
    seat: int
    ply: int
    level: Level | None
    positions: int


Actions: TypeAlias = tuple[Mapping[str, Any], ...]
Choosing: TypeAlias = Callable[[Wanted], ChildOutcome[Actions | None]]
"""Chooses actions as documents; ``None`` where the match awaits the seat no more at that ply, or
cannot be read.
"""


def choice(context: Context, wanted: Wanted) -> Actions | None:
    """Chooses in this process. Raises whatever the rules raise."""
    with context.database.read() as connection:
        match = matches.find(connection, wanted.match_id)
    if match is None or match.status != "running" or match.ply != wanted.ply or not match.seats[wanted.seat].to_act:
        return None
    try:
        game = replays.game_of(match)
        with context.database.read() as connection:
            state = replays.load(connection, context, match)
    except MatchUnreadable as error:
        mending.report(context, error)
        return None
    except Conflict as error:  # the rules are not installed
        mending.mark(context, match.id, match.unreadable_reason, error.code, str(error))
        return None
    if wanted.level is None:
        return (to_document(first_legal(game, state, wanted.seat)),)
    actions = chosen(wanted.level, game, state, wanted.seat, _lots(match, wanted), wanted.positions)
    return tuple(to_document(action) for action in actions)


def choosing_in(guard: Guard) -> Choosing:
    """Has a child choose by ``choice``."""
    return lambda wanted: guard.ask(wanted, BOUNDS)


def _lots(match: StoredMatch, wanted: Wanted) -> Callable[[int], int]:
    """Lots that nobody can foresee before the secret of the match is revealed, and that are the
    same if they are drawn again. Each gives a number from 0 to below its argument.
    """
    drawn = count()

    def lot(below: int) -> int:
        message = f"bot {match.id} {wanted.seat} {wanted.ply} {next(drawn)}".encode()
        return int.from_bytes(hmac.digest(match.secret, message, "sha256")) % below

    return lot
