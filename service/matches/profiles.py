"""Profiles of the players of a match: who they are, and how reliably they play, for those who think
of playing with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from engine.bots import Level
from engine.documents import About
from service.context import Context
from service.matches.access import existing
from service.store import matches as match_rows
from service.store import players
from service.texts import gettext as _
from service.texts import ngettext


@dataclass(frozen=True, slots=True)
class Profile:
    """The player of a seat. All numbers are of matches with other people that have started;
    matches against bots alone count for nothing.
    """

    seat: Annotated[int, About("The seat.")]
    name: Annotated[str, About("The player's name.")]
    bot: Annotated[Level | None, About("How well the bot plays that has the seat; `null` for a person.")]
    signed_up_at: Annotated[datetime | None, About("Since when they play here; `null` for a bot.")]
    turns: Annotated[int, About("Their turns in matches with a clock.")]
    in_time: Annotated[int, About("Those that they have played themselves, in time.")]
    matches: Annotated[int, About("The matches that they have begun.")]
    left: Annotated[int, About("Those that they have left to a bot, or in which they resigned and others played on.")]


@dataclass(frozen=True, slots=True)
class Profiles:
    """The players who have seats in a match, by seat."""

    items: Annotated[tuple[Profile, ...], About("The profiles.")]


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
    left = ngettext("{n} of {all} match left", "{n} of {all} matches left", profile.matches)
    return f"{name}: {turns}, {left.format(n=profile.left, all=profile.matches)}."


def of_match(context: Context, match_id: str) -> Profiles:
    """The profiles of the players of a match. Raises ``NotFound``."""
    with context.database.read() as connection:
        match = existing(match_rows.find(connection, match_id), match_id)
        taken = {seat.seat: (seat.player_id, seat.bot) for seat in match.seats if seat.player_id is not None}
        people = {player_id for player_id, bot in taken.values() if player_id is not None and bot is None}
        known = players.reliability_of(connection, people)
        items = []
        for seat, (player_id, bot) in taken.items():
            player = players.find(connection, player_id or "")
            assert player is not None
            counted = known.get(player.id, players.Reliability())
            since = player.created_at if bot is None else None
            items.append(
                Profile(seat, player.name, bot, since, counted.turns, counted.in_time, counted.matches, counted.left)
            )
    return Profiles(tuple(items))
