"""States remembered between turns: only what is new is read, and nothing that is not committed is
believed.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from service.context import Context
from service.errors import Conflict
from service.matches import lobby, replays
from service.store import matches as rows
from service.store.tables import matches
from service.turns.judge import judge
from service.turns.submit import submit
from service.views import match as views
from service.views.board import board_text
from tests.service.fakes import Round, played, played_on, restarted, started, state_of


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    return started(context, "pearls")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The ranges of plies that were read, in order."""
    ranges: list[tuple[int, int]] = []
    log = rows.log

    def noted(connection: Any, match_id: str, start: int, stop: int) -> Any:
        ranges.append((start, stop))
        return log(connection, match_id, start, stop)

    monkeypatch.setattr(rows, "log", noted)
    return ranges


def test_a_turn_reads_nothing_of_a_log_that_is_remembered_however_long_it_is(
    context: Context, table: Round, reads: list[tuple[int, int]]
) -> None:
    match = played_on(context, table, random.Random(1), plies=16)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    turn = submit(context, table.players[seat], match.id, None, match.ply, notation="1")
    reads.clear()
    assert judge(context, turn.id).status == "accepted"
    assert reads == []


def test_a_process_that_is_behind_reads_only_what_is_new(
    context: Context, table: Round, reads: list[tuple[int, int]]
) -> None:
    other = restarted(context)
    played(context, table.players[0], table.match.id, "dive")
    board_text(other, None, table.match.id)
    played(context, table.players[1], table.match.id, "dive")
    reads.clear()
    board_text(other, None, table.match.id)
    assert reads == [(2, 4)]
    board_text(other, None, table.match.id)
    assert reads == [(2, 4)]


def test_a_remembered_state_is_the_replay_of_the_log(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(1), plies=20)
    remembered = context.states.nearest(match.id, match.ply)
    assert remembered == (match.ply, state_of(context, match.id))


def test_a_process_that_has_forgotten_everything_judges_alike(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(1), plies=10)
    context.states.forget()
    match = played_on(restarted(context), table, random.Random(2))
    assert match.status == "finished"


def test_a_look_back_at_an_earlier_ply_does_not_spoil_what_is_remembered(context: Context, table: Round) -> None:
    with context.database.read() as connection:
        early = rows.find(connection, table.match.id)
    assert early is not None
    played(context, table.players[0], table.match.id, "dive")
    with context.database.read() as connection:
        assert replays.load(connection, context, early) == registry.game("pearls").setup(
            replays.setup_of(connection, early)
        )
    assert context.states.nearest(table.match.id, 2) == (2, state_of(context, table.match.id))


def test_a_match_of_other_rules_is_not_played_by_these(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        connection.execute(matches.update().where(matches.c.id == table.match.id).values(rules_version=99))
    with pytest.raises(Conflict, match="version 99 of the rules of pearls") as refused:
        views.observation(context, None, table.match.id)
    assert refused.value.code == "rules_version_missing"
    assert lobby.find(context, None, table.match.id).rules_version == 99
