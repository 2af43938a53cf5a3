"""Matches that do not start in time are called off, with one mail to each who has a part."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.context import Context
from service.matches import lobby, unstarted
from service.matches.types import SeatRequest
from service.players import bots
from service.store.players import Player
from service.sweeps import sweep
from tests.service.fakes import Clock, at_once, notices, person

pytestmark = pytest.mark.usefixtures("pearls")
ME, OPEN = SeatRequest("me"), SeatRequest("open")


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


def advance(context: Context, **time: float) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(**time)


def test_a_match_is_called_off_at_thirty_days_and_not_a_second_before(context: Context, ada: Player) -> None:
    match = lobby.create(context, ada, "pearls", {}, [ME, OPEN]).id
    advance(context, seconds=timedelta(days=30).total_seconds() - 1)
    sweep(context)
    assert lobby.find(context, ada, match).status == "open"
    advance(context, seconds=1)
    sweep(context)
    assert lobby.find(context, ada, match).status == "cancelled"
    sweep(context)
    (told,) = notices(context, "called_off")
    assert (told.player_id, told.payload) == (ada.id, {"free": 1})


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
    advance(context, days=30)
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
    advance(context, days=30)
    assert unstarted.due(context) == (match,)
    lobby.join(context, person(context, "Bela"), match)
    assert unstarted.call_off(context, match) == 0
    assert lobby.find(context, ada, match).status == "running"
    assert notices(context, "called_off") == []
