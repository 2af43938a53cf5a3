"""The log of events in the database: numbers without gaps, seen as far as each may know."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from service.context import Context
from service.payloads import LineSaid
from service.store import events
from service.store import matches as match_rows
from service.store.events import News
from service.store.tables import matches, players
from tests.service.fakes import Round, person, started


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon")


def told(context: Context, match_id: str, *new: News) -> tuple[str, ...]:
    with context.database.write() as connection:
        match_rows.lock(connection, match_id)
        return events.add_all(connection, new, context.clock())


def test_events_are_numbered_by_match_and_by_player(context: Context, table: Round) -> None:
    match_id, ada, bela = table.match.id, table.players[0].id, table.players[1].id
    with context.database.read() as connection:
        before = [len(events.of_player(connection, each)) for each in (ada, bela)]
        at = connection.execute(select(matches.c.events).where(matches.c.id == match_id)).scalar_one()
    ids = told(
        context,
        match_id,
        News(match_id, "turn_played", "all", seat=0, ply=7),
        News(match_id, "verdict", "player", ada, 0, 7),
        News(match_id, "turn_awaited", "player", bela, 1, 7),
        News(match_id, "chat", "player", ada, 0, payload=LineSaid(3)),
    )
    assert ids == tuple(f"{match_id}.{at + number}" for number in (1, 2, 3, 4))
    with context.database.read() as connection:
        mine, theirs = events.of_player(connection, ada, before[0]), events.of_player(connection, bela, before[1])
        counters = {row.id: row.events for row in connection.execute(select(players.c.id, players.c.events))}
    played, verdict, chat = mine
    assert [(number, each.kind) for number, each in (played, verdict, chat)] == [
        (before[0] + 1, "turn_played"),
        (before[0] + 2, "verdict"),
        (before[0] + 3, "chat"),
    ]
    assert [(number, each.kind) for number, each in theirs] == [
        (before[1] + 1, "turn_played"),
        (before[1] + 2, "turn_awaited"),
    ]
    assert (counters[ada], counters[bela]) == (before[0] + 3, before[1] + 2)
    assert chat[1].payload == {"number": 3}


def test_everybody_sees_as_far_as_they_may_know(context: Context, table: Round) -> None:
    match_id, (ada, bela), cleo = table.match.id, table.players, person(context, "Cleo")
    first = told(
        context,
        match_id,
        News(match_id, "turn_played", "all"),
        News(match_id, "chat", "seats"),
        News(match_id, "verdict", "player", ada.id),
        News(match_id, "invitation", "address"),
    )
    after = int(first[0].rpartition(".")[2]) - 1
    with context.database.read() as connection:
        seen = {
            who: [each.kind for each in events.of_match(connection, match_id, viewer, after)]
            for who, viewer in (("ada", ada.id), ("bela", bela.id), ("cleo", cleo.id), ("nobody", None))
        }
        assert [each.id for each in events.of_match(connection, match_id, ada.id, after, limit=1)] == [first[0]]
    assert seen == {
        "ada": ["turn_played", "chat", "verdict"],
        "bela": ["turn_played", "chat"],
        "cleo": ["turn_played"],
        "nobody": ["turn_played"],
    }


def test_two_at_once_get_different_numbers(context: Context, table: Round) -> None:
    match_id, ada = table.match.id, table.players[0].id

    def tell(number: int) -> str:
        return told(context, match_id, News(match_id, "verdict", "player", ada, ply=number))[0]

    with ThreadPoolExecutor(4) as threads:
        ids = list(threads.map(tell, range(8)))
    assert len(set(ids)) == 8
    with context.database.read() as connection:
        mine = events.of_player(connection, ada)
    assert [number for number, _ in mine] == list(range(1, len(mine) + 1))
