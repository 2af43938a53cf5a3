"""Which of the notices that are due are sent, wait, or are told by a later one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from service.context import Context
from service.kinds import FIRST, Lane
from service.notices import delivery, sorting
from service.payloads import TOLD_SINCE
from service.store.covering import Because
from service.store.outbox import Notice
from tests.service.fakes import add_notice
from tests.service.notices.batches import batch
from tests.service.notices.fakes import Hand, Mailbag, context, dealt, notice, notify, seat_players, store_match

DEAL = len(dealt())
DELAY = timedelta(seconds=30)


@pytest.fixture
def service(tmp_path: Path) -> Context:
    made = context(tmp_path, Mailbag())
    seat_players(made)
    store_match(made, dealt())
    return made


def later(service: Context, seconds: float) -> None:
    assert isinstance(service.clock, Hand)
    service.clock.advance(timedelta(seconds=seconds))


def verdict(service: Context, number: int, since: int, status: str = "accepted", lane: Lane | None = None) -> str:
    payload = {"seat": 0, "ply": since + 1, "since": since, "turn_id": f"turn-{number}", "status": status}
    with service.database.write() as connection:
        return add_notice(
            connection,
            "verdict",
            "p-anna",
            "m-oregon",
            payload,
            service.clock(),
            lane=lane,
            not_before=None if lane == FIRST else service.clock() + DELAY,
            event_id=f"m-oregon.{number}",
        )


def your_turn(service: Context, number: int, ply: int) -> str:
    with service.database.write() as connection:
        payload = {"seat": 0, "ply": ply}
        return add_notice(
            connection, "your_turn", "p-anna", "m-oregon", payload, service.clock(), event_id=f"m-oregon.{number}"
        )


def leased(service: Context) -> list[Notice]:
    with batch(service) as notices:
        return notices


def test_verdicts_in_quick_succession_are_told_by_the_last_one_when_the_first_is_due(service: Context) -> None:
    first = verdict(service, 1, 3)
    later(service, 10)
    second = verdict(service, 2, 5)
    later(service, 10)
    third = verdict(service, 3, 8)
    assert leased(service) == []
    later(service, 10)
    [sent] = leased(service)
    assert (sent.id, sent.payload["told_since"], sent.payload["turns"]) == (third, 3, ["turn-1", "turn-2"])
    for earlier in (first, second):
        assert (notice(service, earlier).status, notice(service, earlier).superseded_by) == ("covered", third)
    assert leased(service)[0].payload == sent.payload, "it is the same when it is tried again"


def test_the_mail_that_awaits_a_player_tells_their_own_turn_too(service: Context) -> None:
    own = verdict(service, 1, 3)
    later(service, 5)
    awaited = your_turn(service, 2, DEAL)
    [sent] = leased(service)
    assert (sent.id, sent.payload["told_since"], sent.payload["turns"]) == (awaited, 0, ["turn-1"])
    assert notice(service, own).superseded_by == awaited


def test_the_mail_of_the_end_tells_the_verdict_on_the_turn_that_ended_the_match(service: Context) -> None:
    with service.database.write() as connection:
        over = add_notice(
            connection,
            "match_over",
            "p-anna",
            "m-oregon",
            {"seat": 0, "ply": 4},
            service.clock(),
            event_id="m-oregon.1",
        )
    own = verdict(service, 2, 3)
    [sent] = leased(service)
    assert (sent.id, sent.payload["turns"]) == (over, ["turn-2"])
    assert notice(service, own).superseded_by == over


def test_a_refusal_is_told_by_a_later_verdict_or_by_itself(service: Context) -> None:
    refused = verdict(service, 1, 3, "rejected")
    awaited = your_turn(service, 2, DEAL)
    assert [each.id for each in leased(service)] == [awaited]
    assert notice(service, refused).status == "pending"
    corrected = verdict(service, 3, 6)
    later(service, 30)
    assert {each.id for each in leased(service)} == {corrected}
    assert notice(service, refused).superseded_by == corrected


def test_a_refusal_tells_what_was_accepted_before(service: Context) -> None:
    accepted, refused = verdict(service, 1, 3), verdict(service, 2, 5, "rejected")
    awaited = your_turn(service, 3, DEAL)
    assert [each.id for each in leased(service)] == [awaited]
    assert {each.id for each in leased(service)} == {awaited, refused}, "it is due now, too"
    assert notice(service, accepted).superseded_by == refused


def test_the_answer_to_a_mail_is_sent_at_once_and_never_merged(service: Context) -> None:
    answer = verdict(service, 1, 3, lane=FIRST)
    waiting = verdict(service, 2, 4)
    assert [each.id for each in leased(service)] == [answer]
    later(service, 30)
    assert {each.id for each in leased(service)} == {answer, waiting}


def test_what_was_tried_before_is_sent_by_itself(service: Context) -> None:
    assert isinstance(service.transport, Mailbag)
    service.transport.refusals = 1
    tried = your_turn(service, 1, DEAL)
    assert delivery.deliver_due(service) == {"postponed": 1}
    fresh = your_turn(service, 2, DEAL)
    later(service, 10)
    assert {each.id for each in leased(service)} == {tried, fresh}
    assert notice(service, tried).superseded_by is None


def test_notices_of_others_and_of_other_matches_are_not_merged(service: Context) -> None:
    mine, theirs = notify(service, "your_turn", ply=DEAL), notify(service, "your_turn", "p-ben", ply=DEAL)
    assert {each.id for each in leased(service)} == {mine, theirs}


def test_what_is_covered_is_counted_by_the_delivery(service: Context) -> None:
    your_turn(service, 1, DEAL)
    your_turn(service, 2, DEAL)
    assert delivery.deliver_due(service) == {"sent": 1, "covered": 1}


@pytest.mark.parametrize(
    ("decision", "status"),
    [(sorting.Wait(Hand().now + timedelta(days=2)), "pending"), (sorting.Cover(Because.OFF), "covered")],
)
def test_what_is_not_wanted_now_waits_or_is_covered(
    service: Context, monkeypatch: pytest.MonkeyPatch, decision: sorting.Decision, status: str
) -> None:
    unwanted = your_turn(service, 1, DEAL)
    monkeypatch.setattr(sorting, "decide", lambda connection, notice, now: decision)
    assert leased(service) == []
    assert notice(service, unwanted).status == status
    assert leased(service) == []
    later(service, 2 * 24 * 3600)
    monkeypatch.undo()
    assert [each.id for each in leased(service)] == ([unwanted] if status == "pending" else [])


def test_what_is_wanted_is_never_told_by_what_is_not(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, unwanted = your_turn(service, 1, DEAL), verdict(service, 2, 0)

    def no_verdicts(connection: object, notice: Notice, now: object) -> sorting.Decision:
        return sorting.Cover(Because.WITHOUT) if notice.kind == "verdict" else sorting.Send()

    monkeypatch.setattr(sorting, "decide", no_verdicts)
    assert [each.id for each in leased(service)] == [wanted]
    assert notice(service, unwanted).status == "pending"
    assert TOLD_SINCE not in notice(service, wanted).payload
