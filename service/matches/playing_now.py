"""Playing at once, as a guest against bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine import registry
from engine.bots import Level
from service.context import Context
from service.errors import Forbidden
from service.matches import lobby
from service.matches.types import Match, SeatRequest
from service.players import guests
from service.store.players import Player

LEVEL: Final[Level] = "easy"
"""How well the bots play whom somebody meets first."""


def play_now(
    context: Context, game: str, browser: str, admit: Callable[[], object], guest: Player | None
) -> tuple[Player, Match]:
    """Seats a guest against bots in the game, in a match with as few seats as it has with others.
    Returns the guest and the match; those that are there where that was done before. ``guest`` is
    signed in already; ``browser`` and ``admit`` are those of ``guests.welcome``.

    Raises ``UnknownGame``, and what ``admit`` raises.
    """
    seated = guest or guests.welcome(context, browser, admit)
    known = lobby.mine(context, seated, limit=1)
    if known:
        return seated, known[0]
    number = min(seats for seats in registry.game(game).info.seats if seats > 1)
    seats = [SeatRequest("me"), *[SeatRequest("bot", level=LEVEL)] * (number - 1)]
    try:
        return seated, lobby.create(context, seated, game, None, seats)
    except Forbidden:  # the button was pressed twice: the other time was first
        return seated, lobby.mine(context, seated, limit=1)[0]
