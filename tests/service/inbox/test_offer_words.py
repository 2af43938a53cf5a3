"""Offers by mail: ``pause``, ``extend``, ``accept``, ``decline`` and ``resume``."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from service.context import Context
from service.matches import lobby
from service.offers import offering
from service.offers.offering import Offer
from service.store import players
from service.store.outbox import Notice
from tests.service.fakes import Round, judged_batch, notices, person, started
from tests.service.inbox.postman import Postman
from tests.service.turns.clocks import DAY, due

ADA, BELA = "ada@example.org", "bela@example.org"


@pytest.fixture
def table(behind_a_relay: Context, pearls: None) -> Round:
    """Ada, who is awaited, and Bela, with clocks."""
    return started(behind_a_relay, "pearls", clock="brisk")


def to(postman: Postman, table: Round, seat: int) -> str:
    return postman.reply_address(table.match.id, seat, lobby.find(postman.context, None, table.match.id).ply)


def asked(postman: Postman, table: Round, seat: int) -> Notice:
    """The newest mail that asks a player about an offer."""
    return postman.newest("offer_made", table.players[seat])


def offers(postman: Postman, table: Round) -> tuple[Offer, ...]:
    return offering.of_match(postman.context, table.match.id, postman.context.clock()).items


def said(postman: Postman) -> str:
    answer = postman.answers()[-1].payload
    return " ".join([answer["headline"], *answer.get("says", ()), *answer.get("lines", ())])


def test_a_pause_is_offered_accepted_and_ended(postman: Postman, table: Round) -> None:
    before = due(postman.context, table)
    mail = postman.mail(to(postman, table, 0), ADA, "pause 2 weeks")
    assert postman.bring(mail).did == "offer"
    assert postman.bring(replace(mail, id="again")).did in ("offer", "again")
    assert said(postman).startswith("In your name, Ada: Ada offers a pause of 14 days")
    assert "It needs the word of Bela." in said(postman)
    assert [offer.status for offer in offers(postman, table)] == ["open"]
    assert postman.reply(asked(postman, table, 1), BELA, "I accept!").did == "accepted"
    assert said(postman).startswith("Accepted in your name, Bela: Ada offers a pause of 14 days")
    assert "The match is paused until" in said(postman)
    assert due(postman.context, table) == before + 14 * DAY
    assert postman.send(to(postman, table, 1), BELA, "resume").did == "resume"
    assert timedelta() <= due(postman.context, table) - (before + DAY) <= timedelta(minutes=1)


@pytest.mark.parametrize("text", ["decline", "No, thanks."])
def test_an_offer_is_declined(postman: Postman, table: Round, text: str) -> None:
    postman.send(to(postman, table, 0), ADA, "extend")
    assert postman.reply(asked(postman, table, 1), BELA, text).did == "declined"
    assert said(postman).startswith("Declined in your name, Bela: Ada asks for a day more")
    assert [offer.status for offer in offers(postman, table)] == ["declined"]


def test_a_day_more_is_agreed_on(postman: Postman, table: Round) -> None:
    before = due(postman.context, table)
    postman.send(to(postman, table, 1), BELA, "extend")
    assert postman.reply(asked(postman, table, 0), ADA, "yes").did == "accepted"
    assert "Ada has a day more for this turn" in said(postman)
    assert due(postman.context, table) == before + DAY


def test_without_an_offer_there_is_nothing_to_accept(postman: Postman, table: Round) -> None:
    assert postman.send(to(postman, table, 1), BELA, "accept").did == "nothing_asked"


def test_one_cannot_accept_ones_own_offer(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "pause 3 days")
    assert postman.send(to(postman, table, 0), ADA, "accept").did == "nothing_asked"
    assert postman.send(to(postman, table, 0), ADA, "accept 1").did == "closed"
    assert postman.reply(postman.answers()[0], ADA, "accept").did == "closed"
    assert [offer.status for offer in offers(postman, table)] == ["open"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pause", "Write one of these: pause 7 days"),
        ("pause 40 days", "A pause has 1 to 14 days"),
        ("resume", "The match is not paused"),
    ],
)
def test_what_cannot_be_offered_is_explained(postman: Postman, table: Round, text: str, sentence: str) -> None:
    postman.send(to(postman, table, 0), ADA, text)
    assert sentence in said(postman)
    assert offers(postman, table) == ()


def test_nobody_accepts_in_the_name_of_another(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "pause 3 days")
    postman.reply(asked(postman, table, 1), "eve@example.org", "accept")
    postman.reply(asked(postman, table, 1), BELA, "accept", results=None)
    assert [offer.status for offer in offers(postman, table)] == ["open"]


@pytest.mark.parametrize(
    ("text", "status"), [("offer a draw", "finished"), ("end match", "finished"), ("call off", "cancelled")]
)
def test_the_end_of_a_match_is_offered_and_accepted(postman: Postman, table: Round, text: str, status: str) -> None:
    assert postman.send(to(postman, table, 0), ADA, text).did == "offer"
    assert postman.reply(asked(postman, table, 1), BELA, "accept").did == "accepted"
    assert "The match ends now." in said(postman)
    judged_batch(postman.context)
    assert lobby.find(postman.context, None, table.match.id).status == status


def test_a_seat_is_handed_to_a_player_by_mail_alone(postman: Postman, table: Round) -> None:
    carl = person(postman.context, "Carl")
    assert postman.send(to(postman, table, 0), ADA, f"hand over to {carl.email}").did == "offer"
    assert "They are asked by mail" in said(postman)
    offered = postman.newest("seat_offered", carl)
    assert postman.reply(offered, carl.email, "What is this?").did == "unread"
    assert postman.send(to(postman, table, 0), carl.email, "accept").did == "stranger"
    assert postman.reply(offered, carl.email, "accept").did == "accepted"
    assert "You have agreed to take the seat of Ada, Carl." in said(postman)
    assert postman.reply(asked(postman, table, 1), BELA, "accept").did == "accepted"
    assert "Carl has the seat of Ada from now on" in said(postman)
    assert postman.send(to(postman, table, 0), ADA, "dive").did == "stranger"
    assert postman.send(to(postman, table, 0), carl.email, "dive").did == "turn"


def test_whoever_has_no_account_takes_a_seat_by_a_reply(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "hand over my seat to zoe@example.org")
    assert postman.reply(postman.newest("seat_offered"), "zoe@example.org", "accept").did == "accepted"
    assert postman.reply(asked(postman, table, 1), BELA, "yes").did == "accepted"
    seat = lobby.find(postman.context, None, table.match.id).seats[0]
    assert seat.player_name not in (None, "Ada")


def test_whoever_declines_a_seat_needs_no_account_and_has_none_afterwards(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "hand over to zoe@example.org")
    offered = postman.newest("seat_offered")
    for _ in range(2):
        assert postman.reply(offered, "zoe@example.org", "No, thanks.").did == "declined"
    assert "You have declined to take the seat of Ada, Zoe." in said(postman)
    assert [offer.status for offer in offers(postman, table)] == ["declined"]
    told = [each.player_id for each in notices(postman.context, "offer_settled")]
    assert sorted(map(str, told)) == sorted(each.id for each in table.players)
    with postman.context.database.read() as connection:
        assert players.by_address(connection, "zoe@example.org") is None


def test_whoever_takes_a_seat_that_is_offered_no_more_has_no_account_afterwards(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "hand over to zoe@example.org")
    offered, (offer,) = postman.newest("seat_offered"), offers(postman, table)
    offering.withdraw(postman.context, table.players[0], table.match.id, offer.id)
    assert postman.reply(offered, "zoe@example.org", "accept").did == "offer_settled"
    assert "This was withdrawn." in said(postman)
    with postman.context.database.read() as connection:
        assert players.by_address(connection, "zoe@example.org") is None


def test_a_seat_is_declined_and_strangers_are_told_nothing(postman: Postman, table: Round) -> None:
    carl = person(postman.context, "Carl")
    postman.send(to(postman, table, 0), ADA, f"hand over to {carl.email}")
    offered = postman.newest("seat_offered", carl)
    assert postman.reply(offered, "eve@example.org", "accept").did == "stranger"
    assert postman.reply(offered, carl.email, "decline").did == "declined"
    assert [offer.status for offer in offers(postman, table)] == ["declined"]
    assert postman.reply(offered, carl.email, "accept").did == "offer_settled"
    assert "This was declined." in said(postman)


def test_an_offer_is_taken_back_by_a_reply_by_its_number_or_as_the_only_one(postman: Postman, table: Round) -> None:
    postman.send(to(postman, table, 0), ADA, "offer draw")
    assert postman.reply(postman.answers()[-1], ADA, "withdraw").did == "withdrawn"
    assert said(postman).startswith("Taken back in your name, Ada: Ada offers a draw")
    assert postman.reply(asked(postman, table, 1), BELA, "accept").did == "closed"
    assert "This was withdrawn." in said(postman)
    assert postman.send(to(postman, table, 0), ADA, "withdraw").did == "which"
    postman.send(to(postman, table, 0), ADA, "offer draw")
    postman.send(to(postman, table, 0), ADA, "call off")
    assert postman.send(to(postman, table, 0), ADA, "withdraw").did == "which"
    assert "withdraw 2: Ada offers a draw" in said(postman)
    assert postman.send(to(postman, table, 0), ADA, "withdraw 2").did == "withdrawn"
    assert postman.send(to(postman, table, 0), ADA, "withdraw").did == "withdrawn"
    assert {offer.status for offer in offers(postman, table)} == {"withdrawn"}


def test_to_hand_over_needs_an_address(postman: Postman, table: Round) -> None:
    assert postman.send(to(postman, table, 0), ADA, "hand over").did == "hand_over"
    assert "hand over to carl@example.org" in said(postman)
    assert offers(postman, table) == ()


def test_a_no_with_the_number_of_an_offer_is_no_move(postman: Postman, table: Round) -> None:
    """``no 1`` may be the move of that number, too, and is asked about."""
    ply = lobby.find(postman.context, None, table.match.id).ply
    postman.send(to(postman, table, 1), BELA, "pause 3 days")
    mail = asked(postman, table, 0)
    for text in ("no 1", "No. 1!", "yes 1"):
        assert postman.reply(mail, ADA, text).did == "unread"
        answer = "accept 1" if text == "yes 1" else "decline 1"
        assert postman.answers()[-1].payload["lines"] == [answer, "1 or dive"]
    judged_batch(postman.context)
    assert lobby.find(postman.context, None, table.match.id).ply == ply
    assert [offer.status for offer in offers(postman, table)] == ["open"]
    assert postman.reply(mail, ADA, "decline 1").did == "declined"
    assert [offer.status for offer in offers(postman, table)] == ["declined"]
