"""A match that its rules do not end ends by its standing, once it has had its most plies."""

from __future__ import annotations

import random

import pytest

from engine import play, registry
from engine.errors import RecordError
from engine.record import verify
from service.context import Context
from service.errors import ServiceError
from service.ledger.check import check_ledger
from service.matches.check import check
from service.turns.submit import submit
from service.views.match import match as match_seen
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.fakes import Round, notices, played_on, started, state_of

pytestmark = pytest.mark.usefixtures("pearls")
MOST = 9


@pytest.fixture(params=["none", "brisk"])
def table(context: Context, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Round:
    monkeypatch.setattr(play, "MOST_PLIES", MOST)
    return started(context, "pearls", clock=request.param)


def test_the_turn_that_reaches_the_most_plies_ends_the_match_by_its_standing(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(1))
    assert match.status == "finished"
    assert match.ply >= MOST
    assert not any(seat.to_act for seat in match.seats)
    assert match.outcome is not None
    assert match.outcome.scores == registry.game("pearls").standing(state_of(context, match.id))
    assert match.outcome.ranks == play.ranked(match.outcome.scores)
    assert match.outcome.ended.sentence == f"After {match.ply} actions the match ends, and the current scores count."
    assert {notice.player_id for notice in notices(context, "match_over")} == {player.id for player in table.players}
    with pytest.raises(ServiceError):
        submit(context, table.players[0], match.id, 0, match.ply, notation=["dive"])


def test_the_record_the_check_and_the_ledger_agree_with_such_an_end(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(2))
    assert told(match.game, verify(match_record(context, None, match.id)).outcome) == match.outcome
    checked = check(context.database, match.id)
    assert checked is not None
    assert checked.differences == ()
    assert check_ledger(context.database).breaches == []


def test_a_record_that_ends_earlier_is_no_finished_match(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played_on(context, table, random.Random(3))
    monkeypatch.setattr(play, "MOST_PLIES", match.ply + 1)
    with pytest.raises(RecordError, match="ends before the match does"):
        verify(match_record(context, None, match.id))


def test_the_most_plies_are_said_before_the_match_starts_and_after(context: Context, table: Round) -> None:
    assert match_seen(context, None, table.match.id).longest == MOST
