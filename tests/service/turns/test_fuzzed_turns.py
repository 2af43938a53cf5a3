"""Anything at all, submitted by anybody at any time: refused with a sentence or judged, and the
match stays sound.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from engine.documents import to_document
from engine.record import verify
from service.context import Context
from service.errors import ServiceError
from service.matches import lobby
from service.turns.submit import submit
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.fakes import Round, judge_one, log_of, notices, played_on, restarted, started, state_of

pytestmark = pytest.mark.usefixtures("pearls")

WORDS = (
    "dive",
    "take",
    "leave",
    "offer 2",
    "1",
    "3",
    "99",
    "draw L",
    "done",
    ";",
    "",
    "farmer C7",
    "start A1",
    "\u202e",
    "x" * 2000,
)


def any_turn(luck: random.Random, context: Context, table: Round) -> dict[str, Any]:
    """Often nearly right, sometimes nonsense."""
    game, state = registry.game(table.match.game), state_of(context, table.match.id)
    possible = (
        [to_document(action) for seat in range(len(table.players)) for action in game.candidates(state, seat)]
        if game.outcome(state) is None
        else []
    )
    if possible and luck.random() < 0.4:
        return {"actions": [luck.choice(possible)]}
    odd: list[Any] = [
        {"type": "dive"},
        {"type": "draw", "deck": "landscape"},
        {},
        {"type": None},
        7,
        None,
        {"type": "done", "more": 1},
    ]
    if luck.random() < 0.2:
        return {"notation": [luck.choice(WORDS) for _ in range(luck.randint(0, 3))]}
    return {
        "actions": [
            luck.choice(possible) if possible and luck.random() < 0.8 else luck.choice(odd)
            for _ in range(luck.randint(0, 3))
        ]
    }


@pytest.mark.parametrize("game", ["pearls", "oregon"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_match_stays_sound_whatever_is_submitted(context: Context, game: str, seed: int) -> None:
    luck, table, statuses, refusals = random.Random(f"{game} {seed}"), started(context, game, 2), [], set()
    rules = registry.game(game)
    for _ in range(60):
        match = lobby.find(context, None, table.match.id)
        player, ply = luck.choice(table.players), match.ply + luck.choice((0, 0, 0, 0, 0, -1, 1))
        process = luck.choice((context, restarted(context)))
        try:
            turn = submit(process, player, match.id, luck.choice((None, 0, 1)), ply, **any_turn(luck, context, table))
        except ServiceError as error:
            refusals.add(str(error))
            continue
        statuses.append(judge_one(process, turn.id).status)
        after, state = lobby.find(context, None, match.id), state_of(context, match.id)
        assert after.ply == len(log_of(context, match.id)) >= match.ply
        assert rules.check(state) == ()
        assert tuple(seat.seat for seat in after.seats if seat.to_act) == tuple(rules.to_act(state))
    assert {"rejected"} < set(statuses)
    assert len(refusals) > 3
    assert "" not in refusals
    assert len(notices(context, "verdict")) == len(statuses)
    over = played_on(context, table, luck)
    assert told(over.game, verify(match_record(context, None, over.id)).outcome) == over.outcome
