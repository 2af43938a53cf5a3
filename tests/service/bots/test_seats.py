"""Bots that have seats of their own: how they are asked for, what is told of them and to them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.errors import RecordError
from engine.record import read_record, verify, write_record
from service.clocks.recorded import verify_clocks
from service.clocks.rule import PRESETS
from service.context import Context
from service.errors import Invalid
from service.house import HOUSE, bot_level
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts
from service.store import players
from service.store.tables import confirmations, events, outbox, player_addresses, tokens
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.bots.tables import bots_play, played_out, seated, until_a_person_is_awaited
from tests.service.fakes import judged_batch, notices, person, sent_token

pytestmark = pytest.mark.usefixtures("pearls")


def test_a_match_with_bots_alone_begins_at_once_and_says_who_is_one(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy", "easy"])
    assert match.status == "running"
    assert [(seat.player_name, seat.bot) for seat in match.seats] == [
        ("Ada", None),
        ("Easy bot", "easy"),
        ("Easy bot 2", "easy"),
    ]
    assert all(seat.nonce for seat in match.seats)
    assert match.nonces_digest is not None
    assert match.created_by == ada.id


def test_a_match_with_an_open_seat_waits_for_people_not_for_bots(context: Context) -> None:
    ada = person(context, "Ada")
    seats = [SeatRequest("bot", level="fair"), SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", {}, seats)
    assert (match.status, match.seats[0].player_name) == ("open", "Fair bot")
    assert lobby.join(context, person(context, "Bela"), match.id).status == "running"


@pytest.mark.parametrize(
    ("seats", "pointers"),
    [
        ([SeatRequest("bot", level="easy"), SeatRequest("bot", level="fair")], ["/seats"]),
        ([SeatRequest("me"), SeatRequest("bot")], ["/seats/1/level"]),
        ([SeatRequest("me", level="easy"), SeatRequest("open")], ["/seats/0/level"]),
        ([SeatRequest("me"), SeatRequest("bot", "bela@example.org", "easy")], ["/seats/1/email"]),
    ],
)
def test_seats_of_bots_that_make_no_sense_are_refused(
    context: Context, seats: list[SeatRequest], pointers: list[str]
) -> None:
    with pytest.raises(Invalid) as raised:
        lobby.create(context, person(context, "Ada"), "pearls", {}, seats)
    assert [pointer for pointer, _ in raised.value.problems] == pointers


def test_nothing_is_told_to_a_bot_and_it_has_no_way_in(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy", "fair"])
    played_out(context, ada, match.id, random.Random(1))
    assert {notice.player_id for notice in notices(context)} == {ada.id}
    with context.database.read() as connection:
        told = {row.player_id for row in connection.execute(events.select())}
        assert told == {None, ada.id}
        for table in (confirmations, tokens, player_addresses):
            assert not [row for row in connection.execute(table.select()) if row.player_id in HOUSE], table
        assert not [row for row in connection.execute(outbox.select()) if row.player_id in HOUSE]
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("name", ["Easy bot", "  fair  BOT 2 "])
def test_nobody_takes_the_name_of_a_bot(context: Context, name: str) -> None:
    with pytest.raises(Invalid, match="is a bot of this service"):
        accounts.sign_up(context, name, "eve@example.org")


def test_what_stands_for_the_address_of_a_bot_is_none(context: Context) -> None:
    seated(context, "pearls", [None, "easy"])
    for player in HOUSE.values():
        with pytest.raises(Invalid):
            accounts.sign_up(context, "Eve", player.id)
    accounts.sign_up(context, "Eve", "easy-bot-1@example.org")
    eve, _ = accounts.confirm(context, sent_token(context, "easy-bot-1@example.org"))
    assert bot_level(eve.id) is None


def test_the_match_ends_when_the_last_person_resigns(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy", "fair"])
    over = lobby.resign(context, ada, match.id)
    assert over.status == "finished"
    assert over.outcome is not None
    assert over.outcome.ranks == (3, 1, 1)
    record = match_record(context, None, match.id)
    assert record.bots == {"1": "easy", "2": "fair"}
    assert told(over.game, verify(record).outcome) == over.outcome
    forged = write_record(record)
    del forged["bots"]
    with pytest.raises(RecordError, match="log ends before the match does"):
        verify(read_record(forged))
    assert check_ledger(context.database).breaches == []


def test_where_two_people_play_one_may_resign_and_the_other_plays_on(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, None, "easy"])
    assert lobby.resign(context, ada, match.id).status == "running"


@pytest.mark.parametrize("bots", [{"5": "easy"}, {"x": "easy"}, {"0": "easy", "1": "easy", "2": "easy"}])
def test_a_record_whose_bots_are_no_seats_is_refused(context: Context, bots: dict[str, Any]) -> None:
    match, ada = seated(context, "pearls", [None, "easy", "fair"])
    lobby.resign(context, ada, match.id)
    forged = write_record(match_record(context, None, match.id)) | {"bots": bots}
    with pytest.raises(RecordError, match="Bots are said"):
        verify(read_record(forged))


def test_the_clock_of_a_bot_never_runs_and_the_record_verifies_so(context: Context) -> None:
    match, ada = seated(context, "pearls", ["fair", None, None], clock=PRESETS["brisk"])
    until_a_person_is_awaited(context, match.id)
    found = lobby.find(context, ada, match.id)
    assert found.seats[0].clock is None or found.seats[0].clock.deadline is None
    assert check_ledger(context.database).breaches == []
    lobby.resign(context, ada, match.id)
    bots_play(context)
    judged_batch(context)
    guest = next(seat for seat in found.seats if seat.player_name == "Visitor0")
    assert guest.player_id is not None
    with context.database.read() as connection:
        other = players.find(connection, guest.player_id)
    assert other is not None
    assert lobby.resign(context, other, match.id).status == "finished"
    assert check_ledger(context.database).breaches == []
    record = match_record(context, None, match.id)
    verify(record)
    assert verify_clocks(record) is not None
