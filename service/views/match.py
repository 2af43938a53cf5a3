"""A match as a player or spectator may see it.

Everything here comes from the game's ``observe``, ``seen`` and ``narrate`` for that one viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.documents import to_document
from service.context import Context
from service.matches import mending, replays
from service.matches.access import existing, join_url_for, match_seen_by, with_times
from service.matches.replays import MatchUnreadable
from service.matches.types import Match
from service.players.admission import admitted
from service.store import matches as rows
from service.store.players import Player
from service.views.sight import Sight, asked, sight
from service.views.types import Awaited, LookedAt


def match(context: Context, player: Player | None, match_id: str, link: str | None = None) -> Match:
    """Returns a match as the player, or a spectator, may see it, with the prompt of each awaited
    seat; ``link`` is the secret of the join link that they have followed.

    Raises ``NotFound``.
    """
    with context.database.read() as connection:
        admitted(connection, rows.find(connection, match_id), match_id, player, link)
    return told(context, player, match_id)


def told(context: Context, player: Player | None, match_id: str) -> Match:
    """Returns the same for somebody who may know of the match in any case, such as a channel that
    one of its players has entered. Raises ``NotFound``.
    """
    try:
        with context.database.read() as connection:
            found = existing(rows.find(connection, match_id), match_id)
            viewer = found.seat_of(player.id if player is not None else None)
            seen = match_seen_by(found, player.id if player is not None else None)
            seen = with_times(connection, [found], [seen], context.clock())[0]
            seen = replace(
                seen,
                longest=replays.longest_of(connection, context, found),
                join_url=join_url_for(context, found, None if player is None else player.id),
            )

            # Without a state there are no prompts; the rest is shown all the same.
            if not found.is_on or not replays.at_hand(found):
                return seen
            state = replays.load(connection, context, found)
    except MatchUnreadable as error:
        mending.report(context, error)
        return seen
    prompts = asked(Sight(found, replays.game_of(found), found.ply, state, viewer))
    return replace(seen, seats=tuple(replace(seat, prompt=prompts.get(seat.seat)) for seat in seen.seats))


def observation(context: Context, player: Player | None, match_id: str, ply: int | None = None) -> LookedAt:
    """Returns the observation of the state at a ply, by default the present one, for the player, or
    a spectator.

    Raises ``NotFound``, or ``Conflict`` (``match_not_started``, ``ply_ahead``).
    """
    looked = sight(context, player, match_id, ply)
    match, game, viewer = looked.match, looked.game, looked.viewer
    awaited = tuple(
        Awaited(seat=seat, player=match.names[seat], prompt=prompt) for seat, prompt in asked(looked).items()
    )
    mine = next((each for each in awaited if each["seat"] == viewer), next(iter(awaited), None))
    return LookedAt(
        match=match.id,
        game=match.game,
        status=match.status,
        ply=looked.ply,
        seat=viewer,
        nonces_digest=replays.digest_of(match),
        to_act=tuple(each["seat"] for each in awaited),
        awaited=awaited,
        prompt=None if mine is None else mine["prompt"],
        observation=to_document(game.observe(looked.state, viewer)),
    )


def components(context: Context, player: Player | None, match_id: str) -> Mapping[str, Any]:
    """Returns the component set of a match as a JSON document, also for a spectator, and before the
    match starts. Raises ``NotFound``.
    """
    with context.database.read() as connection:
        admitted(connection, rows.find(connection, match_id), match_id, player)
        return rows.components(connection, match_id)
