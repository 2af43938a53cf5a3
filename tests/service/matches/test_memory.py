"""States remembered between turns: only what is new is read, and nothing that is not committed is
believed.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from service.errors import Conflict
from service.matches import lobby, memory, turns, views
from service.matches.memory import States
from service.store import matches as rows
from service.store.tables import matches
from service.wiring import Overland
from tests.service.fakes import Round, played, played_on, restarted, started, state_of


@pytest.fixture
def table(overland: Overland, pearls: None) -> Round:
    return started(overland, "pearls")


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
    overland: Overland, table: Round, reads: list[tuple[int, int]]
) -> None:
    match = played_on(overland, table, random.Random(1), plies=16)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    turn = turns.submit(overland, table.players[seat], match.id, None, match.ply, notation="1")
    reads.clear()
    assert turns.judge(overland, turn.id).status == "accepted"
    assert reads == []


def test_a_process_that_is_behind_reads_only_what_is_new(
    overland: Overland, table: Round, reads: list[tuple[int, int]]
) -> None:
    other = restarted(overland)
    played(overland, table.players[0], table.match.id, "dive")
    views.board_text(other, None, table.match.id)
    played(overland, table.players[1], table.match.id, "dive")
    reads.clear()
    views.board_text(other, None, table.match.id)
    assert reads == [(2, 4)]
    views.board_text(other, None, table.match.id)
    assert reads == [(2, 4)]


def test_a_remembered_state_is_the_replay_of_the_log(overland: Overland, table: Round) -> None:
    match = played_on(overland, table, random.Random(1), plies=20)
    remembered = overland.memory.get(match.id)
    assert remembered == (match.ply, state_of(overland, match.id))


def test_a_process_that_has_forgotten_everything_judges_alike(overland: Overland, table: Round) -> None:
    match = played_on(overland, table, random.Random(1), plies=10)
    overland.memory.forget()
    match = played_on(restarted(overland), table, random.Random(2))
    assert match.status == "finished"


def test_a_look_back_at_an_earlier_ply_does_not_spoil_what_is_remembered(overland: Overland, table: Round) -> None:
    with overland.database.read() as connection:
        early = rows.find(connection, table.match.id)
    assert early is not None
    played(overland, table.players[0], table.match.id, "dive")
    with overland.database.read() as connection:
        assert memory.load(connection, overland, early) == registry.game("pearls").setup(
            memory.setup_of(connection, early)
        )
    assert overland.memory.get(table.match.id) == (2, state_of(overland, table.match.id))


def test_the_least_recently_used_match_is_forgotten_first() -> None:
    states = States(2)
    states.remember("a", 1, "state of a")
    states.remember("b", 1, "state of b")
    assert states.get("a") == (1, "state of a")
    states.remember("c", 1, "state of c")
    assert states.get("b") is None
    assert states.get("a") == (1, "state of a")


def test_an_earlier_state_does_not_replace_a_later_one() -> None:
    states = States(2)
    states.remember("a", 5, "later")
    states.remember("a", 3, "earlier")
    assert states.get("a") == (5, "later")
    states.forget()
    assert states.get("a") is None


def test_a_match_of_other_rules_is_not_played_by_these(overland: Overland, table: Round) -> None:
    with overland.database.write() as connection:
        connection.execute(matches.update().where(matches.c.id == table.match.id).values(rules_version=99))
    with pytest.raises(Conflict, match="version 99 of the rules of pearls") as refused:
        views.observation(overland, None, table.match.id)
    assert refused.value.code == "rules_version_missing"
    assert lobby.find(overland, None, table.match.id).rules_version == 99
