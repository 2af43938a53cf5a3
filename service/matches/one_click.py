"""Matches that one click creates: at once, for a guest against bots, and once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine import registry
from engine.bots import Level
from service.context import Context
from service.errors import Conflict, Forbidden
from service.matches import chat, lobby
from service.matches.access import existing, join_url_for, seat_in
from service.matches.timekeeping import rule_of
from service.matches.types import CUSTOM, Match, SeatRequest
from service.players import guests
from service.players.admission import admitted
from service.store import matches as rows
from service.store.matches import StoredSeat
from service.store.players import Player
from service.texts import gettext as _

LEVEL: Final[Level] = "easy"
"""How well the bots play whom somebody meets first."""


def play_now(
    context: Context, game: str, browser: str, admit: Callable[[], object], guest: Player | None
) -> tuple[Player, Match]:
    """Seats a guest against bots in the game, in a match with as few seats as it has with others,
    once. ``guest`` is signed in already; ``browser`` and ``admit`` are those of ``guests.welcome``.
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


def play_again(context: Context, player: Player, match_id: str, key: str) -> Match:
    """Creates, once for each ``key`` of the player's, a match like one that is over, unlisted.
    Whoever asks has a seat, and so have bots; the others are told its address in the chat, as the
    service invites nobody in the name of somebody who does not know their mail address.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``), ``Conflict`` where the match is not over,
    and as ``lobby.create`` and ``chat.count``.
    """
    new_id = lobby.match_id_of(f"again {player.id} {key}")
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        components = rows.components(connection, match_id)
        is_made = rows.find(connection, new_id) is not None
    seat_in(match, player)
    if match.started_at is None or match.is_on:
        raise Conflict(_("This match is not over yet."))
    tells = not is_made and any(seat.bot is None and seat.player_id != player.id for seat in match.seats)
    if tells:  # who may say nothing more today creates no match either, of which nobody would know
        with context.database.write() as connection:
            chat.count(connection, player, context.clock())
    made = lobby.create(
        context,
        player,
        match.game,
        match.options,
        [_request(seat, player) for seat in match.seats],
        match.title,
        components if match.components_name == CUSTOM else match.components_name,
        new_id,
        rule_of(match),
        unlisted=True,
    )
    if tells:
        with context.database.write() as connection:
            address = join_url_for(context, existing(rows.find(connection, made.id), made.id), player.id)
            line = _("Once more? Take your seat at {address}").format(address=address)
            chat.add(connection, context, player, match_id, line)
        context.queue.wake_notices()
    return made


def _request(seat: StoredSeat, player: Player) -> SeatRequest:
    if seat.bot is not None:
        return SeatRequest("bot", level=seat.bot)
    return SeatRequest("me" if seat.player_id == player.id else "open")
