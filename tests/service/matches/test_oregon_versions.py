"""A match of Oregon that was begun by version 1 of its rules keeps version 1 of R8.8 after the
update, and a new match gets version 2.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine import packages, registry
from engine.bots import random_action
from engine.documents import to_document
from engine.games import oregon
from engine.games.oregon import v1
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS
from engine.games.oregon.state import State
from engine.record import verify
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players.types import Player
from service.turns.batch import judge_one
from service.turns.submit import submit
from service.turns.types import Turn
from service.views.record import match_record
from tests.service.fakes import Round, person, played, restarted, state_of
from tools.installed import forget_games

ONE: dict[str, int] = {building.value: 1 for building in BUILDINGS}
MANY = ONE | {"church": 99, "warehouse": 99}
"""Building cards with which duplicates and cards of an empty stack come soon."""
FEW = {"warehouse": 1, "church": 60}
"""Tiles: the warehouses are soon used up, the churches never, and so the match goes on."""
CHURCH, WAREHOUSE = BUILDING_INDEX["church"], BUILDING_INDEX["warehouse"]


@contextmanager
def before_version_2() -> Iterator[None]:
    """The games as they were when version 1 of Oregon was the newest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oregon, "GAME", v1.GAME)
        patch.setattr(packages, "_version_folders", lambda module: ())
        forget_games()
        yield
    forget_games()


def begun(context: Context, players: tuple[Player, Player]) -> Round:
    components = registry.component_document("oregon")
    components["building_cards"]["value"] = MANY
    components["building_tiles"]["value"] = {**components["building_tiles"]["value"], **FEW}
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(
        context, players[0], "oregon", {"discard_duplicates": True}, seats, None, components | {"name": "many churches"}
    )
    return Round(lobby.join(context, players[1], match.id), players)


def both_kinds(state: State) -> bool:
    """Whether the seat has just drawn a second church, and holds a warehouse of an empty stack."""
    held = state.seats[state.seat].buildings
    tiles = state.stacks[WAREHOUSE], state.stacks[CHURCH]
    return state.just_drawn == CHURCH and held[CHURCH] > 1 and held[WAREHOUSE] > 0 and tiles[0] == 0 < tiles[1]


def played_until_both_kinds(context: Context, table: Round) -> Player:
    """Random turns until the awaited seat could set both kinds of cards aside."""
    luck, game = random.Random(8), registry.game("oregon")
    for _ in range(400):
        state: State = state_of(context, table.match.id)
        if both_kinds(state):
            return table.players[state.seat]
        action = to_document(random_action(game, state, state.seat, luck.choice))
        ply = lobby.find(context, None, table.match.id).ply
        turn = submit(context, table.players[state.seat], table.match.id, state.seat, ply, actions=[action])
        assert judge_one(context, turn.id).status == "accepted"
    raise AssertionError("no seat came to hold both kinds of cards")


def the_useless_one_first(context: Context, table: Round) -> Turn:
    player = played_until_both_kinds(context, table)
    return played(context, player, table.match.id, "set aside warehouse", "set aside church")


def test_a_running_match_of_oregon_keeps_version_1_and_a_new_one_gets_version_2(context: Context) -> None:
    players = person(context, "Ada"), person(context, "Bela")
    with before_version_2():
        old = begun(context, players)
    service = restarted(context)
    new = begun(service, players)
    assert (old.match.rules_version, new.match.rules_version) == (1, 2)

    refused = the_useless_one_first(service, old).verdict
    assert refused is not None
    assert refused.violation is not None
    assert (refused.violation.code, refused.violation.rule) == ("card_useful", "R8.8")
    assert the_useless_one_first(service, new).status == "accepted"


def test_the_record_of_a_match_of_version_1_is_verified_by_version_1(context: Context) -> None:
    players = person(context, "Ada"), person(context, "Bela")
    with before_version_2():
        table = begun(context, players)
    service = restarted(context)
    player = played_until_both_kinds(service, table)
    assert played(service, player, table.match.id, "set aside church", "set aside warehouse").status == "accepted"
    lobby.resign(service, player, table.match.id)
    record = match_record(service, None, table.match.id)
    assert record.rules_version == 1
    assert verify(record).plies == len(record.log) > 0
