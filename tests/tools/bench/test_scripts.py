"""Matches that are played beforehand go the same way when their turns are submitted."""

from __future__ import annotations

import random

import pytest

from engine import registry
from service.context import Context
from service.matches import lobby
from service.turns.submit import submit
from tests.service.fakes import judge_one
from tools.bench.scripts import add_match, add_players, write_script
from tools.games import fewest_seats

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("name", registry.games())
def test_a_script_is_a_whole_match_that_goes_the_same_way_when_it_is_posted(context: Context, name: str) -> None:
    game = registry.game(name)
    script = write_script(game, "bench0", random.Random(1))
    with context.database.write() as connection:
        seated = add_players(connection, fewest_seats(game.info.seats), context.clock())
        add_match(connection, game, script, [each.player for each in seated], context.clock())
    for turn in script.turns:
        submitted = submit(context, seated[turn.seat].player, "bench0", turn.seat, turn.ply, actions=turn.actions)
        assert judge_one(context, submitted.id).status == "accepted"
    assert lobby.find(context, None, "bench0").status == "finished"
