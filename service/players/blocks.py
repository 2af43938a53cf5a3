"""Blocking: a player reads nothing more of what another says, or a bot of theirs, and is told
nothing more of what they cause, but play itself. The other is not told: their invitations look as
if they were not answered.
"""

from __future__ import annotations

from typing import Final

from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound
from service.house import bot_level
from service.players.admission import admitted
from service.store import addresses, covering, matches
from service.store import players as rows
from service.store.matches import StoredMatch
from service.store.players import Blocked, Player
from service.texts import gettext as _

MOST_BLOCKED: Final = 200


def blocked(context: Context, player: Player) -> tuple[Blocked, ...]:
    """Whom the player has blocked, in the order of blocking."""
    with context.database.read() as connection:
        return rows.blocked_by(connection, player.id)


def block(context: Context, player: Player, match_id: str, seat: int | None) -> Blocked:
    """Blocks the player of a seat of a match in which the player has a seat too, or is invited to;
    without a seat, whoever created the match. Blocking again changes nothing.

    Raises ``NotFound`` (``match_not_found``, ``nobody_there``), ``Forbidden`` (``not_seated``),
    ``Invalid`` for the player's own seat or a bot's, and ``Conflict`` (``too_many_blocks``).
    """
    with context.database.write() as connection:
        match = admitted(connection, matches.find(connection, match_id), match_id, player)
        known = addresses.confirmed(connection, player)
        if match.seat_of(player.id) is None and not any(each.invited_email in known for each in match.seats):
            sentence = _("You block only players of matches in which you have a seat, or are kept one.")
            raise Forbidden(sentence, "not_seated")
        other = _player_of(match, seat)
        if other == player.id:
            raise Invalid((("/seat", _("This is your own seat.")),))
        if bot_level(other) is not None:
            raise Invalid((("/seat", _("A bot has this seat; it sends you nothing.")),))
        blocked = {each.player_id for each in rows.blocked_by(connection, player.id)}
        if len(blocked) >= MOST_BLOCKED and other not in blocked:
            sentence = _("You have blocked {number} players, which is the maximum.")
            raise Conflict(sentence.format(number=MOST_BLOCKED), "too_many_blocks")
        rows.block(connection, player.id, other, context.clock())
        covering.cover_blocked(connection, player.id, other)
        return next(each for each in rows.blocked_by(connection, player.id) if each.player_id == other)


def unblock(context: Context, player: Player, other_id: str) -> None:
    """Blocks a player no longer. Raises ``NotFound`` (``not_blocked``)."""
    with context.database.write() as connection:
        if other_id not in {each.player_id for each in rows.blocked_by(connection, player.id)}:
            raise NotFound(_("You have blocked no player {player}.").format(player=other_id), "not_blocked")
        rows.unblock(connection, player.id, other_id)


def _player_of(match: StoredMatch, seat: int | None) -> str:
    if seat is None:
        return match.created_by
    found = match.seats[seat].player_id if seat < len(match.seats) else None
    if found is None:
        raise NotFound(_("Nobody has that seat of this match."), "nobody_there")
    return found
