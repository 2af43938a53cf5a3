"""What a mail is made of: how far back it tells."""

from __future__ import annotations

import pytest

from service.context import Context
from service.notices.material import since_last_turn
from service.store import matches
from service.store.players import Player
from tests.service.fakes import Round, person, played, started

pytestmark = pytest.mark.usefixtures("pearls")


def since(context: Context, table: Round, player: Player, ply: int) -> int:
    with context.database.read() as connection:
        match = matches.find(connection, table.match.id)
        assert match is not None
        return since_last_turn(connection, match, player.id, ply)


@pytest.fixture
def table(context: Context) -> Round:
    """Ada has dived at the plies 0 and 4, Bela at ply 2; chance after each of them."""
    table = started(context, "pearls")
    for seat in (0, 1, 0):
        played(context, table.players[seat], table.match.id, "dive")
    return table


def test_the_last_turn_includes_what_chance_did_after_it(context: Context, table: Round) -> None:
    ada, bela = table.players
    assert since(context, table, bela, 6) == 4
    assert since(context, table, ada, 6) == 6


def test_what_came_later_than_the_ply_of_the_mail_does_not_count(context: Context, table: Round) -> None:
    ada, bela = table.players
    assert since(context, table, ada, 4) == 2
    assert since(context, table, bela, 3) == 3


def test_a_seat_that_has_not_acted_is_told_everything_and_a_reader_without_a_seat_nothing(
    context: Context, table: Round
) -> None:
    assert since(context, table, table.players[1], 2) == 0
    assert since(context, table, person(context, "Eve"), 2) == 2
