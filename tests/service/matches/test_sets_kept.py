"""A match keeps the component set that it began with, whatever becomes of the standard one."""

from __future__ import annotations

from typing import Any

import pytest

from engine import registry
from engine.draws import digest
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.store import matches
from tests.service.fakes import person, played, restarted, started, state_of


def stored(context: Context, match: str) -> Any:
    with context.database.read() as connection:
        return matches.components(connection, match)


def test_a_running_match_keeps_its_set_when_another_becomes_the_standard_one(
    context: Context, pearls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(context, "pearls")
    played(context, table.players[0], table.match.id, "dive")
    before, set_before = state_of(context, table.match.id), stored(context, table.match.id)
    other = set_before | {"threes": 7}
    other_set = registry.game("pearls").load_components(other)
    monkeypatch.setattr(registry, "component_document", lambda name, which=registry.STANDARD: dict(other))
    monkeypatch.setattr(registry, "components", lambda name, which=registry.STANDARD: other_set)
    later = restarted(context)
    assert state_of(later, table.match.id) == before
    assert stored(later, table.match.id) == set_before
    assert played(later, table.players[1], table.match.id, "dive").status == "accepted"
    new = lobby.create(later, person(later, "Eve"), "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert stored(later, new.id) == other
    kept, begun = lobby.find(later, None, table.match.id), lobby.find(later, None, new.id)
    assert (kept.components_name, kept.components_digest) == ("standard", digest(set_before))
    assert begun.components_digest == digest(other)
