"""Leaving for good takes a player's name, addresses and tokens, and leaves records that can be
verified.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from engine.record import verify, write_record
from service import leaving, links
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, LetInNoMore, NotFound
from service.ledger.check import check_ledger
from service.loop import Loop
from service.matches import chat, lobby
from service.matches.types import Match, SeatRequest
from service.notices.delivery import deliver_due
from service.offers import offering
from service.players import accounts, bots, own_addresses, profiles, stopping, tokens
from service.store import players, tables
from service.store.players import Player
from service.sweeps import sweep
from service.views.record import match_record
from service.webhooks import owning
from tests.service.fakes import (
    Clock,
    Postbag,
    Round,
    at_once,
    later,
    notices,
    person,
    person_with_token,
    played,
    proof,
    started,
)
from tests.service.turns.clocks import let_expire

pytestmark = pytest.mark.usefixtures("pearls")
rounds_of = pytest.mark.parametrize("rounds", [4, pytest.param(8, marks=pytest.mark.deep)])


def test_nothing_of_the_player_is_left_but_what_was_played(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada Lovelace", "ada@example.org")
    bela = person(context, "Bela")
    waiting = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    match = lobby.create(context, bela, "pearls", {}, [SeatRequest("invite", "ada@example.org"), SeatRequest("me")])
    lobby.join(context, ada, match.id)
    played(context, ada, match.id, "dive")
    chat.note(context, ada, match.id, "Ada Lovelace was here")
    leaving.leave_for_good(context, ada)
    found = lobby.find(context, None, match.id)
    assert found.status == "finished"
    assert found.seats[0].player_name == "A former player"
    assert lobby.find(context, None, waiting.id).status == "cancelled"
    assert tokens.recognise_at(context, secret, None)[0] is None
    with pytest.raises(NotFound):
        profiles.of_player(context, ada.id)
    with context.database.read() as connection:
        stored = {
            table.name: repr(connection.execute(table.select()).all())
            for table in tables.metadata.sorted_tables
            if table.name != "messages"
        }
    assert [name for name, rows in stored.items() if "Lovelace" in rows or "ada@example" in rows] == ["quotas"]
    leaving.leave_for_good(context, ada)


def test_the_record_can_be_verified_all_the_same(context: Context) -> None:
    table = started(context, "pearls")
    played(context, table.players[0], table.match.id, "dive")
    leaving.leave_for_good(context, table.players[0])
    record = match_record(context, table.players[1], table.match.id)
    assert "Ada" not in json.dumps(write_record(record))
    verify(record)
    assert check_ledger(context.database).breaches == []


def test_nobody_who_has_left_sits_in_a_match_that_starts(context: Context) -> None:
    ada, bela, eve = (person(context, name) for name in ("Ada", "Bela", "Eve"))
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", {}, seats)
    lobby.join(context, bela, match.id, seat=2)
    leaving.leave_for_good(context, bela)
    match = lobby.join(context, eve, match.id)
    assert (match.status, [seat.player_id for seat in match.seats]) == ("open", [ada.id, eve.id, None])


def test_mails_to_come_do_not_name_them_and_none_is_sent_to_them(context: Context) -> None:
    table = started(context, "pearls", 3)
    chat.say(context, table.players[1], table.match.id, "Hello!")
    leaving.leave_for_good(context, table.players[0])
    deliver_due(context)
    bag = context.transport
    assert isinstance(bag, Postbag)
    sent = [message for message in bag.messages if message["X-Overland-Kind"] != "confirm_address"]
    assert sent
    assert not [message for message in sent if "ada@" in str(message["To"])]
    assert "Ada" not in "".join(message.as_string() for message in sent)


def test_the_address_can_sign_up_again_as_somebody_new(context: Context) -> None:
    ada = person(context, "Ada")
    bots.make(context, ada, "Greedy")
    leaving.leave_for_good(context, ada)
    again = person(context, "Ada")
    assert (again.name, again.id == ada.id, bots.of_player(context, again)) == ("Ada", False, ())


def test_what_stops_mails_stores_nothing_of_who_has_left(context: Context) -> None:
    table = started(context, "pearls")
    ada = table.players[0]
    leaving.leave_for_good(context, ada)
    for wanted in (
        links.of_everything(ada.id),
        links.of_match(ada.id, table.match.id),
        links.of_kind(ada.id, "your_turn"),
    ):
        with pytest.raises(NotFound, match="no such player any more"):
            stopping.stop(context, wanted, one_click=True)


def test_all_that_is_stored_is_handed_out_without_secrets(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada")
    table = started(context, "pearls", names=("Eve", "Fay"))
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    lobby.join(context, table.players[0], match.id)
    found = accounts.stored(context, ada)
    text = json.dumps(found)
    assert found["players"][0]["email"] == "ada@example.org"
    assert [row["label"] for row in found["tokens"]] == ["signed in by mail"]
    assert [row["id"] for row in found["matches"]] == [match.id]
    assert found["outbox"]
    assert secret not in text
    assert tokens.hash_of(secret) not in text
    assert "eve@example.org" not in text
    sent = [notice.payload.get("token", "none") for notice in notices(context) if notice.player_id == ada.id]
    assert not [token for token in sent if token in text]


def test_an_address_that_was_never_confirmed_stays_whose_it_is(context: Context) -> None:
    ada, bela, eve = (person(context, name) for name in ("Ada", "Bela", "Eve"))
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    own_addresses.add(context, eve, proof(context, eve), bela.email)
    leaving.leave_for_good(context, eve)
    assert lobby.join(context, bela, match.id).seats[1].player_id == bela.id
    assert notices(context, "seat_freed") == []


def test_who_never_confirmed_an_address_declines_nothing_for_it(context: Context) -> None:
    ada, invited = person(context, "Ada"), "bela@example.org"
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("invite", invited)])
    accounts.sign_up(context, "Squatter", invited)
    with context.database.read() as connection:
        squatter = players.by_email(connection, invited)
    assert squatter is not None
    leaving.leave_for_good(context, squatter)  # as by overland players erase
    bela = person(context, "Bela", invited)
    assert lobby.join(context, bela, match.id).seats[1].player_id == bela.id
    assert notices(context, "seat_freed") == []


def test_who_leaves_resigns_from_archived_matches_too(context: Context) -> None:
    table = started(context, "pearls", clock="none")
    assert isinstance(context.clock, Clock)
    for _ in range(4):
        context.clock.advance(days=40)
        sweep(context)
    assert lobby.find(context, None, table.match.id).status == "archived"
    leaving.leave_for_good(context, table.players[0])
    assert lobby.find(context, None, table.match.id).status == "finished"
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("seats", [2, 3])
def test_who_has_lost_a_seat_for_good_leaves_without_ending_the_match_of_the_others(
    context: Context, seats: int
) -> None:
    table = started(context, "pearls", seats, clock={"preset": "brisk", "if_late": "bot_seat"})
    let_expire(context, table)
    leaving.leave_for_good(context, table.players[0])
    match = lobby.find(context, None, table.match.id)
    assert (match.status, match.seats[0].player_name, match.seats[0].resigned_at) == (
        "running",
        "A former player",
        None,
    )
    for player in table.players[1:]:
        lobby.resign(context, player, table.match.id)
    verify(match_record(context, None, table.match.id))
    assert check_ledger(context.database).breaches == []


def between(monkeypatch: pytest.MonkeyPatch, module: object, function: str, then: Callable[[], object]) -> None:
    """Does something once, right after a function of a module has been called next."""
    before, todo = getattr(module, function), [then]

    def called(*args: Any, **kwargs: Any) -> Any:
        answer = before(*args, **kwargs)
        while todo:
            todo.pop()()
        return answer

    monkeypatch.setattr(module, function, called)


def test_a_bot_that_is_deleted_while_its_owner_creates_a_match_gets_no_seat(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = person(context, "Ada")
    bot, *_ = bots.make(context, ada, "Greedy")
    between(monkeypatch, lobby, "read_proposal", lambda: leaving.leave_for_good(context, bot))
    with pytest.raises(Invalid) as refused:
        lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("own_bot", player=bot.id)])
    assert [pointer for pointer, _ in refused.value.problems] == ["/seats/1/player"]
    assert lobby.mine(context, ada) == ()


def test_who_is_seated_while_they_leave_gives_that_seat_up_too(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, made = person(context, "Ada"), list[Match]()
    bot, *_ = bots.make(context, ada, "Greedy")
    seats = [SeatRequest("me"), SeatRequest("own_bot", player=bot.id)]
    between(monkeypatch, leaving, "_decline", lambda: made.append(lobby.create(context, ada, "pearls", {}, seats)))
    leaving.leave_for_good(context, bot)
    match = lobby.find(context, ada, made[0].id)
    assert (match.status, match.seats[1].resigned_at is not None) == ("finished", True)
    assert check_ledger(context.database).breaches == []


def test_who_has_left_meanwhile_takes_no_seat_and_creates_no_match(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    leaving.leave_for_good(context, bela)
    with pytest.raises(Forbidden, match="sign up again"):
        lobby.join(context, bela, match.id)
    with pytest.raises(Forbidden, match="sign up again"):
        lobby.create(context, bela, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert lobby.find(context, ada, match.id).seats[1].player_id is None


def test_a_request_that_was_let_in_before_gives_nothing_to_who_has_left_meanwhile(context: Context) -> None:
    ada = person(context, "Ada")
    let_in_by = proof(context, ada)
    leaving.leave_for_good(context, ada)
    for act in (
        partial(bots.make, context, ada, "Late"),
        partial(owning.enter, context, ada, "json", "http://late.example.org/calls"),
        partial(own_addresses.add, context, ada, let_in_by, "late@example.org"),
        partial(accounts.rename, context, ada, "Late"),
    ):
        with pytest.raises(LetInNoMore):
            act()
    assert "late" not in json.dumps(accounts.stored(context, ada)).casefold()


def test_a_bot_that_is_made_while_its_owner_leaves_leaves_too(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, made = person(context, "Ada"), list[str]()
    between(monkeypatch, leaving, "_decline", lambda: made.append(bots.make(context, ada, "Late")[2]))
    leaving.leave_for_good(context, ada)
    assert tokens.recognise_at(context, made[0], None)[0] is None
    assert bots.of_player(context, ada) == ()


@rounds_of
def test_no_bot_sits_anywhere_however_deleting_it_and_seating_it_interleave(context: Context, rounds: int) -> None:
    ada = person(context, "Ada")
    for number in range(rounds):
        bot, *_ = bots.make(context, ada, f"B{chr(97 + number)}")
        seats = [SeatRequest("me"), SeatRequest("own_bot", player=bot.id)]
        at_once(
            partial(leaving.leave_for_good, context, bot),
            *[partial(lobby.create, context, ada, "pearls", {}, seats)] * 2,
        )
    for match in lobby.mine(context, ada):
        assert (match.status, match.seats[1].resigned_at is not None) == ("finished", True)
    assert check_ledger(context.database).breaches == []


def given(context: Context, table: Round, taker: Player) -> str:
    """Offers the first seat to the player, who agrees; Bela is left to be asked."""
    offering.offer(context, table.players[0], table.match.id, "hand_over", email=taker.email)
    offer_id = offering.of_match(context, table.match.id, context.clock()).items[0].id
    offering.answer(context, taker, table.match.id, offer_id, accepts=True)
    return offer_id


def test_a_seat_is_not_handed_to_who_has_left_meanwhile(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    table, carl, offers = started(context, "pearls"), person(context, "Carl"), list[str]()
    between(monkeypatch, leaving, "_decline", lambda: offers.append(given(context, table, carl)))
    leaving.leave_for_good(context, carl)
    with pytest.raises(Conflict, match="lapsed"):
        offering.answer(context, table.players[1], table.match.id, offers[0], accepts=True)
    assert lobby.find(context, None, table.match.id).seats[0].player_id == table.players[0].id
    assert check_ledger(context.database).breaches == []


@rounds_of
def test_nobody_who_has_left_has_a_seat_however_leaving_and_handing_it_over_interleave(
    context: Context, rounds: int
) -> None:
    for number in range(rounds):
        letter = chr(97 + number)
        table = started(context, "pearls", names=(f"Ada{letter}", f"Bela{letter}"))
        carl = person(context, f"Carl{letter}")
        accepted = partial(offering.answer, context, table.players[1], table.match.id, given(context, table, carl))
        at_once(partial(leaving.leave_for_good, context, carl), partial(accepted, accepts=True))
        match = lobby.find(context, table.players[1], table.match.id)
        assert match.seats[0].player_id == table.players[0].id or match.seats[0].resigned_at is not None
    assert check_ledger(context.database).breaches == []


def test_nobody_is_kept_who_never_confirms_an_address(context: Context) -> None:
    ada = person(context, "Ada")
    bots.make(context, ada, "Bot of Ada")
    accounts.sign_up(context, "Bela", "bela@example.org")
    later(context, days=29)
    accounts.sign_up(context, "Bela", "bela@example.org")
    later(context, days=31)
    assert not sweep(context)[Loop.LEAVING]["done"], "the link of the second mail worked two days longer"
    later(context, days=1, seconds=1)
    assert sweep(context)[Loop.LEAVING]["done"] == 1
    with context.database.read() as connection:
        for table in tables.metadata.sorted_tables:
            assert "bela@example.org" not in repr(connection.execute(table.select()).all()), table.name
    assert check_ledger(context.database).breaches == []
    assert not sweep(context)[Loop.LEAVING]["done"]
    assert person(context, "Bela", "bela@example.org").name == "Bela"
    assert len(bots.of_player(context, ada)) == 1
