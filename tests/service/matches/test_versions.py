"""A match is played to its end by the version of the rules it began with, and a service that has
not that version says so and spoils nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.record import verify
from service.context import Context
from service.errors import Conflict
from service.loop import Loop
from service.matches import lobby
from service.matches.types import Match, SeatRequest
from service.notices import delivery
from service.sweeps import sweep
from service.turns.submit import submit
from service.views import match as views
from service.views.record import match_record
from tests.service.fakes import (
    RAISED,
    Postbag,
    Round,
    discovered,
    judge_one,
    judged_batch,
    notices,
    past_the_delay,
    played,
    restarted,
    started,
    state_of,
)


@contextmanager
def deployed(service: Context, folder: Path) -> Iterator[Context]:
    """The service after a deploy: fresh processes, with the code in that folder."""
    with discovered(folder):
        yield restarted(service)


@pytest.fixture
def begun(context: Context) -> Round:
    """A match that was begun by version 1, and waits for seat 0."""
    with discovered():
        return started(context, "pearls")


@pytest.fixture
def without_earlier(tmp_path: Path) -> Path:
    """The code of version 2, without version 1."""
    shutil.copytree(RAISED, tmp_path / "code", ignore=shutil.ignore_patterns("v1", "__pycache__"))
    return tmp_path / "code"


def offered_a_one(service: Context, table: Round) -> str:
    """Dives until seat 0 holds a pearl of 1, and what becomes of offering it: accepted, or the code
    of the refusal.
    """
    for _ in range(10):
        if lobby.find(service, None, table.match.id).status == "running":
            if 1 in state_of(service, table.match.id).hands[0]:
                break
            played(service, table.players[0], table.match.id, "dive")
            played(service, table.players[1], table.match.id, "dive")
    turn = played(service, table.players[0], table.match.id, "offer 1")
    assert turn.verdict is not None
    return turn.status if turn.verdict.violation is None else turn.verdict.violation.code


def new_match(service: Context, table: Round) -> Match:
    match = lobby.create(service, table.players[0], "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    return lobby.join(service, table.players[1], match.id)


def test_a_running_match_stays_on_its_version_and_a_new_one_gets_the_newest(context: Context, begun: Round) -> None:
    with deployed(context, RAISED) as service:
        fresh = new_match(service, begun)
        assert (begun.match.rules_version, fresh.rules_version) == (1, 2)
        assert offered_a_one(service, begun) == "accepted"
        assert offered_a_one(service, replace(begun, match=fresh)) == "too_small"


def test_a_record_of_an_earlier_version_is_verified_by_that_version(context: Context, begun: Round) -> None:
    with deployed(context, RAISED) as service:
        assert offered_a_one(service, begun) == "accepted"
        lobby.resign(service, begun.players[1], begun.match.id)
        record = match_record(service, None, begun.match.id)
        assert record.rules_version == 1
        assert verify(record).plies == len(record.log) > 0


def test_the_mails_of_an_earlier_match_are_written_by_its_rules(context: Context, begun: Round) -> None:
    with deployed(context, RAISED) as service:
        offered_a_one(service, begun)
        past_the_delay(service)
        delivered = delivery.deliver_due(service)
        assert set(delivered) <= {"sent", "covered"}  # turns in quick succession are one mail
        assert delivered.total() == len(notices(service))
        assert isinstance(service.transport, Postbag)
        assert any("offers" in message.as_string() for message in service.transport.messages)


def test_a_match_whose_rules_are_not_installed_is_refused_with_the_version_and_still_listed(
    context: Context, begun: Round, without_earlier: Path
) -> None:
    with deployed(context, without_earlier) as service:
        for asked in (
            lambda: views.observation(service, None, begun.match.id),
            lambda: played(service, begun.players[0], begun.match.id, "dive"),
        ):
            with pytest.raises(
                Conflict,
                match=r"version 1 of the rules of pearls, which is not installed here\. Nothing is lost",
            ) as refused:
                asked()
            assert refused.value.code == "rules_version_missing"
        assert [match.id for match in lobby.mine(service, begun.players[0])] == [begun.match.id]


def test_a_turn_that_waits_for_missing_rules_is_judged_when_they_are_back(
    context: Context, begun: Round, without_earlier: Path
) -> None:
    with discovered():
        turn = submit(context, begun.players[0], begun.match.id, None, begun.match.ply, notation="dive")
    with deployed(context, without_earlier) as service:
        assert judged_batch(service).judged == ()
    with deployed(context, without_earlier) as service:
        assert sweep(service)[Loop.RULES]["done"] == 0
    with deployed(context, RAISED) as service:
        assert sweep(service)[Loop.RULES]["done"] == 1
        assert judge_one(service, turn.id).status == "accepted"


def test_a_notice_that_waits_for_missing_rules_is_delivered_when_they_are_back(
    context: Context, begun: Round, without_earlier: Path
) -> None:
    with deployed(context, without_earlier) as service:
        delivery.deliver_due(service)
    waiting = notices(context, "match_started")
    assert {(notice.status, notice.attempts) for notice in waiting} == {("pending", 1)}
    with deployed(context, RAISED) as service:
        delivery.deliver_due(replace(service, clock=lambda: max(notice.next_attempt_at for notice in waiting)))
    assert {notice.status for notice in notices(context, "match_started")} == {"sent"}
