"""What everybody may know of a player: who they are and how reliably they play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import Connection

from engine.bots import Level
from engine.documents import About
from service.context import Context
from service.errors import NotFound
from service.house import bot_level
from service.store import players
from service.store.players import Reliability
from service.texts import gettext as _
from service.texts import ngettext


@dataclass(frozen=True, slots=True)
class Profile:
    """A player. All numbers are of matches with other people that have started; matches against
    bots alone count for nothing.
    """

    id: Annotated[str, About("The id of the player.")]
    name: Annotated[str, About("Their name.")]
    bot: Annotated[Level | None, About("How well the bot of this service plays; `null` for a person.")]
    owner_id: Annotated[str | None, About("Whose bot it is; `null` for a person, and for a bot of this service.")]
    since: Annotated[datetime | None, About("Since when they play here; `null` for a bot of this service.")]
    matches: Annotated[int, About("The matches that they have begun.")]
    turns: Annotated[int, About("Their turns in matches with a clock.")]
    in_time: Annotated[int, About("Those that they have played themselves, in time.")]
    left: Annotated[int, About("Those that they have left to a bot, or in which they resigned and others played on.")]


def profile_words(profile: Profile) -> str:
    """How reliably somebody plays, as a sentence."""
    name = profile.name
    if profile.bot is not None:
        return _("{name} is a bot of this service.").format(name=name)
    if not profile.matches:
        return _("{name} has begun no match with others yet.").format(name=name)
    turns = _("no turn with a clock yet")
    if profile.turns:
        turns = _("{n} of {all} turns in time").format(n=profile.in_time, all=profile.turns)
    left = ngettext("left {n} of {all} match", "left {n} of {all} matches", profile.matches)
    return f"{name}: {turns}, {left.format(n=profile.left, all=profile.matches)}."


def of_player(context: Context, player_id: str) -> Profile:
    """The profile of a player. Raises ``NotFound`` (``player_not_found``)."""
    with context.database.read() as connection:
        found = of_players(connection, [player_id])
    if not found:
        raise NotFound(f"There is no player {player_id}.", "player_not_found")
    return found[player_id]


def of_players(connection: Connection, player_ids: Collection[str]) -> dict[str, Profile]:
    """The profiles of those of these players who have confirmed their address, by id."""
    counts = players.reliability_of(connection, [each for each in player_ids if bot_level(each) is None])
    found = {}
    for player_id in player_ids:
        player = players.find(connection, player_id)
        if player is None or player.confirmed_at is None or player.left_at is not None:
            continue
        bot, counted = bot_level(player_id), counts.get(player_id, Reliability())
        found[player_id] = Profile(
            id=player_id,
            name=player.name,
            bot=bot,
            owner_id=player.owner_id,
            since=None if bot is not None else player.created_at,
            matches=counted.matches,
            turns=counted.turns,
            in_time=counted.in_time,
            left=counted.left,
        )
    return found
