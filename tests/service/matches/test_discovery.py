"""The service knows no game by its name: a folder with one in it is all it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import service
from engine import registry
from service.context import Context
from service.errors import Conflict, Invalid
from service.matches import lobby
from service.matches.types import SeatRequest
from service.views import match as views
from tests.service.fakes import discovered, person, started

SEATS = [SeatRequest("me"), SeatRequest("open")]


def test_a_game_can_be_played_while_its_folder_is_there(context: Context) -> None:
    ada = person(context, "Ada")
    with discovered():
        assert lobby.create(context, ada, "pearls", {}, SEATS).game == "pearls"
    with pytest.raises(Invalid, match="There is no game 'pearls'; known:"):
        lobby.create(context, ada, "pearls", {}, SEATS)


def test_a_match_of_a_game_that_is_no_longer_there_is_still_listed_and_seen(context: Context) -> None:
    with discovered():
        table = started(context, "pearls")
    with pytest.raises(Conflict, match="which is not installed here"):
        views.observation(context, None, table.match.id)
    assert views.match(context, None, table.match.id).seats[0].prompt is None
    assert [match.id for match in lobby.mine(context, table.players[0])] == [table.match.id]


def test_neither_the_use_cases_nor_the_store_name_a_game() -> None:
    root = Path(service.__file__).parent
    sources = [source for folder in ("matches", "players", "store") for source in (root / folder).rglob("*.py")]
    assert len(sources) > 20
    named = [
        (source.name, game) for source in sources for game in registry.games() if game in source.read_text().lower()
    ]
    assert named == []
