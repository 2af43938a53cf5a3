"""Seats that are handed over: who is asked, who played when, and that no time is gained by it."""

from __future__ import annotations

import itertools
import random
from datetime import timedelta
from typing import get_args

import pytest

from engine.record import verify
from service.clocks.recorded import verify_clocks
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, TooMany
from service.ledger.check import check_ledger
from service.matches import days_off, lobby
from service.matches.access import with_times
from service.matches.check import check
from service.notices.mail.compose import mail_of
from service.offers import offering, settling
from service.offers.offering import Offer
from service.players import choosing, profiles, suspending
from service.statuses import OfferKind
from service.store import matches as match_rows
from service.store import players
from service.store.audit import Operator
from service.store.players import Player
from service.sweeps import sweep
from service.turns.submit import submit
from service.views.record import match_log, match_record
from tests.service.fakes import Round, judged_batch, notices, person, played, played_on, started
from tests.service.turns.clocks import DAY, due, kinds, let_expire, moved_to, now_is, steps, stored, times

pytestmark = pytest.mark.usefixtures("pearls")
HOUR = timedelta(hours=1)


def newest(context: Context, table: Round) -> Offer:
    return offering.of_match(context, table.match.id, context.clock()).items[0]


def offered(context: Context, table: Round, by: int, to: Player) -> None:
    offering.offer(context, table.players[by], table.match.id, "hand_over", email=to.email)


def agrees(context: Context, table: Round, player: Player, accepts: bool = True) -> None:
    offering.answer(context, player, table.match.id, newest(context, table).id, accepts)


def handed(context: Context, table: Round, by: Player, to: Player) -> None:
    """Hands the seat of ``by`` to another, with everybody's consent."""
    offering.offer(context, by, table.match.id, "hand_over", email=to.email)
    agrees(context, table, to)
    match = lobby.find(context, None, table.match.id)
    for seat in match.seats:
        if newest(context, table).status == "open" and seat.seat in newest(context, table).waits_for:
            offering.answer(
                context, holder_of(context, seat.player_id), table.match.id, newest(context, table).id, accepts=True
            )
    assert newest(context, table).status == "accepted"


def holder_of(context: Context, player_id: str | None) -> Player:
    with context.database.read() as connection:
        found = players.find(connection, player_id or "")
    assert found is not None
    return found


def test_whoever_is_named_is_asked_first_and_then_the_others(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    offered(context, table, 0, carl)
    assert (newest(context, table).to, newest(context, table).waits_for) == (None, ())
    assert notices(context, "offer_made") == []
    (asked,) = notices(context, "seat_offered")
    assert asked.player_id == carl.id
    text = str(mail_of(context, asked).get_body(("plain",)))
    assert "Ada offers you their seat" in text
    assert 'Reply with "accept"' in text
    with pytest.raises(Forbidden, match="when it is known"):
        offering.answer(context, table.players[1], table.match.id, newest(context, table).id, accepts=True)
    agrees(context, table, carl)
    assert (newest(context, table).to, newest(context, table).waits_for) == ("Carl", (1, 2))
    for notice in notices(context, "offer_made"):
        assert "hand their seat to Carl" in str(mail_of(context, notice).get_body(("plain",)))
    agrees(context, table, table.players[1])
    assert lobby.find(context, None, table.match.id).seats[0].player_name == "Ada"
    agrees(context, table, table.players[2])
    match = lobby.find(context, None, table.match.id)
    assert [seat.player_name for seat in match.seats] == ["Carl", "Bela", "Cleo"]
    (told,) = notices(context, "seat_handed")
    assert told.player_id == table.players[0].id
    assert "Carl plays on from here" in " ".join(str(mail_of(context, told).get_body(("plain",))).split())
    assert carl.id in {notice.player_id for notice in notices(context, "your_turn")}
    played(context, carl, table.match.id, "dive")
    with pytest.raises(Forbidden):
        submit(context, table.players[0], table.match.id, None, match.ply, notation="dive")
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("clock", ["brisk", "none"])
def test_the_record_says_who_played_when(context: Context, clock: str) -> None:
    table, carl = started(context, "pearls", clock=clock), person(context, "Carl")
    played(context, table.players[0], table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    at = lobby.find(context, None, table.match.id).ply
    handed(context, table, table.players[0], carl)
    played(context, carl, table.match.id, "dive")
    entries = [entry for entry in match_log(context, None, table.match.id) if entry["seat"] == 0]
    assert [entry["player"] for entry in entries] == ["Ada", "Carl"]
    assert entries[0]["sentence"].startswith("Ada ")
    assert entries[1]["sentence"].startswith("Carl ")
    lobby.resign(context, table.players[1], table.match.id)
    record = match_record(context, None, table.match.id)
    assert record.players == ("Carl", "Bela")
    assert [(each.seat, each.ply, each.by, each.to) for each in record.handovers] == [(0, at, "Ada", "Carl")]
    verify(record)
    assert (verify_clocks(record) is None) == (clock == "none")
    assert check_ledger(context.database).breaches == []
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert checked.differences == ()


def test_the_predecessor_keeps_the_blame_and_the_replacement_begins_anew(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    let_expire(context, table)
    while not lobby.find(context, None, table.match.id).seats[0].to_act:
        awaited = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
        played(context, table.players[awaited], table.match.id, "dive")
    handed(context, table, table.players[0], carl)
    clock = times(context, table)[0].stored.clock
    assert (clock.missed, clock.reserve) == (0, 0)
    with context.database.read() as connection:
        stored = match_rows.find(connection, table.match.id)
        assert stored is not None
        shown = with_times(connection, [stored], [lobby.find(context, None, table.match.id)], context.clock())
    assert shown[0].seats[0].timed_out == 0
    assert profiles.of_player(context, carl.id).turns == 0
    let_expire(context, table)  # a bot plays, and does not hold the seat yet
    assert not lobby.find(context, None, table.match.id).seats[0].by_bot
    for player in table.players[1:]:
        lobby.resign(context, player, table.match.id)
    record = match_record(context, None, table.match.id)
    found = verify_clocks(record)
    assert found is not None
    assert found.timed_out == {"Ada": 1, "Carl": 1}


def test_the_clock_goes_on_with_what_is_left(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    before = due(context, table)
    now_is(context, context.clock() + 5 * HOUR)
    handed(context, table, table.players[0], carl)
    assert due(context, table) == before
    assert kinds(context, table) == ["begun", "handed"]


def test_who_takes_over_within_the_turn_of_another_has_the_share_that_is_left(context: Context) -> None:
    table, carl, luck = started(context, "montana", clock="brisk"), person(context, "Carl"), random.Random(1)
    while not (asked := [own.stored.seat for own in times(context, table) if own.stored.clock.lent]):
        played_on(context, table, luck, lobby.find(context, None, table.match.id).ply + 1)
    before = due(context, table, *asked)
    now_is(context, context.clock() + 5 * HOUR)
    handed(context, table, table.players[asked[0]], carl)
    assert due(context, table, *asked) == before
    assert check_ledger(context.database).breaches == []


def test_a_seat_whose_time_is_up_is_handed_over_after_what_follows(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    at = due(context, table)
    days_off.declare(context, carl, 5, at - DAY)
    now_is(context, at + timedelta(seconds=5))
    offered(context, table, 0, carl)
    for player in (carl, *table.players[1:]):
        agrees(context, table, player)
    assert kinds(context, table) == ["begun"], "the offer waits"
    let_expire(context, table)
    now_is(context, context.clock() + 3 * DAY)
    assert settling.settle_match(context, table.match.id) == 1
    assert [step.kind for step in steps(context, table)] == ["begun", "time_up_bot_turn", "handed"]
    assert steps(context, table)[1].counts_at == instant(at)
    assert lobby.find(context, None, table.match.id).seats[0].player_name == "Carl"
    assert check_ledger(context.database).breaches == []


def test_to_hand_a_seat_back_and_forth_gains_no_time(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    ada = table.players[0]
    before = due(context, table)
    for giver, taker in itertools.islice(itertools.cycle([(ada, carl), (carl, ada)]), 10):
        now_is(context, context.clock() + 3 * HOUR)
        try:
            handed(context, table, giver, taker)
        except TooMany:
            now_is(context, context.clock() + 25 * HOUR)
    assert due(context, table) == before


def test_days_off_count_for_who_has_the_seat_and_no_longer_for_the_seat_than_15_days(context: Context) -> None:
    table, carl = started(context, "pearls", clock="slow"), person(context, "Carl")
    before = due(context, table)
    days_off.declare(context, table.players[0], 4)
    assert due(context, table) == before + 4 * DAY
    now_is(context, context.clock() + 1 * DAY)
    handed(context, table, table.players[0], carl)
    assert due(context, table) == before + 1 * DAY
    days_off.declare(context, carl, 2)
    assert due(context, table) == before + 3 * DAY
    played(context, carl, table.match.id, "dive")
    stops = [(stop.kind, stop.end - stop.start) for step in steps(context, table) for stop in step.stops.get(0, ())]
    assert stops == [("days_off", 86_400)]
    assert check_ledger(context.database).breaches == []


def test_a_turn_that_waits_is_judged_first_and_is_its_player_s(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    offered(context, table, 0, carl)
    agrees(context, table, carl)
    ply = lobby.find(context, None, table.match.id).ply
    submit(context, table.players[0], table.match.id, 0, ply, notation="dive")
    agrees(context, table, table.players[1])
    assert newest(context, table).status == "open"
    judged_batch(context)
    sweep(context)
    assert newest(context, table).status == "accepted"
    (entry,) = [entry for entry in match_log(context, None, table.match.id) if entry["seat"] == 0]
    assert entry["player"] == "Ada"
    record = match_record(context, None, table.match.id)
    assert record.handovers[0].ply > entry["ply"]
    assert check_ledger(context.database).breaches == []


def test_who_is_named_may_decline_and_nobody_else_may_answer_for_them(context: Context) -> None:
    table, carl, eve = started(context, "pearls", clock="brisk"), person(context, "Carl"), person(context, "Eve")
    offered(context, table, 0, carl)
    offer_id = newest(context, table).id
    with pytest.raises(Forbidden):
        offering.answer(context, eve, table.match.id, offer_id, accepts=True)
    agrees(context, table, carl, accepts=False)
    assert newest(context, table).status == "declined"
    told = [notice for notice in notices(context, "offer_settled") if notice.player_id == table.players[0].id]
    assert len(told) == 1
    assert "was to have the seat has declined" in str(mail_of(context, told[0]).get_body(("plain",)))


def test_what_cannot_be_handed_over(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    with pytest.raises(Conflict, match="your own address"):
        offered(context, table, 0, table.players[0])
    with pytest.raises(Invalid):
        offering.offer(context, table.players[0], table.match.id, "hand_over", email="nobody")
    offering.offer(context, table.players[0], table.match.id, "hand_over", email="new@example.org")
    (asked,) = notices(context, "seat_offered")
    assert (asked.player_id, asked.address) == (None, "new@example.org")
    assert "You need no account" in " ".join(str(mail_of(context, asked).get_body(("plain",))).split())
    with pytest.raises(Conflict, match="open already"):
        offering.offer(context, table.players[1], table.match.id, "hand_over", email="other@example.org")


def test_an_offer_of_a_seat_lapses_when_its_taker_sits_down_elsewhere(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    offered(context, table, 0, carl)
    agrees(context, table, carl)
    now_is(context, context.clock() + timedelta(days=15))
    sweep(context)
    assert newest(context, table).status == "lapsed"
    assert lobby.find(context, None, table.match.id).seats[0].player_name == "Ada"


@pytest.mark.parametrize("agreed", [False, True])
def test_a_seat_is_not_handed_to_who_is_suspended_and_may_be_offered_to_another(context: Context, agreed: bool) -> None:
    table, carl, dora = started(context, "pearls"), person(context, "Carl"), person(context, "Dora")
    offered(context, table, 0, carl)
    agrees(context, table, carl)
    submit(context, table.players[0], table.match.id, 0, stored(context, table).ply, notation="dive")
    if agreed:
        agrees(context, table, table.players[1])
        assert newest(context, table).status == "open", "a turn is judged before"
    suspending.suspend(context, carl, Operator("operator", "Rude."))
    judged_batch(context)
    if not agreed:
        with pytest.raises(Conflict, match="lapsed"):
            agrees(context, table, table.players[1])
    sweep(context)
    assert newest(context, table).status == "lapsed"
    assert stored(context, table).seats[0].player_name == "Ada"
    assert notices(context, "seat_handed") == []
    handed(context, table, table.players[0], dora)
    assert stored(context, table).seats[0].player_name == "Dora"
    assert check_ledger(context.database).breaches == []


def test_what_a_predecessor_had_offered_or_was_asked_back_is_gone(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    offering.offer(context, table.players[0], table.match.id, "draw")
    offering.offer(context, table.players[1], table.match.id, "end")
    offer_ids = {offer.kind: offer.id for offer in offering.of_match(context, table.match.id, context.clock()).items}
    offering.answer(context, table.players[0], table.match.id, offer_ids["end"], accepts=True)
    handed(context, table, table.players[0], carl)
    found = {offer.kind: offer for offer in offering.of_match(context, table.match.id, context.clock()).items}
    assert found["draw"].status == "lapsed"
    assert (found["end"].accepted_by, found["end"].waits_for) == ((), (0, 2))


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in get_args(OfferKind) if kind != "hand_over"])
def test_the_new_player_is_asked_once_what_still_waits_for_the_word_of_the_seat(
    context: Context, kind: OfferKind, answered: bool
) -> None:
    table, carl = started(context, "pearls", 4, clock="brisk"), person(context, "Carl")
    while not stored(context, table).seats[3].by_bot:  # without whose word the match can be abandoned
        moved_to(context, table, 3)
        let_expire(context, table, 3)
    (offer,) = offering.offer(context, table.players[1], table.match.id, kind).items
    if answered:
        offering.answer(context, table.players[0], table.match.id, offer.id, accepts=True)
    told = len(notices(context, "offer_made"))
    handed(context, table, table.players[0], carl)
    (asked,) = [notice for notice in notices(context, "offer_made") if notice.player_id == carl.id]
    assert (asked.payload["id"], asked.payload["question"]) == (offer.id, 1)
    assert 'Reply to this mail with "accept" or "decline"' in str(mail_of(context, asked).get_body(("plain",)))
    assert len(notices(context, "offer_made")) == told + 3 + 1, "the others are asked about the seat alone"
    offering.answer(context, carl, table.match.id, offer.id, accepts=True)
    (now,) = [each for each in offering.of_match(context, table.match.id, context.clock()).items if each.id == offer.id]
    assert 0 in now.accepted_by
    assert check_ledger(context.database).breaches == []


def test_the_new_player_is_not_asked_what_has_lapsed(context: Context) -> None:
    table, carl = started(context, "pearls", 3, clock="brisk"), person(context, "Carl")
    offering.offer(context, table.players[1], table.match.id, "extend")
    offered(context, table, 0, carl)
    agrees(context, table, carl)
    played(context, table.players[0], table.match.id, "dive")
    for player in table.players[1:]:
        agrees(context, table, player)
    assert lobby.find(context, None, table.match.id).seats[0].player_name == "Carl"
    assert [notice for notice in notices(context, "offer_made") if notice.player_id == carl.id] == []


def test_the_same_answer_of_who_is_named_changes_nothing(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    offered(context, table, 0, carl)
    first = newest(context, table).id
    for _ in range(2):
        offering.answer(context, carl, table.match.id, first, accepts=False)
    with pytest.raises(Conflict, match="was declined"):
        offering.answer(context, carl, table.match.id, first, accepts=True)
    offered(context, table, 0, carl)
    second = newest(context, table).id
    for _ in range(2):
        offering.answer(context, carl, table.match.id, second, accepts=True)
    offering.answer(context, table.players[1], table.match.id, second, accepts=True)
    offering.answer(context, carl, table.match.id, second, accepts=True)
    assert len(notices(context, "seat_handed")) == 1
    assert lobby.find(context, None, table.match.id).seats[0].player_name == "Carl"


def test_the_new_player_is_reminded_as_they_wish(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    choosing.choose(context, table.players[0], {"reminders": "none"})
    handed(context, table, table.players[0], carl)
    assert times(context, table)[0].stored.remind_at is not None
    choosing.choose(context, carl, {"reminders": "none"})
    now_is(context, due(context, table) - timedelta(hours=13))
    sweep(context)
    assert notices(context, "reminder") == []


def test_nobody_learns_whose_an_address_is_by_offering_a_seat_to_it(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    offered(context, table, 0, table.players[1])
    offer = newest(context, table)
    assert (offer.status, offer.to, offer.waits_for) == ("open", None, ())
    with pytest.raises(Conflict, match="nobody has two"):
        offering.answer(context, table.players[1], table.match.id, offer.id, accepts=True)
    offering.answer(context, table.players[1], table.match.id, offer.id, accepts=False)
    assert newest(context, table).status == "declined"
