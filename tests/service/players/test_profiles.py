"""How reliably players play, as it is shown before one joins them."""

from __future__ import annotations

import random

import pytest

from service.context import Context
from service.errors import NotFound
from service.matches import lobby
from service.players import accounts, profiles
from service.players.profiles import Profile, profile_words
from service.store import players
from tests.service.bots.tables import played_out, seated
from tests.service.fakes import played, started
from tests.service.turns.clocks import let_expire

pytestmark = pytest.mark.usefixtures("pearls")


def counts(profile: Profile) -> tuple[int, int, int, int]:
    return profile.turns, profile.in_time, profile.matches, profile.left


def test_turns_in_time_and_late_ones_are_counted(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    played(context, table.players[0], table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    let_expire(context, table)
    ada, bela = (profiles.of_player(context, player.id) for player in table.players)
    assert counts(ada) == (2, 1, 1, 0)
    assert counts(bela) == (1, 1, 1, 0)
    assert profile_words(ada) == "Ada: 1 of 2 turns in time, left 0 of 1 match."


def test_who_resigns_where_others_play_on_has_left_and_who_ends_a_match_of_two_has_not(context: Context) -> None:
    three = started(context, "pearls", 3)
    lobby.resign(context, three.players[0], three.match.id)
    assert counts(profiles.of_player(context, three.players[0].id)) == (0, 0, 1, 1)
    two = started(context, "pearls", 2, ("Eve", "Fay"))
    lobby.resign(context, two.players[0], two.match.id)
    assert counts(profiles.of_player(context, two.players[0].id)) == (0, 0, 1, 0)


def test_matches_against_bots_count_for_nothing(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy"])
    played_out(context, ada, match.id, random.Random(1))
    mine, bots = (profiles.of_player(context, seat.player_id or "") for seat in match.seats)
    assert counts(mine) == (0, 0, 0, 0)
    assert profile_words(mine) == "Ada has begun no match with others yet."
    assert (bots.bot, bots.since) == ("easy", None)
    assert profile_words(bots) == "Easy bot is a bot of this service."


def test_only_those_who_have_confirmed_their_address_have_a_profile(context: Context) -> None:
    accounts.sign_up(context, "Eve", "eve@example.org")
    with context.database.read() as connection:
        eve = players.by_email(connection, "eve@example.org")
    assert eve is not None
    for nobody in (eve.id, "nobody"):
        with pytest.raises(NotFound):
            profiles.of_player(context, nobody)
