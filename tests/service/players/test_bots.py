"""Bots of players: made by their owners, marked by their names, without a mailbox."""

from __future__ import annotations

import pytest

from service import leaving
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.types import SeatRequest
from service.names import bots_name, read_name
from service.notices.delivery import deliver_due
from service.players import accounts, bots, profiles, tokens
from service.players.bots import MOST_BOTS
from service.store.covering import Because
from tests.service.fakes import holder, notices, person, played

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.mark.parametrize(
    ("text", "name"),
    [("Greedy", "Greedy bot"), ("Greedy BOT", "Greedy bot"), ("Talbot", "Talbot bot"), ("x" * 40, "x" * 36 + " bot")],
)
def test_the_name_of_a_bot_ends_with_bot(text: str, name: str) -> None:
    assert bots_name(text) == name
    assert bots_name(name) == name
    with pytest.raises(Invalid, match="choose a name that nobody takes for a bot"):
        read_name(name)


@pytest.mark.parametrize("name", ["Easy", "Bot", "", "Greedy bot bot", "A former player bot bot"])
def test_nobody_takes_a_bot_for_another(context: Context, name: str) -> None:
    ada = person(context, "Ada")
    with pytest.raises((Invalid, Conflict)):
        bots.make(context, ada, name)


def test_a_bot_plays_with_a_token_of_its_own_and_is_told_nothing(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    bot, token, secret = bots.make(context, ada, "Greedy")
    assert (bot.name, bot.owner_id, token.scopes) == ("Greedy bot", ada.id, ("play", "read"))
    assert holder(context, secret) == bot
    match = lobby.create(context, bela, "pearls", {}, [SeatRequest("open"), SeatRequest("me")])
    match = lobby.join(context, bot, match.id)
    assert (match.seats[0].player_name, match.seats[0].owner_id) == ("Greedy bot", ada.id)
    assert played(context, bot, match.id, "dive").status == "accepted"
    deliver_due(context)
    told = [notice for notice in notices(context) if notice.player_id == bot.id]
    assert told
    assert {notice.covered_by for notice in told if notice.status == "covered"} == {Because.NOBODY}
    assert not [notice for notice in told if notice.status == "sent"]
    assert check_ledger(context.database).breaches == []


def test_a_profile_says_whose_bot_it_is(context: Context) -> None:
    ada = person(context, "Ada")
    bot = bots.make(context, ada, "Greedy")[0]
    assert profiles.of_player(context, bot.id).owner_id == ada.id
    assert profiles.of_player(context, ada.id).owner_id is None


def test_a_bot_owns_nothing(context: Context) -> None:
    bot = bots.make(context, person(context, "Ada"), "Greedy")[0]
    with pytest.raises(Forbidden):
        bots.make(context, bot, "Small")
    with pytest.raises(Forbidden):
        lobby.create(context, bot, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])


def test_names_of_bots_are_unique_and_their_number_is_limited(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    for number in range(MOST_BOTS):
        bots.make(context, ada, f"Number {number}")
    with pytest.raises(Conflict) as refused:
        bots.make(context, ada, "One more")
    assert refused.value.code == "too_many_bots"
    with pytest.raises(Conflict) as refused:
        bots.make(context, bela, "number 1")
    assert refused.value.code == "name_taken"


def test_an_owner_gives_and_takes_tokens_of_their_bots_alone(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    bot = bots.make(context, ada, "Greedy")[0]
    token, secret = bots.issue(context, ada, bot.id, "my other machine")
    assert holder(context, secret) == bot
    with pytest.raises(NotFound):
        bots.issue(context, bela, bot.id, "mine")
    with pytest.raises(NotFound):
        tokens.revoke(context, bela, token.id)
    tokens.revoke(context, ada, token.id)
    assert tokens.recognise_at(context, secret, None)[0] is None


def test_a_deleted_bot_is_gone_and_its_name_is_free(context: Context) -> None:
    ada = person(context, "Ada")
    bot, _, secret = bots.make(context, ada, "Greedy")
    leaving.leave_for_good(context, bot)
    assert bots.of_player(context, ada) == ()
    assert tokens.recognise_at(context, secret, None)[0] is None
    with pytest.raises(NotFound):
        profiles.of_player(context, bot.id)
    assert bots.make(context, ada, "Greedy")[0].name == "Greedy bot"
    assert accounts.stored(context, ada)["players"][0]["id"] == ada.id
