"""What a player is told when a request is not allowed: whole sentences, as people read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.context import Context
from service.errors import ServiceError
from service.matches import lobby, resign
from service.matches.types import Match, SeatRequest
from service.store.players import Player
from service.turns.submit import submit
from tests.service.fakes import person, played, started

pytestmark = pytest.mark.usefixtures("pearls")


def open_match(context: Context, ada: Player, *others: SeatRequest) -> Match:
    return lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), *(others or [SeatRequest("open")])])


def said(ask: Callable[[], object]) -> str:
    with pytest.raises(ServiceError) as refused:
        ask()
    return str(refused.value)


def test_before_a_match_has_started(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = open_match(context, ada)
    kept = open_match(context, ada, SeatRequest("invite", "cleo@example.org"))
    assert [
        said(lambda: submit(context, ada, match.id, None, 0, notation="dive")),
        said(lambda: submit(context, bela, match.id, None, 0, notation="dive")),
        said(lambda: lobby.start(context, ada, match.id)),
        said(lambda: lobby.start(context, bela, match.id)),
        said(lambda: lobby.leave(context, bela, match.id)),
        said(lambda: lobby.join(context, bela, match.id, seat=0)),
        said(lambda: lobby.join(context, bela, match.id, seat=5)),
        said(lambda: lobby.join(context, ada, match.id, seat=1)),
        said(lambda: lobby.join(context, bela, kept.id)),
        said(lambda: lobby.join(context, bela, kept.id, seat=1)),
        said(lambda: resign.resign(context, ada, match.id)),
        said(lambda: resign.resign(context, bela, match.id)),
        said(lambda: lobby.find(context, ada, "nowhere")),
        said(lambda: lobby.join(context, replace(bela, confirmed_at=None), match.id)),
    ] == [
        "The match has not started yet: seats are still free.",
        "You have no seat in this match.",
        "Seats are still free: 1. The match starts by itself when they are taken.",
        "Only the player who created the match may start it.",
        "You have no seat in this match.",
        "Seat 0 is taken by Ada.",
        "There is no seat 5; the seats are 0 to 1.",
        "You already have seat 0; nobody can hold two seats in a match.",
        "No seat is open to you: all are taken, or kept for others who are invited.",
        "Seat 1 is kept for somebody who is invited.",
        "The match has not started yet: seats are still free.",
        "You have no seat in this match.",
        "There is no match nowhere.",
        "Confirm your address first, with the token from the mail.",
    ]


def test_the_seats_of_a_new_match(context: Context) -> None:
    ada = person(context, "Ada", "ada@example.org")
    bela, own = SeatRequest("invite", "bela@example.org"), SeatRequest("invite", "ada@example.org")
    assert [
        said(lambda: open_match(context, ada, SeatRequest("me"))),
        said(lambda: open_match(context, ada, own)),
        said(lambda: open_match(context, ada, bela, bela)),
        said(lambda: open_match(context, ada, SeatRequest("open", "bela@example.org"))),
        said(lambda: open_match(context, ada, *[SeatRequest("open")] * 9)),
    ] == [
        "Nobody can hold two seats in a match; ask for only one yourself.",
        "This is your own address: ask for the seat with the kind me or reserved.",
        "bela@example.org is already invited to another seat; nobody can hold two.",
        "A seat of kind open takes no email.",
        "Pearls is for 2, 3 or 4 players, not 10.",
    ]


def test_while_a_match_runs(context: Context) -> None:
    table = started(context, "pearls")
    (ada, bela), match = table.players, table.match
    played(context, ada, match.id, "dive")
    submit(context, bela, match.id, None, 2, notation="dive", idempotency_key="k1")
    assert [
        said(lambda: submit(context, bela, match.id, 0, 2, notation="dive")),
        said(lambda: submit(context, bela, match.id, None, 9, notation="dive")),
        said(lambda: submit(context, bela, match.id, None, 2, [{"type": "dive"}], "dive")),
        said(lambda: submit(context, bela, match.id, None, 2)),
        said(lambda: submit(context, bela, match.id, None, 2, notation="dive; dive", idempotency_key="k1")),
    ] == [
        "Seat 0 is not yours; you have seat 1.",
        "The match is only at ply 2; a turn has to answer that ply.",
        "Send actions or notation, not both.",
        "A turn has at least one action.",
        "The idempotency key k1 was used for another turn; use a new one.",
    ]


def test_when_a_match_is_over(context: Context) -> None:
    table = started(context, "pearls")
    (ada, bela), match = table.players, table.match
    resign.resign(context, bela, match.id)
    assert said(lambda: submit(context, ada, match.id, None, 0, notation="dive")) == (
        "The match is over; no more actions are accepted."
    )
