"""The ledger over turns with an action that only declines what was not offered: it has no entry."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from engine import registry
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.types import SeatRequest
from service.store.tables import turns
from service.turns.types import Turn
from tests.service.fakes import log_of, person, played

SHIP, EXPLORER = {"type": "ship", "start": "west 1"}, {"type": "explorer", "value": 3, "part": None}


def turn(context: Context, tile: str, line: str) -> Turn:
    """The judged line, as the answer to a draw in a match of Ozeanien whose tiles are all of one
    kind.
    """
    counts = dict.fromkeys(("sea", "cape", "coast", "strait", "bay", "inland"), 0) | {tile: 35}
    box = registry.component_document("ozeanien") | {
        "name": "one kind",
        "sea_tiles": {"value": counts, "provenance": "rulebook"},
    }
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "ozeanien", {}, [SeatRequest("me"), SeatRequest("open")], components=box)
    lobby.join(context, bela, match.id)
    assert played(context, ada, match.id, "ship west 3").status == "accepted"
    return played(context, ada, match.id, line)


@pytest.mark.parametrize(
    ("tile", "line", "entries"),
    [("sea", "place A3; skip", 1), ("cape", "place A3 N; explorer 1; done", 2), ("cape", "place A3 N; skip", 2)],
)
def test_a_turn_with_a_superfluous_action_leaves_the_ledger_without_findings(
    context: Context, tile: str, line: str, entries: int
) -> None:
    judged = turn(context, tile, line)
    assert judged.status == "accepted"
    assert judged.verdict is not None
    assert judged.verdict.accepted == len(line.split(";"))
    assert len(log_of(context, judged.match_id)) == 2 + entries
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("forged", [SHIP, EXPLORER])
def test_an_action_that_is_not_superfluous_and_has_no_entry_is_found(context: Context, forged: dict[str, Any]) -> None:
    judged = turn(context, "sea", "place A3; skip")
    document = {"actions": [{"type": "place", "space": "A3", "land": ""}, forged]}
    with context.database.write() as connection:
        connection.execute(update(turns).where(turns.c.id == judged.id).values(document=document))
    assert [breach.code for breach in check_ledger(context.database).breaches] == ["actions_differ"]
