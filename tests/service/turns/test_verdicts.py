"""Verdicts are stored as codes and values; their sentences are made when somebody reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from engine import registry
from engine.errors import UnknownVersion
from service.context import Context
from service.store import turns as rows
from service.store.tables import turns
from service.turns import lookup
from service.turns.submit import submit
from service.turns.types import BrokenRule, Turn
from tests.engine import toy
from tests.service.fakes import Round, judged_batch, played, played_on, restarted, started


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    return started(context, "pearls")


def stored(context: Context, turn: Turn) -> Mapping[str, Any]:
    with context.database.read() as connection:
        row = rows.find(connection, turn.id)
    assert row is not None
    assert row.verdict is not None
    return row.verdict


def overtaken(context: Context, table: Round) -> Turn:
    """A turn of seat 1 that answers ply 0 and is judged at ply 2."""
    turn = submit(context, table.players[1], table.match.id, None, 0, notation="dive")
    with context.database.write() as connection:
        connection.execute(update(turns).where(turns.c.id == turn.id).values(status="held"))
    played(context, table.players[0], table.match.id, "dive")
    with context.database.write() as connection:
        connection.execute(update(turns).where(turns.c.id == turn.id).values(status="queued"))
    judged_batch(context, 1)
    return lookup.find(context, table.players[1], table.match.id, turn.id)


def texts(document: Any) -> Iterator[str]:
    """Every text of a document, names of fields included."""
    if isinstance(document, Mapping):
        for key, value in document.items():
            yield key
            yield from texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from texts(value)
    elif isinstance(document, str):
        yield document


@pytest.mark.usefixtures("in_advance")
def test_no_sentence_is_stored_with_a_verdict(context: Context, table: Round) -> None:
    ada = table.players[0]
    refused = played(context, ada, table.match.id, "offer 3")
    stale = overtaken(context, table)
    accepted = played(context, table.players[1], table.match.id, "dive")
    assert stored(context, accepted) == {
        "status": "accepted",
        "accepted": 1,
        "ply_before": 2,
        "ply_after": 4,
        "violation": None,
    }
    assert stored(context, refused)["violation"]["problems"] == [
        {"code": "not_in_hand", "rule": "P4", "values": {"value": 3, "hand": []}}
    ]
    assert stored(context, stale)["violation"]["problems"] == [
        {"code": "stale_ply", "rule": "", "values": {"answered": 0, "current": 2}}
    ]
    for turn in (refused, stale, accepted):
        assert not any(text.endswith(".") for text in texts(stored(context, turn)))


def test_sentences_are_those_of_the_code_that_reads_them(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = played(context, table.players[0], table.match.id, "offer 3")
    assert turn.verdict is not None
    assert turn.verdict.violation is not None
    assert turn.verdict.violation.message == "You have no pearl of 3; your hand is empty."
    game = replace(registry.game("pearls"), explain=lambda problem: f"{problem.code}: {problem.values['value']}.")
    monkeypatch.setattr(registry, "game", lambda name, version: game)
    again = lookup.find(context, table.players[0], table.match.id, turn.id)
    assert again.verdict is not None
    assert again.verdict.violation is not None
    assert again.verdict.violation.message == "not_in_hand: 3."


def test_every_broken_rule_is_stored_and_explained(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    def problems(state: toy.State, seat: int, action: toy.Action) -> Iterator[Any]:
        for _ in range(2):
            yield from toy.problems(state, seat, action)
        yield replace(next(iter(toy.problems(state, seat, action))), values={"value": 9, "hand": [1]})

    game = replace(registry.game("pearls"), problems=problems, candidates=lambda state, seat: ())
    monkeypatch.setattr(registry, "game", lambda name, version: game)
    turn = played(context, table.players[0], table.match.id, "offer 3")
    assert turn.verdict is not None
    assert turn.verdict.violation is not None
    assert turn.verdict.violation.others == (
        BrokenRule("not_in_hand", "P4", "You have no pearl of 9; your hand is 1."),
    )


@pytest.mark.usefixtures("in_advance")
def test_a_stale_turn_is_told_what_had_happened_since_the_ply_it_answered(context: Context, table: Round) -> None:
    turn = overtaken(context, table)
    played(context, table.players[1], table.match.id, "dive")
    again = lookup.find(context, table.players[1], table.match.id, turn.id)
    for verdict in (turn.verdict, again.verdict):
        assert verdict is not None
        assert verdict.entries == ("Ada dives.", "Ada draws a pearl.")


def test_a_verdict_is_told_from_the_nearest_remembered_state(
    context: Context, table: Round, ranges_read: list[tuple[int, int]]
) -> None:
    match = played_on(context, table, random.Random(1), plies=16)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    turn = submit(context, table.players[seat], match.id, None, match.ply, notation="1")
    ranges_read.clear()
    assert judged_batch(context, 1).judged == (turn.id,)
    assert ranges_read == [], "the worker tells nobody"
    first = lookup.find(context, table.players[seat], match.id, turn.id)
    assert ranges_read == [(16, first.verdict.ply_after if first.verdict else None)]
    forgetful = restarted(context)
    assert lookup.find(forgetful, table.players[seat], match.id, turn.id) == first


def test_all_turns_of_a_player_are_told_in_one_walk_over_the_log(
    context: Context, table: Round, ranges_read: list[tuple[int, int]]
) -> None:
    match = played_on(context, table, random.Random(1), plies=12)
    ranges_read.clear()
    listed = lookup.of_player(restarted(context), table.players[0], match.id)
    assert len(listed) > 2
    assert len(ranges_read) == 1
    for turn in listed:
        assert turn == lookup.find(context, table.players[0], match.id, turn.id)
        assert turn.verdict is not None
        assert turn.verdict.entries


def test_a_verdict_by_rules_that_are_no_longer_installed_says_its_code(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = played(context, table.players[0], table.match.id, "offer 3")
    accepted = played(context, table.players[0], table.match.id, "dive")

    def missing(name: str, version: int) -> Any:
        raise UnknownVersion("gone")

    monkeypatch.setattr(registry, "game", missing)
    found = lookup.find(context, table.players[0], table.match.id, refused.id).verdict
    assert found is not None
    assert found.violation is not None
    assert "code not_in_hand, rule P4" in found.violation.message
    again = lookup.find(context, table.players[0], table.match.id, accepted.id).verdict
    assert again is not None
    assert (again.status, again.entries) == ("accepted", ())


@pytest.mark.parametrize("broken", ["narrate", "apply"])
def test_a_fault_in_telling_does_not_hide_a_verdict(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fails(*args: Any) -> Any:
        raise ZeroDivisionError

    turn = played(context, table.players[0], table.match.id, "dive")
    assert turn.verdict is not None
    sound = registry.game("pearls")
    game = replace(sound, narrate=fails) if broken == "narrate" else replace(sound, apply=fails)
    monkeypatch.setattr(registry, "game", lambda name, version: game)
    found = lookup.find(restarted(context), table.players[0], table.match.id, turn.id)
    assert found.verdict == replace(turn.verdict, entries=())
