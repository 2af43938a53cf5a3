"""How reliably players play, as it is shown before one joins them."""

from __future__ import annotations

import random

import pytest

from service.context import Context
from service.matches import lobby, profiles
from service.matches.profiles import Profile, profile_words
from service.matches.types import SeatRequest
from tests.service.bots.tables import played_out, seated
from tests.service.fakes import person, played, started
from tests.service.turns.clocks import let_expire

pytestmark = pytest.mark.usefixtures("pearls")


def counts(profile: Profile) -> tuple[int, int, int, int]:
    return profile.turns, profile.in_time, profile.matches, profile.left


def test_turns_in_time_and_late_ones_are_counted(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    played(context, table.players[0], table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    let_expire(context, table)
    ada, bela = profiles.of_match(context, table.match.id).items
    assert counts(ada) == (2, 1, 1, 0)
    assert counts(bela) == (1, 1, 1, 0)
    assert profile_words(ada) == "Ada: 1 of 2 turns in time, 0 of 1 match left."


def test_who_resigns_where_others_play_on_has_left_and_who_ends_a_match_of_two_has_not(context: Context) -> None:
    three = started(context, "pearls", 3)
    lobby.resign(context, three.players[0], three.match.id)
    assert counts(profiles.of_match(context, three.match.id).items[0]) == (0, 0, 1, 1)
    two = started(context, "pearls", 2, ("Eve", "Fay"))
    lobby.resign(context, two.players[0], two.match.id)
    assert counts(profiles.of_match(context, two.match.id).items[0]) == (0, 0, 1, 0)


def test_matches_against_bots_count_for_nothing(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy"])
    played_out(context, ada, match.id, random.Random(1))
    mine, bots = profiles.of_match(context, match.id).items
    assert counts(mine) == (0, 0, 0, 0)
    assert profile_words(mine) == "Ada has begun no match with others yet."
    assert (bots.bot, bots.signed_up_at) == ("easy", None)
    assert profile_words(bots) == "Easy bot is a bot of this service."


def test_free_seats_have_no_profile(context: Context) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert [profile.name for profile in profiles.of_match(context, match.id).items] == ["Ada"]
