"""Playing a match once more: the same game with the same options, component set and clock, for
those who played it.

Whoever asks has a seat, and so have bots. The other seats are open, and the address of the match is
said in the chat of the old one: the service tells nobody the mail address of another player, so it
invites nobody in somebody's name.
"""

from __future__ import annotations

from service.context import Context
from service.errors import Conflict, Forbidden
from service.matches import chat, lobby
from service.matches.access import existing, join_url_for
from service.matches.timekeeping import rule_of
from service.matches.types import CUSTOM, Match, SeatRequest
from service.players.admission import admitted
from service.store import matches as rows
from service.store.matches import StoredMatch, StoredSeat
from service.store.players import Player
from service.texts import gettext as _


def play_again(context: Context, player: Player, match_id: str, key: str) -> Match:
    """Creates the match of that ``key`` of the player's, unless there is one, and says its address
    to the players of the match that is over.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``), ``Conflict`` where that is not over, and
    what ``lobby.create`` and ``chat.say`` raise.
    """
    new_id = lobby.match_id_of(f"again {player.id} {key}")
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        components = rows.components(connection, match_id)
        is_made = rows.find(connection, new_id) is not None
    if match.seat_of(player.id) is None:
        raise Forbidden(_("You have no seat in this match."), "not_seated")
    if match.started_at is None or match.is_on:
        raise Conflict(_("This match is not over yet."))
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
    if not is_made and _has_others(match, player):
        with context.database.read() as connection:
            address = join_url_for(context, existing(rows.find(connection, made.id), made.id), player.id)
        chat.say(context, player, match_id, _("Once more? Take your seat at {address}").format(address=address))
    return made


def _request(seat: StoredSeat, player: Player) -> SeatRequest:
    if seat.bot is not None:
        return SeatRequest("bot", level=seat.bot)
    return SeatRequest("me" if seat.player_id == player.id else "open")


def _has_others(match: StoredMatch, player: Player) -> bool:
    return any(seat.bot is None and seat.player_id != player.id for seat in match.seats)
