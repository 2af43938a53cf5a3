"""Matches that do not start in time are called off, with one mail to each who has a part."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from email.utils import parseaddr

import pytest

from service import leaving
from service.context import Context
from service.errors import Conflict
from service.matches import lobby, unstarted
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import blocks, bots
from service.store.players import Player
from service.sweeps import sweep
from tests.service.fakes import Postbag, at_once, later, notices, person

pytestmark = pytest.mark.usefixtures("pearls")
ME, OPEN = SeatRequest("me"), SeatRequest("open")


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


def test_a_match_is_called_off_at_thirty_days_and_not_a_second_before(context: Context, ada: Player) -> None:
    match = lobby.create(context, ada, "pearls", {}, [ME, OPEN]).id
    later(context, seconds=timedelta(days=30).total_seconds() - 1)
    sweep(context)
    assert lobby.find(context, ada, match).status == "open"
    later(context, seconds=1)
    sweep(context)
    assert lobby.find(context, ada, match).status == "cancelled"
    sweep(context)
    (told,) = notices(context, "called_off")
    assert (told.player_id, told.payload) == (ada.id, {"free": 1, "maker": ""})


def test_sweepers_at_once_tell_each_person_once_and_no_bot(context: Context, ada: Player) -> None:
    bela, cleo = person(context, "Bela"), person(context, "Cleo")
    bot = bots.make(context, ada, "Greedy")[0]
    seats = [
        SeatRequest("invite", bela.email),
        SeatRequest("invite", "stranger@example.org"),
        OPEN,
    ]
    match = lobby.create(context, ada, "pearls", {}, seats).id
    other = lobby.create(
        context, ada, "pearls", {}, [SeatRequest("own_bot", player=bot.id), SeatRequest("bot", level="easy"), OPEN]
    ).id
    lobby.join(context, cleo, match)
    deliver_due(context)
    later(context, days=30)
    done = at_once(*(lambda: unstarted.call_off(context, match) for _ in range(4)))
    assert sorted(done) == [0, 0, 0, 1]
    told = {notice.player_id or notice.address for notice in notices(context, "called_off")}
    assert told == {ada.id, bela.id, cleo.id, "stranger@example.org"}
    assert len(notices(context, "called_off")) == 4
    unstarted.call_off(context, other)
    others = [notice for notice in notices(context, "called_off") if notice.match_id == other]
    assert {notice.player_id for notice in others} == {ada.id, bot.id}


def test_a_match_that_started_meanwhile_is_left_alone(context: Context, ada: Player) -> None:
    match = lobby.create(context, ada, "pearls", {}, [ME, OPEN]).id
    later(context, days=30)
    assert unstarted.due(context) == (match,)
    lobby.join(context, person(context, "Bela"), match)
    assert unstarted.call_off(context, match) == 0
    assert lobby.find(context, ada, match).status == "running"
    assert notices(context, "called_off") == []


def mailed(context: Context) -> dict[str, str]:
    """The mails that a match was called off, on one line each, by their addresses."""
    deliver_due(context)
    bag = context.transport
    assert isinstance(bag, Postbag)
    found = [mail for mail in bag.messages if mail["X-Overland-Kind"] == "called_off"]
    texts = {parseaddr(str(mail["To"]))[1]: " ".join(str(mail.get_body(("plain",))).split()) for mail in found}
    assert len(texts) == len(found)
    return texts


def test_the_others_are_mailed_once_when_the_host_leaves(context: Context, ada: Player) -> None:
    bela, cleo = person(context, "Bela"), person(context, "Cleo")
    seats = [OPEN, SeatRequest("invite", bela.email), SeatRequest("invite", "stranger@example.org")]
    match = lobby.create(context, ada, "pearls", {}, seats).id
    lobby.join(context, cleo, match)
    deliver_due(context)
    for _ in range(2):
        with suppress(Conflict):
            lobby.leave(context, ada, match)
    told = mailed(context)
    assert set(told) == {bela.email, cleo.email, "stranger@example.org"}
    for text in told.values():
        assert "Ada, who created it, has left before it started." in text
        assert "30 days" not in text


def test_who_was_not_yet_mailed_the_invitation_is_not_told_of_the_end(context: Context, ada: Player) -> None:
    match = lobby.create(context, ada, "pearls", {}, [ME, SeatRequest("invite", "bela@example.org")]).id
    lobby.leave(context, ada, match)
    deliver_due(context)
    assert notices(context, "called_off") == []
    assert [notice.status for notice in notices(context, "invitation")] == ["covered"]


def test_who_has_blocked_the_host_is_not_told(context: Context, ada: Player) -> None:
    bela = person(context, "Bela")
    match = lobby.create(context, ada, "pearls", {}, [ME, SeatRequest("invite", bela.email)]).id
    deliver_due(context)
    blocks.block(context, bela, match, None)
    lobby.leave(context, ada, match)
    assert mailed(context) == {}


def test_the_mail_does_not_name_a_host_who_has_left_for_good(context: Context, ada: Player) -> None:
    cleo = person(context, "Cleo")
    match = lobby.create(context, ada, "pearls", {}, [ME, OPEN, OPEN]).id
    lobby.join(context, cleo, match)
    leaving.leave_for_good(context, ada)
    (text,) = mailed(context).values()
    assert "A former player, who created it, has left before it started." in text
    assert "Ada" not in text
