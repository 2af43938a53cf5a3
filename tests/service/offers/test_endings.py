"""Ends by agreement: with the standing, as a draw, or called off."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from engine.errors import RecordError
from engine.record import EarlyEnd, Record, verify
from service.clocks.recorded import verify_clocks
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict
from service.ledger.check import check_ledger
from service.matches import days_off, lobby
from service.matches.check import check
from service.notices.mail.compose import mail_of
from service.offers import consent, offering
from service.offers.offering import Offer
from service.offers.sentences import ended_words
from service.players import suspending
from service.statuses import OfferKind
from service.store import matches as match_rows
from service.store import questions
from service.store.audit import Operator
from service.sweeps import sweep
from service.turns import time_up
from service.turns.submit import submit
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.bots.tables import seated
from tests.service.fakes import Round, all_sent, notices, person, played, started
from tests.service.fakes import judged_batch as judge_turns
from tests.service.turns.clocks import DAY, kinds, let_expire, moved_to, now_is, stored

pytestmark = pytest.mark.usefixtures("pearls")


def offered(context: Context, table: Round, by: int, kind: OfferKind) -> None:
    offering.offer(context, table.players[by], table.match.id, kind)


def accepted(context: Context, table: Round, by: int) -> None:
    offering.answer(context, table.players[by], table.match.id, newest(context, table).id, accepts=True)


def newest(context: Context, table: Round) -> Offer:
    return offering.of_match(context, table.match.id, context.clock()).items[0]


def found(context: Context, table: Round) -> Any:
    return lobby.find(context, None, table.match.id)


@pytest.mark.parametrize("clock", ["brisk", "none"])
@pytest.mark.parametrize(("kind", "how"), [("draw", "draw"), ("end", "standing")])
def test_all_agree_and_the_match_ends_by_a_record_that_proves_it(
    context: Context, clock: str, kind: OfferKind, how: str
) -> None:
    table = started(context, "pearls", 3, clock=clock)
    played(context, table.players[0], table.match.id, "dive")
    offered(context, table, 1, kind)
    accepted(context, table, 0)
    assert found(context, table).status == "running"
    accepted(context, table, 2)
    judge_turns(context)
    match = found(context, table)
    assert (match.status, match.early_end) == ("finished", EarlyEnd(how, (0, 1, 2)))  # type: ignore[arg-type]
    assert match.outcome is not None
    assert how == "standing" or match.outcome.ranks == (1, 1, 1)
    assert not any(seat.to_act for seat in match.seats)
    record = match_record(context, None, table.match.id)
    assert told("pearls", verify(record).outcome) == match.outcome
    assert (verify_clocks(record) is None) == (clock == "none")
    assert {notice.player_id for notice in notices(context, "match_over")} == {each.id for each in table.players}
    assert check_ledger(context.database).breaches == []
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert checked.differences == ()


def test_a_match_that_is_called_off_has_no_outcome_and_is_laid_open(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    played(context, table.players[0], table.match.id, "offer 3")
    hidden = match_record(context, None, table.match.id)
    assert hidden.secret is None
    offered(context, table, 0, "call_off")
    accepted(context, table, 1)
    judge_turns(context)
    match = found(context, table)
    assert (match.status, match.outcome, match.early_end) == ("cancelled", None, EarlyEnd("called_off", (0, 1)))
    record = match_record(context, None, table.match.id)
    assert record.secret is not None
    assert all(logged.action is not None for logged in record.log)
    assert verify(record).outcome is None
    assert verify_clocks(record) is not None
    for notice in notices(context, "match_over"):
        text = str(mail_of(context, notice).get_body(("plain",)))
        assert "has ended without a result" in text
        assert "Ada and Bela agreed to call it off." in text
        assert "FINAL SCORES" not in text
    assert check_ledger(context.database).breaches == []
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert checked.differences == ()
    with pytest.raises(Conflict, match="over"):
        submit(context, table.players[1], table.match.id, 1, match.ply, notation="dive")


def test_the_end_waits_for_a_turn_that_was_received_before(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    offered(context, table, 0, "draw")
    turn = submit(context, table.players[0], table.match.id, 0, found(context, table).ply, notation="dive")
    accepted(context, table, 1)
    assert newest(context, table).status == "open"
    judge_turns(context)
    sweep(context)
    judge_turns(context)
    match = found(context, table)
    assert match.status == "finished"
    record = match_record(context, None, table.match.id)
    assert any(logged.seat == 0 for logged in record.log), turn
    assert check_ledger(context.database).breaches == []


def test_a_turn_that_comes_after_the_agreement_is_refused_as_the_match_is_over(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    offered(context, table, 1, "draw")
    accepted(context, table, 0)
    now_is(context, context.clock() + timedelta(seconds=1))
    submit(context, table.players[0], table.match.id, 0, found(context, table).ply, notation="dive")
    judge_turns(context)
    assert found(context, table).status == "finished"
    assert not any(logged.seat == 0 for logged in match_record(context, None, table.match.id).log)
    assert check_ledger(context.database).breaches == []


def test_nobody_ends_a_match_alone_and_bots_do_not_keep_anybody(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    offered(context, table, 0, "end")
    accepted(context, table, 1)
    now_is(context, context.clock() + 2 * DAY)
    sweep(context)
    judge_turns(context)
    assert found(context, table).status == "running"
    offering.answer(context, table.players[2], table.match.id, newest(context, table).id, accepts=False)
    offer_id = newest(context, table).id
    with pytest.raises(Conflict, match="declined"):
        offering.answer(context, table.players[1], table.match.id, offer_id, accepts=False)
    match, alone = seated(context, "pearls", [None, "easy", "easy"])
    offering.offer(context, alone, match.id, "end")
    judge_turns(context)
    assert lobby.find(context, None, match.id).status == "finished"
    assert check_ledger(context.database).breaches == []


def test_an_end_lapses_when_the_match_is_over_and_when_its_maker_has_resigned(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    offered(context, table, 2, "draw")
    accepted(context, table, 0)
    lobby.resign(context, table.players[2], table.match.id)
    offer_id = newest(context, table).id
    with pytest.raises(Conflict, match="lapsed"):
        offering.answer(context, table.players[1], table.match.id, offer_id, accepts=True)
    sweep(context)
    judge_turns(context)
    assert found(context, table).status == "running"
    assert newest(context, table).status == "lapsed"


def test_time_and_the_end_are_offered_side_by_side_and_time_needs_a_clock(context: Context) -> None:
    table = started(context, "pearls", clock="none")
    with pytest.raises(Conflict, match="no clock"):
        offered(context, table, 0, "pause")
    offered(context, table, 0, "end")
    offered(context, table, 0, "draw")
    items = offering.of_match(context, table.match.id, context.clock()).items
    assert [offer.kind for offer in items] == ["draw", "end"]
    offering.answer(context, table.players[1], table.match.id, items[1].id, accepts=True)
    judge_turns(context)
    with context.database.read() as connection:
        match = match_rows.find(connection, table.match.id)
    assert match is not None
    assert match.early_end == {"how": "standing", "seats": [0, 1], "absent": []}
    assert "clock" not in kinds(context, table)


def held_seat(context: Context, seats: int = 2) -> Round:
    """A match in which a bot holds the seat of Ada, who has been late twice in a row."""
    table = started(context, "pearls", seats, clock="slow")
    while not stored(context, table).seats[0].by_bot:
        moved_to(context, table, 0)
        let_expire(context, table)
    return table


def days_pass(context: Context, number: int) -> None:
    """Sweeps once a day."""
    for _ in range(number):
        now_is(context, context.clock() + DAY)
        all_sent(context)
        sweep(context)
        judge_turns(context)


@pytest.mark.parametrize(
    "kind", ["end", *(pytest.param(kind, marks=pytest.mark.deep) for kind in ("draw", "call_off"))]
)
def test_no_end_takes_effect_without_the_word_of_who_has_a_bot_at_their_seat(context: Context, kind: OfferKind) -> None:
    table = held_seat(context)
    offered(context, table, 1, kind)
    assert newest(context, table).waits_for == (0,)
    days_pass(context, 15)
    assert found(context, table).status == "running"
    assert newest(context, table).status == "lapsed"
    offered(context, table, 1, kind)
    accepted(context, table, 0)
    judge_turns(context)
    match = found(context, table)
    assert match.status == ("cancelled" if kind == "call_off" else "finished")
    assert match.early_end.seats == (0, 1)
    assert told("pearls", verify(match_record(context, None, table.match.id)).outcome) == match.outcome


@pytest.mark.parametrize(
    "kind", ["end", *(pytest.param(kind, marks=pytest.mark.deep) for kind in ("draw", "call_off"))]
)
def test_no_end_takes_effect_without_the_word_of_who_is_absent(context: Context, kind: OfferKind) -> None:
    table = started(context, "pearls", clock="slow")
    offered(context, table, 1, kind)
    now_is(context, context.clock() + 5 * DAY)
    days_off.declare(context, table.players[0], 6)
    days_pass(context, 5)
    assert found(context, table).status == "running"
    assert newest(context, table).status == "open"


def test_no_seat_is_handed_over_without_the_word_of_who_is_away(context: Context) -> None:
    table, carl = held_seat(context, 3), person(context, "Carl")
    with pytest.raises(Conflict, match="take it back first"):
        offering.offer(context, table.players[0], table.match.id, "hand_over", email="zoe@example.org")
    offer = offering.offer(context, table.players[1], table.match.id, "hand_over", email=carl.email).items[0]
    offering.answer(context, carl, table.match.id, offer.id, accepts=True)
    accepted(context, table, 2)
    days_pass(context, 5)
    assert newest(context, table).waits_for == (0,)


def test_who_has_lost_the_seat_for_good_is_not_asked_and_nobody_is_said_to_have_agreed(context: Context) -> None:
    rule = {"preset": "brisk", "if_late": "bot_seat"}
    table = started(context, "pearls", clock=rule)
    while not stored(context, table).seats[0].replaced:
        moved_to(context, table, 0)
        let_expire(context, table)
    offered(context, table, 1, "draw")
    judge_turns(context)
    match = found(context, table)
    assert (match.status, match.early_end) == ("finished", EarlyEnd("draw", (1,)))
    assert match.outcome.ended.sentence == "The only player left chose a draw."
    record = match_record(context, None, table.match.id)
    assert told("pearls", verify(record).outcome) == match.outcome
    assert verify_clocks(record) is not None
    assert check_ledger(context.database).breaches == []


def test_the_only_player_left_calls_a_match_off_alone(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "if_late": "bot_seat"})
    while not stored(context, table).seats[0].replaced:
        moved_to(context, table, 0)
        let_expire(context, table)
    offered(context, table, 1, "call_off")
    judge_turns(context)
    match = found(context, table)
    assert (match.status, match.early_end) == ("cancelled", EarlyEnd("called_off", (1,)))
    assert ended_words(stored(context, table)) == "Bela, the only player left, called it off."


def test_a_match_is_abandoned_after_14_days_and_two_mails_and_its_record_proves_it(context: Context) -> None:
    table = held_seat(context)
    held_at = stored(context, table).seats[0].held_at
    assert held_at is not None
    with pytest.raises(Conflict, match="No bot holds the seat of another"):
        offered(context, started(context, "pearls", 2, ("Eve", "Fay"), clock="brisk"), 0, "abandon")
    offered(context, table, 1, "abandon")
    asked = newest(context, table)
    assert (asked.away, asked.ends_at) == ((0,), held_at + 14 * DAY)
    while found(context, table).status == "running":
        mails = [each for each in notices(context, "offer_made") if each.payload["offer"] == "abandon"]
        assert [each.player_id for each in mails] == [table.players[0].id] * len(mails)
        assert context.clock() < held_at + 16 * DAY
        days_pass(context, 1)
    assert len(mails) == 2
    match = found(context, table)
    assert (match.status, match.outcome, match.early_end) == ("cancelled", None, EarlyEnd("abandoned", (1,)))
    assert match.finished_at - held_at >= 14 * DAY
    assert match.finished_at - mails[1].created_at >= 3 * DAY
    record = match_record(context, None, table.match.id)
    assert record.secret is not None
    assert all(logged.action is not None for logged in record.log)
    assert verify(record).outcome is None
    assert verify_clocks(record) is not None
    with pytest.raises(RecordError, match="without the word of"):
        verify(replace(record, early_end=EarlyEnd("called_off", (1,))))
    assert record.clock is not None
    *before, over = record.clock.steps
    early = f"{held_at + 14 * DAY - timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
    steps = (*before, replace(over, at=early, counts_at=early))
    with pytest.raises(RecordError, match=r"^The match is said .* held the seats \[0\] for less than 14 days\.$"):
        verify_clocks(replace(record, clock=replace(record.clock, steps=steps)))
    assert check_ledger(context.database).breaches == []
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert checked.differences == ()


@pytest.mark.parametrize("clock", ["slow", "none"])
def test_a_match_whose_player_is_suspended_is_abandoned_by_a_record_that_says_whose_word_that_is(
    context: Context, clock: str
) -> None:
    table = started(context, "pearls", clock=clock)
    played(context, table.players[0], table.match.id, "dive")
    suspending.suspend(context, table.players[1], Operator("host", "rude"))
    offered(context, table, 0, "abandon")
    while found(context, table).status == "running":
        days_pass(context, 1)
    match, record = found(context, table), match_record(context, None, table.match.id)
    assert (match.status, match.early_end) == ("cancelled", EarlyEnd("abandoned", (0,), absent=(1,)))
    assert (
        ended_words(stored(context, table))
        == "Ada asked to end it. Bela had been away for 14 days or longer, and had been asked twice."
    )
    assert verify(record).outcome is None
    assert (verify_clocks(record) is None) == (clock == "none")
    with pytest.raises(RecordError, match="abandoned"):
        verify_whole(replace(record, early_end=EarlyEnd("abandoned", (0,))))
    assert check_ledger(context.database).breaches == []


def verify_whole(record: Record) -> None:
    verify(record)
    verify_clocks(record)


@pytest.mark.parametrize("clock", ["brisk", "none"])
@pytest.mark.parametrize("gone", [0, 1])
@pytest.mark.parametrize("kind", ["draw", "call_off"])
def test_who_resigns_before_an_agreed_end_is_judged_is_not_in_it(
    context: Context, clock: str, gone: int, kind: OfferKind
) -> None:
    table = started(context, "pearls", 3, clock=clock)
    offered(context, table, 0, kind)
    for seat in (1, 2):
        accepted(context, table, seat)
    lobby.resign(context, table.players[gone], table.match.id)
    judge_turns(context)
    match, record = found(context, table), match_record(context, None, table.match.id)
    assert match.early_end.seats == tuple(seat for seat in range(3) if seat != gone)
    assert match.status == ("finished" if kind == "draw" else "cancelled")
    verify_whole(record)
    assert check_ledger(context.database).breaches == []


def test_who_is_away_is_mailed_at_the_very_moment_and_the_match_ends_three_days_later(context: Context) -> None:
    table = held_seat(context)
    offered(context, table, 1, "abandon")
    match = stored(context, table)
    with context.database.read() as connection:
        (offer,) = questions.open_offers(connection, match.id)
    ends, second = consent.abandoned_at(match, offer), timedelta(seconds=1)
    warned = ends - consent.WARNED_FOR
    assert consent.WARNED_FOR == 3 * DAY
    assert [consent.abandoning(match, offer, at) for at in (warned - second, warned)] == ["wait", "warn"]
    mailed = replace(offer, warned_at=instant(warned))
    assert [consent.abandoning(match, mailed, at) for at in (ends - second, ends)] == ["wait", "end"]


def test_whoever_plays_has_to_accept_that_a_match_is_abandoned(context: Context) -> None:
    table = held_seat(context, 3)
    offered(context, table, 1, "abandon")
    assert (newest(context, table).away, newest(context, table).waits_for) == ((0,), (0, 2))
    days_pass(context, 20)
    assert found(context, table).status == "running"
    assert len([each for each in notices(context, "offer_made") if each.player_id == table.players[0].id]) == 1
    accepted(context, table, 2)
    days_pass(context, 2)
    assert found(context, table).status == "running"
    days_pass(context, 3)
    match = found(context, table)
    assert (match.status, match.early_end) == ("cancelled", EarlyEnd("abandoned", (1, 2)))


def test_a_match_that_all_say_is_abandoned_is_called_off_by_agreement(context: Context) -> None:
    table = held_seat(context)
    offered(context, table, 1, "abandon")
    accepted(context, table, 0)
    judge_turns(context)
    match = found(context, table)
    assert (match.status, match.early_end) == ("cancelled", EarlyEnd("called_off", (0, 1)))


def test_who_comes_back_keeps_a_match_from_being_abandoned_until_its_end_is_decided(context: Context) -> None:
    table = held_seat(context)
    offered(context, table, 1, "abandon")
    days_pass(context, 5)
    time_up.come_back(context, table.players[0], table.match.id)
    assert newest(context, table).status == "lapsed"
    while not stored(context, table).seats[0].by_bot:
        moved_to(context, table, 0)
        let_expire(context, table)
    offered(context, table, 1, "abandon")
    while newest(context, table).status == "open":
        all_sent(context)
        judge_turns(context)
        now_is(context, context.clock() + DAY)
        sweep(context)
    assert newest(context, table).status == "accepted"
    with pytest.raises(Conflict, match="is being ended as abandoned"):
        time_up.come_back(context, table.players[0], table.match.id)
    judge_turns(context)
    assert found(context, table).early_end == EarlyEnd("abandoned", (1,))
    verify(match_record(context, None, table.match.id))
