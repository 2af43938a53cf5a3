"""Offers: who has to agree, what follows, and that nobody gains time alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import get_args

import pytest

from engine.record import verify
from service.clocks.recorded import verify_clocks
from service.clocks.rule import PRESETS
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound
from service.ledger.check import check_ledger
from service.matches import days_off, lobby
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.offers.offering import Offer
from service.statuses import OfferKind
from service.store import events
from service.store.outbox import Notice
from service.sweeps import sweep
from service.turns import time_up
from service.views.record import match_record
from tests.service.bots.tables import seated, until_a_person_is_awaited
from tests.service.fakes import Round, judged_batch, notices, person, played, started
from tests.service.matches.test_archive import archived
from tests.service.turns.clocks import DAY, due, kinds, let_expire, moved_to, now_is, steps, stored, times
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


def newest(context: Context, table: Round) -> Offer:
    return offering.of_match(context, table.match.id, context.clock()).items[0]


def told(context: Context, table: Round) -> list[str]:
    """The kinds of events of offers that everybody can wait for, in order."""
    with context.database.look() as connection:
        found = [each.kind for each in events.of_match(connection, table.match.id, None)]
    return [kind for kind in found if kind.startswith("offer_")]


def pause(context: Context, table: Round, by: int, days: int = 7) -> Offer:
    return offering.offer(context, table.players[by], table.match.id, "pause", days).items[0]


def held_seat(context: Context, seats: int = 2) -> Round:
    """A match in which a bot holds the seat of Ada, who has been late twice in a row."""
    table = started(context, "pearls", seats, clock="brisk")
    while not stored(context, table).seats[0].by_bot:
        moved_to(context, table, 0)
        let_expire(context, table)
    return table


def accept(context: Context, table: Round, by: int, offer: Offer | None = None) -> None:
    offering.answer(context, table.players[by], table.match.id, (offer or newest(context, table)).id, accepts=True)


def test_every_word_about_an_offer_wakes_who_mails_and_who_waits_for_events(context: Context) -> None:
    """And the judge where the match may end by it."""
    table, queue = started(context, "pearls", clock="brisk"), context.queue
    (ada, bela), match = table.players, table.match.id
    assert isinstance(queue, MemoryQueue)
    acts: list[tuple[Callable[[], object], bool]] = [
        (lambda: pause(context, table, 0), True),
        (lambda: accept(context, table, 1), True),
        (lambda: offering.resume(context, ada, match), False),
        (lambda: offering.offer(context, ada, match, "draw"), True),
        (lambda: offering.withdraw(context, ada, match, newest(context, table).id), False),
        (lambda: offering.offer(context, bela, match, "draw"), True),
        (lambda: offering.answer(context, ada, match, newest(context, table).id, accepts=False), True),
        (lambda: offering.offer(context, ada, match, "hand_over", email="zoe@example.org"), True),
        (lambda: offering.decline(context, match, newest(context, table).id), True),
    ]
    for number, (act, may_end) in enumerate(acts):
        turns, news = queue.turns, queue.notices
        act()
        assert (queue.turns > turns, queue.notices > news) == (may_end, True), number


def test_a_pause_that_all_accept_stops_every_clock(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    before = due(context, table)
    offer = pause(context, table, 1)
    assert (offer.status, offer.waits_for) == ("open", (0, 2))
    assert {notice.player_id for notice in notices(context, "offer_made")} == {
        table.players[0].id,
        table.players[2].id,
    }
    accept(context, table, 0)
    assert due(context, table) == before
    accept(context, table, 2, offer)
    assert newest(context, table).status == "accepted"
    assert due(context, table) == before + 7 * DAY
    found = offering.of_match(context, table.match.id, context.clock())
    assert found.paused_until == context.clock() + 7 * DAY
    assert len(notices(context, "offer_settled")) == 2
    played(context, table.players[0], table.match.id, "dive")  # moving stays allowed
    assert check_ledger(context.database).breaches == []


def test_what_another_has_offered_is_not_accepted_by_offering_it_too(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    pause(context, table, 0)
    for days in (3, 7):
        with pytest.raises(Conflict, match="open already, number 1 by Ada"):
            pause(context, table, 1, days)
    assert newest(context, table).status == "open"


def test_whoever_declines_ends_an_offer_and_all_are_told(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    offer = pause(context, table, 0)
    offering.answer(context, table.players[2], table.match.id, offer.id, accepts=False)
    assert newest(context, table).status == "declined"
    told = notices(context, "offer_settled")
    assert {notice.player_id for notice in told} == {table.players[0].id, table.players[1].id}
    with pytest.raises(Conflict, match="This was declined"):
        accept(context, table, 1, offer)
    offering.answer(context, table.players[2], table.match.id, offer.id, accepts=False)  # again: nothing
    assert len(notices(context, "offer_settled")) == len(told)


def test_a_pause_ends_with_a_days_notice_and_not_later_by_asking_again(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    before = due(context, table)
    pause(context, table, 0, days=14)
    accept(context, table, 1)
    start = context.clock()
    now_is(context, start + 3 * DAY)
    offering.resume(context, table.players[0], table.match.id)
    assert due(context, table) == before + 4 * DAY
    now_is(context, start + 3.5 * DAY)
    found = offering.resume(context, table.players[1], table.match.id)
    assert found.paused_until == start + 4 * DAY
    now_is(context, start + 4 * DAY)
    with pytest.raises(Conflict, match="is not paused"):
        offering.resume(context, table.players[1], table.match.id)
    played(context, table.players[0], table.match.id, "dive")
    (stops,) = [step.stops[0] for step in steps(context, table) if step.stops]
    assert [(stop.kind, stop.end - stop.start) for stop in stops] == [("pause", 4 * 86_400)]


def test_a_day_more_is_for_the_present_turn_alone(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    before = due(context, table)
    offer = offering.offer(context, table.players[1], table.match.id, "extend").items[0]
    assert (offer.for_seat, offer.days) == (0, 1)
    accept(context, table, 0)
    assert due(context, table) == before + DAY
    assert kinds(context, table) == ["begun", "extended"]
    now_is(context, context.clock() + 2 * DAY)
    played(context, table.players[0], table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    # two of the three days of the first turn and the day more were used: nothing of it is saved up
    assert due(context, table) == context.clock() + timedelta(days=1 + 2, hours=4)
    assert check_ledger(context.database).breaches == []


def test_a_day_more_lapses_with_the_turn_that_it_was_for(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    offer = offering.offer(context, table.players[0], table.match.id, "extend").items[0]
    played(context, table.players[0], table.match.id, "dive")
    assert newest(context, table).status == "lapsed"
    with pytest.raises(Conflict, match="This has lapsed"):
        accept(context, table, 1, offer)
    played(context, table.players[1], table.match.id, "dive")
    assert newest(context, table).status == "lapsed"
    assert kinds(context, table).count("extended") == 0


def test_who_is_absent_does_not_block_for_more_than_three_days(context: Context) -> None:
    table = started(context, "pearls", 3, clock="slow")
    days_off.declare(context, table.players[2], 7)
    pause(context, table, 0)
    accept(context, table, 1)
    now_is(context, context.clock() + 2.9 * DAY)
    sweep(context)
    assert newest(context, table).status == "open"
    now_is(context, context.clock() + 0.2 * DAY)
    sweep(context)
    assert newest(context, table).status == "accepted"
    sweep(context)
    assert len(notices(context, "offer_settled")) == 3


def test_who_is_silent_and_not_absent_blocks_until_the_offer_lapses(context: Context) -> None:
    table = started(context, "pearls", clock="slow")
    pause(context, table, 1)
    now_is(context, context.clock() + 13.9 * DAY)
    sweep(context)
    assert newest(context, table).status == "open"
    now_is(context, context.clock() + 0.1 * DAY)
    sweep(context)
    assert newest(context, table).status == "lapsed"
    assert told(context, table) == ["offer_made", "offer_settled"]
    assert notices(context, "offer_settled") == []


def test_bots_answer_nothing_and_block_nothing(context: Context) -> None:
    match, ada = seated(context, "pearls", ["easy", None, "fair"], clock=PRESETS["brisk"])
    until_a_person_is_awaited(context, match.id)
    offer = offering.offer(context, ada, match.id, "pause", 2).items[0]
    assert offer.status == "accepted"
    assert check_ledger(context.database).breaches == []


def test_the_offer_of_somebody_who_resigns_is_gone(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    offer = pause(context, table, 0)
    lobby.resign(context, table.players[0], table.match.id)
    assert newest(context, table).status == "lapsed"
    with pytest.raises(Conflict, match="This has lapsed"):
        accept(context, table, 1, offer)


def resigns(context: Context, table: Round, seat: int) -> None:
    lobby.resign(context, table.players[seat], table.match.id)


def loses_the_seat(context: Context, table: Round, seat: int) -> None:
    let_expire(context, table, seat)
    assert stored(context, table).seats[seat].replaced


@pytest.mark.parametrize("goes", [resigns, loses_the_seat])
@pytest.mark.parametrize("kind", [kind for kind in get_args(OfferKind) if kind != "abandon"])
def test_no_offer_waits_for_the_last_one_who_was_asked_and_has_gone(
    context: Context, kind: OfferKind, goes: Callable[[Context, Round, int], None]
) -> None:
    table = started(context, "pearls", 3, clock={"preset": "brisk", "if_late": "bot_seat"})
    carl = person(context, "Carl")
    moved_to(context, table, 2)
    email = carl.email if kind == "hand_over" else None
    offer = offering.offer(context, table.players[0], table.match.id, kind, email=email).items[0]
    for player in (carl, table.players[1]) if kind == "hand_over" else (table.players[1],):
        offering.answer(context, player, table.match.id, offer.id, accepts=True)
    assert newest(context, table).waits_for == (2,)
    goes(context, table, 2)
    sweep(context)
    # a day more is for the turn of who has gone, and that is over
    assert newest(context, table).status == ("lapsed" if kind == "extend" else "accepted")
    judged_batch(context)
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("seats", [2, 3])
def test_who_has_lost_the_seat_for_good_does_nothing_in_its_name(context: Context, seats: int) -> None:
    table = started(context, "pearls", seats, clock={"preset": "brisk", "if_late": "bot_seat"})
    ada, match_id = table.players[0], table.match.id
    own = offering.offer(context, ada, match_id, "end").items[0]
    loses_the_seat(context, table, 0)
    pause(context, table, 1)
    for player in table.players[2:]:
        offering.answer(context, player, match_id, newest(context, table).id, accepts=True)
    asked = offering.offer(context, table.players[1], match_id, "draw").items[0] if seats > 2 else own
    before, offers = stored(context, table), offering.of_match(context, match_id, context.clock())
    assert offers.paused_until is not None
    acts: list[Callable[[], object]] = [
        *(partial(offering.offer, context, ada, match_id, kind, email="zoe@x.example") for kind in get_args(OfferKind)),
        partial(offering.answer, context, ada, match_id, asked.id, accepts=False),
        partial(offering.withdraw, context, ada, match_id, own.id),
        partial(offering.resume, context, ada, match_id),
        partial(lobby.resign, context, ada, match_id),
        partial(time_up.come_back, context, ada, match_id),
    ]
    for act in acts:
        with pytest.raises(Conflict, match="the bot keeps your seat"):
            act()
    assert stored(context, table) == before
    assert offering.of_match(context, match_id, context.clock()) == offers


def test_a_day_more_is_given_before_time_is_up_where_the_last_one_who_was_asked_resigns(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    before = due(context, table)
    now_is(context, before - timedelta(hours=3))
    offering.offer(context, table.players[0], table.match.id, "extend")
    accept(context, table, 1)
    resigns(context, table, 2)
    sweep(context)
    assert newest(context, table).status == "accepted"
    assert due(context, table) == before + DAY
    now_is(context, before + timedelta(hours=1))
    sweep(context)
    judged_batch(context)
    assert kinds(context, table) == ["begun", "resigned", "extended"]


def test_who_has_a_bot_at_their_seat_is_asked_and_answers_without_coming_back(context: Context) -> None:
    table = held_seat(context, 3)
    offer = pause(context, table, 1)
    assert offer.waits_for == (0, 2)
    accept(context, table, 2)
    accept(context, table, 0)
    assert newest(context, table).status == "accepted"
    assert stored(context, table).seats[0].by_bot


def test_a_pause_passes_over_a_seat_that_a_bot_has_held_for_three_days_since_the_offer(context: Context) -> None:
    table = held_seat(context)
    now_is(context, context.clock() + 5 * DAY)
    pause(context, table, 1)
    now_is(context, context.clock() + 2.9 * DAY)
    sweep(context)
    assert newest(context, table).status == "open"
    now_is(context, context.clock() + 0.1 * DAY)
    sweep(context)
    assert newest(context, table).status == "accepted"
    (told,) = [each for each in notices(context, "offer_settled") if each.player_id == table.players[0].id]
    assert "Ada did not answer: who is away is passed over after three days." in text_of(context, told)


def test_the_three_days_count_from_the_absence_where_that_came_after_the_offer(context: Context) -> None:
    table = started(context, "pearls", clock="slow")
    pause(context, table, 1)
    now_is(context, context.clock() + 2.5 * DAY)
    days_off.declare(context, table.players[0], 7)
    now_is(context, context.clock() + 2.9 * DAY)
    sweep(context)
    assert newest(context, table).status == "open"
    now_is(context, context.clock() + 0.1 * DAY)
    sweep(context)
    assert newest(context, table).status == "accepted"


def test_an_offer_is_withdrawn_by_whoever_made_it_alone(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    offer = pause(context, table, 0)
    with pytest.raises(Forbidden, match="Only who has made an offer"):
        offering.withdraw(context, table.players[1], table.match.id, offer.id)
    with pytest.raises(Forbidden, match="your own offer"):
        accept(context, table, 0, offer)
    assert offering.withdraw(context, table.players[0], table.match.id, offer.id).items[0].status == "withdrawn"
    offering.withdraw(context, table.players[0], table.match.id, offer.id)  # again: nothing
    assert told(context, table) == ["offer_made", "offer_settled"]
    assert notices(context, "offer_settled") == []
    with pytest.raises(Conflict, match="This was withdrawn"):
        accept(context, table, 1, offer)
    assert pause(context, table, 0).status == "open"


def test_what_makes_no_sense_is_refused(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    other = started(context, "pearls", 2, ("Eve", "Fay"), clock="none")
    for days in (0, 15):
        with pytest.raises(Invalid, match="1 to 14 days"):
            pause(context, table, 0, days)
    with pytest.raises(Conflict, match="none does there"):
        offering.offer(context, table.players[0], table.match.id, "extend", for_seat=1)
    with pytest.raises(Conflict, match="none does there"):
        offering.offer(context, table.players[0], table.match.id, "extend", for_seat=7)
    with pytest.raises(Forbidden, match="no seat"):
        pause(context, Round(table.match, other.players), 0)
    with pytest.raises(Conflict, match="has no clock"):
        pause(context, other, 0)
    offer = pause(context, table, 0)
    mixed = Round(started(context, "pearls", 2, ("Gil", "Hal"), clock="brisk").match, table.players)
    with pytest.raises(Forbidden):
        accept(context, mixed, 1, offer)
    with pytest.raises(NotFound, match="no such offer"):
        offering.answer(context, table.players[1], table.match.id, "unknown", accepts=True)


def test_one_mail_makes_one_offer(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    for _ in range(2):
        offering.offer(context, table.players[0], table.match.id, "pause", 3, offer_id="mail1")
    assert len(offering.of_match(context, table.match.id, context.clock()).items) == 1
    accept(context, table, 1)
    found = offering.offer(context, table.players[0], table.match.id, "pause", 3, offer_id="mail1")
    assert [offer.status for offer in found.items] == ["accepted"]


def test_loops_of_offers_that_nobody_accepts_gain_no_time(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    before = due(context, table)
    for _ in range(5):
        now_is(context, context.clock() + timedelta(hours=1))
        offer = pause(context, table, 0, 14)
        offering.withdraw(context, table.players[0], table.match.id, offer.id)
        more = offering.offer(context, table.players[0], table.match.id, "extend").items[0]
        offering.answer(context, table.players[1], table.match.id, more.id, accepts=False)
    assert due(context, table) == before


def test_the_record_of_a_match_with_pauses_and_extensions_verifies(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    pause(context, table, 0)
    accept(context, table, 1)
    offering.offer(context, table.players[0], table.match.id, "extend")
    accept(context, table, 1)
    lobby.resign(context, table.players[1], table.match.id)
    record = match_record(context, None, table.match.id)
    verify(record)
    found = verify_clocks(record)
    assert found is not None
    assert found.steps == 3
    assert check_ledger(context.database).breaches == []


def text_of(context: Context, notice: Notice) -> str:
    """The plain text of the mail of a notice, without line breaks."""
    part = mail_of(context, notice).get_body(("plain",))
    assert part is not None
    return " ".join(part.get_content().split())


def test_the_mails_say_what_is_offered_and_what_became_of_it(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    pause(context, table, 1)
    (made,) = notices(context, "offer_made")
    text = text_of(context, made)
    assert "Bela offers a pause of 7 days" in text
    assert 'Reply to this mail with "accept" or "decline"' in text
    assert "It needs the word of Ada." in text
    assert "is passed over three days after the offer" in text
    assert "It lapses on" in text
    accept(context, table, 0)
    (settled,) = notices(context, "offer_settled")
    assert "The match is paused until" in text_of(context, settled)
    offering.resume(context, table.players[0], table.match.id)
    (resumed,) = [each for each in notices(context, "offer_settled") if each.payload["result"] == "resumed"]
    assert resumed.payload["until"] == instant(context.clock() + DAY)
    assert "Ada ends the pause" in text_of(context, resumed)


def test_loops_of_pausing_and_resuming_gain_only_what_was_paused(context: Context) -> None:
    table = started(context, "pearls", clock="slow")
    before, paused = due(context, table), timedelta()
    for _ in range(6):
        pause(context, table, 0, days=3)
        accept(context, table, 1)
        start = context.clock()
        now_is(context, start + 0.5 * DAY)
        offering.resume(context, table.players[1], table.match.id)
        paused += 1.5 * DAY
        assert due(context, table) == before + paused
        now_is(context, start + 1.5 * DAY)
    wall = context.clock() - table.match.started_at if table.match.started_at is not None else timedelta()
    remaining = times(context, table)[0].remaining(instant(context.clock()))
    left = timedelta(seconds=remaining.seconds + remaining.reserve)
    assert wall - paused + left == before - (table.match.started_at or before)


def test_nothing_is_offered_in_a_match_that_is_archived(context: Context) -> None:
    table = archived(context)
    with pytest.raises(Conflict, match=r"^The match is archived. Resume it first\.$") as refused:
        offering.offer(context, table.players[0], table.match.id, "draw")
    assert refused.value.code == "match_not_running"
