"""Ends by agreement: with the standing, as a draw, or called off."""

from __future__ import annotations

from typing import Any

import pytest

from engine.record import Agreement, verify
from service.clocks.published import verify_clocks
from service.context import Context
from service.errors import Conflict
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.check import check
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.offers.types import Offer
from service.store import matches as match_rows
from service.store.offers import OfferKind
from service.sweeps import sweep
from service.turns.submit import submit
from service.views.record import match_record
from tests.service.bots.tables import seated
from tests.service.fakes import Round, notices, played, started
from tests.service.fakes import judged_batch as judge_turns
from tests.service.turns.clocks import DAY, kinds, now_is

pytestmark = pytest.mark.usefixtures("pearls")


def offered(context: Context, table: Round, by: int, kind: OfferKind) -> None:
    offering.offer(context, table.players[by], table.match.id, kind)


def accepted(context: Context, table: Round, by: int) -> None:
    offering.answer(context, table.players[by], table.match.id, None, accepts=True)


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
    assert (match.status, match.agreement) == ("finished", Agreement(how, (0, 1, 2)))  # type: ignore[arg-type]
    assert match.outcome is not None
    assert how == "standing" or match.outcome.ranks == (1, 1, 1)
    assert not any(seat.to_act for seat in match.seats)
    record = match_record(context, None, table.match.id)
    assert verify(record).outcome == match.outcome
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
    assert (match.status, match.outcome, match.agreement) == ("cancelled", None, Agreement("called_off", (0, 1)))
    record = match_record(context, None, table.match.id)
    assert record.secret is not None
    assert all(logged.action is not None for logged in record.log)
    assert verify(record).outcome is None
    assert verify_clocks(record) is not None
    for notice in notices(context, "match_over"):
        text = str(mail_of(context, notice).get_body(("plain",)))
        assert "was called off" in text
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
    offering.answer(context, table.players[2], table.match.id, None, accepts=False)
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
    offering.answer(context, table.players[1], table.match.id, None, accepts=True)
    judge_turns(context)
    with context.database.read() as connection:
        match = match_rows.find(connection, table.match.id)
    assert match is not None
    assert match.agreement == {"how": "standing", "seats": [0, 1]}
    assert "clock" not in kinds(context, table)
