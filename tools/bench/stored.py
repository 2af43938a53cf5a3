"""Stored matches, written in bulk and not played."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import insert

from engine.documents import to_document
from engine.game import AnyGame
from service.context import Context
from service.store.matches import StoredMatch
from service.store.tables import entries, matches, outbox, seats, turns
from tools.bench.scripts import add_players, components_of, running_match, write_script
from tools.games import fewest_seats

PLAYERS: Final = 200
CHUNK: Final = 1000
ENTRIES: Final = 12
TURNS: Final = 4


def store_matches(context: Context, game: AnyGame, count: int) -> None:
    """Writes ``count`` matches with seats, entries, judged turns and sent notices.

    Nine of ten are finished, the others await their players.
    """
    script, components = write_script(game, "pattern", random.Random("stored")), components_of(game)
    now = context.clock()
    with context.database.write() as connection:
        seated = add_players(connection, PLAYERS, now, first="stored")
    seats_of_each = fewest_seats(game.info.seats)
    log = [(entry.seat, to_document(entry.action)) for entry in script.opening][:ENTRIES]
    for start in range(0, count, CHUNK):
        rows: dict[Any, list[dict[str, Any]]] = {table: [] for table in (matches, seats, turns, entries, outbox)}
        for number in range(start, min(count, start + CHUNK)):
            players = [seated[(number * seats_of_each + seat) % PLAYERS].player for seat in range(seats_of_each)]
            made = running_match(game, f"stored{number}", players, (0,), now - timedelta(minutes=count - number))
            _collect(rows, made, log, over=number % 10 != 0, components=dict(components))
        with context.database.write() as connection:
            for table, collected in rows.items():
                if collected:  # a log may begin without entries
                    connection.execute(insert(table), collected)


def _collect(
    rows: dict[Any, list[dict[str, Any]]],
    made: StoredMatch,
    log: list[tuple[int, Any]],
    over: bool,
    components: dict[str, Any],
) -> None:
    at = made.created_at
    head = {column.name: getattr(made, column.name) for column in matches.c if column.name != "components"}
    ended = {"status": "finished", "finished_at": at} if over else {}
    rows[matches].append(head | {"components": components, "ply": len(log)} | {"finished_at": None} | ended)
    for seat in made.seats:
        held = {
            "seat": seat.seat,
            "player_id": seat.player_id,
            "nonce": seat.nonce,
            "joined_at": at,
            "to_act": not over and seat.to_act,
        }
        rows[seats].append({"match_id": made.id, **held})
    for number in range(TURNS):
        holder, turn_id = made.seats[number % len(made.seats)], f"{made.id}-{number}"
        mine = {"player_id": holder.player_id, "match_id": made.id}
        said: dict[str, Any] = {
            "document": {"actions": []},
            "fingerprint": "",
            "status": "accepted",
            "verdict": None,
            "submitted_at": at,
            "judged_at": at,
        }
        rows[turns].append({"id": turn_id, "seat": holder.seat, "ply": number, **mine, **said})
        gone: dict[str, Any] = {"status": "sent", "attempts": 1, "next_attempt_at": at, "created_at": at, "sent_at": at}
        rows[outbox].append({"id": f"{turn_id}-notice", "kind": "verdict", "payload": {}, **mine, **gone})
    rows[entries] += [
        {"match_id": made.id, "ply": ply, "seat": acting, "action": action, "turn_id": None, "at": at}
        for ply, (acting, action) in enumerate(log)
    ]
