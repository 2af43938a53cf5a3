"""Covering notices: what waits is covered, what a process holds or has settled is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.context import Context
from service.kinds import FIRST, Lane
from service.store import covering, outbox
from service.store.covering import AnsweredVerdict, Because, ByAnswer, ByNotice, Reason, format_reason, parse_reason
from tests.service.fakes import add_notice, notices, started

LEASE = timedelta(seconds=6)


@pytest.fixture
def answered(context: Context) -> AnsweredVerdict:
    table = started(context, "oregon")
    return AnsweredVerdict(table.players[0].id, table.match.id, "turn-one")


def verdict(context: Context, about: AnsweredVerdict, turn_id: str = "turn-one", lane: Lane | None = None) -> str:
    with context.database.write() as connection:
        payload = {"turn_id": turn_id}
        return add_notice(connection, "verdict", about.player_id, about.match_id, payload, context.clock(), lane=lane)


def status(context: Context, notice_id: str) -> tuple[str, Reason | None]:
    found = next(each for each in notices(context) if each.id == notice_id)
    return found.status, found.covered_by


def cover(context: Context, *answered: AnsweredVerdict) -> None:
    with context.database.write() as connection:
        covering.cover_answered(connection, answered, context.clock())


def test_the_verdict_that_was_answered_is_covered_and_no_other(context: Context, answered: AnsweredVerdict) -> None:
    told, other = verdict(context, answered), verdict(context, answered, "turn-two")
    cover(context, answered, answered)
    assert status(context, told) == ("covered", ByAnswer("turn-one"))
    assert status(context, other) == ("pending", None)


def test_the_answer_to_a_mail_is_never_covered_by_one_to_a_request(context: Context, answered: AnsweredVerdict) -> None:
    by_mail = verdict(context, answered, lane=FIRST)
    cover(context, answered)
    assert status(context, by_mail) == ("pending", None)


def test_a_notice_that_is_being_sent_is_left_alone(context: Context, answered: AnsweredVerdict) -> None:
    told = verdict(context, answered)
    with context.database.write() as connection:
        now = context.clock()
        outbox.LEASING.lease(connection, "worker", now, now + LEASE, 10, slow=False)
    cover(context, answered)
    assert status(context, told) == ("pending", None)


@pytest.mark.parametrize("reason", [ByAnswer("t.1"), ByNotice("n"), *Because], ids=str)
def test_a_reason_is_read_as_it_was_stored(reason: Reason) -> None:
    assert parse_reason(format_reason(reason)) == reason


@pytest.mark.parametrize("text", ["", "because", "answer:", "notice:", "channel:stream", "preference:new"])
def test_what_is_no_reason_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Because"):
        parse_reason(text)


def test_what_is_settled_is_not_covered_again(context: Context, answered: AnsweredVerdict) -> None:
    told = verdict(context, answered)
    with context.database.write() as connection:
        assert covering.cover(connection, [told], Because.OFF) == 1
        assert covering.cover(connection, [told], Because.OFF) == 0, "it is settled"
    assert status(context, told) == ("covered", Because.OFF)
