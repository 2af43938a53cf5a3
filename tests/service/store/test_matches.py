"""Matches in the database: locking them, and listing those of a player."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import text

from service.context import Context
from service.errors import UnknownCursor
from service.matches import lobby
from service.matches.types import SeatRequest
from service.store import matches as rows
from service.store.matches import Position
from tests.service.fakes import Clock, person, started
from tools.waiting import until

pytestmark = pytest.mark.usefixtures("pearls")


def test_a_position_read_while_a_player_resigns_shows_the_resignation(context: Context) -> None:
    """It may change nothing but the seat; on PostgreSQL the reader has to wait for it."""
    table = started(context, "pearls", seats=3)
    found: dict[str, Position] = {}
    reader = threading.Thread(target=lambda: found.update(_positions(context, table.match.id)))
    with context.database.write() as connection:
        rows.lock(connection, table.match.id)
        rows.resign(connection, table.match.id, 2, 0, context.clock())
        reader.start()
        until(lambda: not reader.is_alive() or waits_for_a_lock(context), "the reader waits")
    reader.join()
    assert [resigned for _, resigned, _, _ in found[table.match.id].seats] == [False, False, True]


@pytest.mark.parametrize("statuses", [(), ("open",)])
def test_the_matches_of_a_player_are_listed_newest_first_page_by_page(context: Context, statuses: Any) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    made = [_made(context, ada, later=number in (2, 4)) for number in range(5)]
    _made(context, bela, later=False)
    made.append(lobby.create(context, bela, "pearls", {}, [SeatRequest("me"), SeatRequest("invite", ada.email)]).id)
    made.append(lobby.join(context, ada, _made(context, bela, later=True)).id)
    expected = _newest_first(context, made[:-1] if statuses else made)
    pages, after = [], None
    while page := lobby.mine(context, ada, statuses, limit=2, after=after):
        pages.append([match.id for match in page])
        after = page[-1].id
    assert [match_id for page in pages for match_id in page] == expected
    assert {len(page) for page in pages[:-1]} == {2}


def test_a_list_after_a_match_that_does_not_exist_is_refused(context: Context) -> None:
    ada = person(context, "Ada")
    _made(context, ada, later=False)
    with pytest.raises(UnknownCursor):
        lobby.mine(context, ada, after="nowhere")


def _made(context: Context, player: Any, later: bool) -> str:
    """A match of that player, created at the same time as the one before, or ``later``."""
    assert isinstance(context.clock, Clock)
    if later:
        context.clock.advance(minutes=1)
    return lobby.create(context, player, "pearls", {}, [SeatRequest("me"), SeatRequest("open")]).id


def _newest_first(context: Context, match_ids: list[str]) -> list[str]:
    with context.database.read() as connection:
        found = rows.find_all(connection, match_ids)
    return sorted(match_ids, key=lambda each: (found[each].created_at, each), reverse=True)


def _positions(context: Context, match_id: str) -> dict[str, Position]:
    with context.database.write() as connection:
        return rows.lock_positions(connection, [match_id])


def waits_for_a_lock(context: Context) -> bool:
    """Whether a transaction waits for another."""
    if context.database.url.get_backend_name() == "sqlite":
        return True  # the one writer keeps all others waiting
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with context.database.look() as connection:
        return bool(connection.execute(text(waiting)).scalar_one())
