"""Stored matches, written in bulk and not played."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, text

from engine.documents import to_document
from engine.draws import digest
from engine.game import AnyGame
from service.clocks.history import clock_document
from service.clocks.rule import ClockRule, document_of
from service.clocks.seat import SeatClock
from service.clocks.spans import instant, moment
from service.context import Context
from service.kinds import MAILINGS
from service.store import component_sets, moving
from service.store.matches import StoredMatch
from service.store.tables import entries, matches, outbox, seat_clocks, seats, turns
from tools.bench.scripts import Posted, add_players, components_of, running_match, write_script
from tools.games import fewest_seats

PLAYERS: Final = 200
MATCHES_OF_A_PLAYER: Final = 1000
CHUNK: Final = 2000
ENTRIES: Final = 12
TURNS: Final = 4


def store_matches(
    context: Context,
    game: AnyGame,
    count: int,
    told: Callable[[int], object] = lambda stored: None,
    rule: ClockRule | None = None,
) -> None:
    """Writes ``count`` matches with seats, entries, judged turns and sent notices.

    Nine of ten are finished, the others await their players; or with a ``rule`` of clocks all run,
    and so do the clocks of the awaited seats, each of which is up at another second of the days to
    come. ``told`` is given the number of matches so far, now and then.
    """
    script, components = write_script(game, "pattern", random.Random("stored")), components_of(game)
    now = context.clock()
    players = max(PLAYERS, count // MATCHES_OF_A_PLAYER)
    with context.database.write() as connection:
        seated = add_players(connection, players, now, first="stored")
        component_sets.add(connection, digest(components), components, now)
    seats_of_each = fewest_seats(game.info.seats)
    fingerprint = digest({"match": script.match_id})
    log = [(entry.seat, to_document(entry.action)) for entry in script.opening][:ENTRIES]
    pattern = running_match(game, "pattern", [each.player for each in seated[:seats_of_each]], (0,), now)
    for start in range(0, count, CHUNK):
        rows: dict[Any, list[dict[str, Any]]] = {
            table: [] for table in (matches, seats, turns, entries, outbox, seat_clocks)
        }
        for number in range(start, min(count, start + CHUNK)):
            ids = [seated[(number * seats_of_each + seat) % players].player.id for seat in range(seats_of_each)]
            at = now - timedelta(minutes=count - number)
            made = replace(
                pattern,
                id=f"stored{number}",
                created_by=ids[0],
                created_at=at,
                seats=tuple(replace(seat, player_id=ids[seat.seat], joined_at=at) for seat in pattern.seats),
            )
            over = rule is None and number % 10 != 0
            if rule is not None:
                made = replace(made, clock=document_of(rule))
                rows[seat_clocks] += _clocks(made, rule, now, number)
            _collect(rows, made, log, script.turns[:TURNS], fingerprint, over)
        with context.database.write() as connection:
            _trust_references(connection)
            for table, collected in rows.items():
                moving.write_rows(connection, table, collected)
        told(min(count, start + CHUNK))
    _analyse(context)


def _clocks(made: StoredMatch, rule: ClockRule, now: datetime, number: int) -> list[dict[str, Any]]:
    """The clocks of a match. Those that run began to within the base before now."""
    since = instant(now) - number % (rule.base // 2)
    clocks = [replace(SeatClock(rule.base), turns=1, since=since if seat.to_act else None) for seat in made.seats]
    return [
        {
            "match_id": made.id,
            "seat": seat.seat,
            "document": clock_document(clock),
            "due_at": None if clock.since is None else moment(clock.since + clock.budget),
            "remind_at": None,
        }
        for seat, clock in zip(made.seats, clocks, strict=True)
    ]


def _trust_references(connection: Connection) -> None:
    """Spares PostgreSQL the check of every reference, which takes most of the time, where the user
    may do so.
    """
    if connection.dialect.name != "postgresql":
        return
    if connection.execute(text("SELECT current_setting('is_superuser')")).scalar_one() == "on":
        connection.execute(text("SET LOCAL session_replication_role = replica"))


def _analyse(context: Context) -> None:
    """Has the database look at its tables, as it does by itself after some time."""
    with context.database.write() as connection:
        connection.execute(text("ANALYZE"))


def _collect(
    rows: dict[Any, list[dict[str, Any]]],
    made: StoredMatch,
    log: list[tuple[int, Any]],
    posted: Sequence[Posted],
    fingerprint: str,
    over: bool,
) -> None:
    at = made.created_at
    known = StoredMatch.__dataclass_fields__
    head = {column.name: getattr(made, column.name) for column in matches.c if column.name in known}
    ended = {"status": "finished", "finished_at": at} if over else {}
    rows[matches].append(
        head | {"components": {}, "ply": len(log), "events": 0, "archive_mails": 0} | {"finished_at": None} | ended
    )
    for seat in made.seats:
        held = {
            "seat": seat.seat,
            "player_id": seat.player_id,
            "nonce": seat.nonce,
            "joined_at": at,
            "to_act": not over and seat.to_act,
            "replaced": False,
        }
        rows[seats].append({"match_id": made.id, **held})
    for number, turn in enumerate(posted):
        holder, turn_id = made.seats[turn.seat], f"{made.id}-{number}"
        mine = {"player_id": holder.player_id, "match_id": made.id}
        said: dict[str, Any] = {
            "document": {"actions": turn.actions},
            "fingerprint": fingerprint,
            "status": "accepted",
            "verdict": {
                "status": "accepted",
                "accepted": len(turn.actions),
                "ply_before": turn.ply,
                "ply_after": turn.ply + len(turn.actions),
                "violation": None,
            },
            "submitted_at": at,
            "judged_at": at,
            "attempts": 0,
            "slot": None,
            "kind": "turn",
        }
        rows[turns].append({"id": turn_id, "seat": holder.seat, "ply": turn.ply, **mine, **said})
        gone: dict[str, Any] = {
            "status": "sent",
            "attempts": 1,
            "crashes": 0,
            "next_attempt_at": at,
            "created_at": at,
            "sent_at": at,
            "lane": MAILINGS["verdict"].lane,
            "channel": "mail",
        }
        payload = {"seat": holder.seat, "ply": turn.ply, "turn_id": turn_id}
        rows[outbox].append({"id": f"{turn_id}-notice", "kind": "verdict", "payload": payload, **mine, **gone})
    rows[entries] += [
        {"match_id": made.id, "ply": ply, "seat": acting, "action": action, "turn_id": None, "at": at}
        for ply, (acting, action) in enumerate(log)
    ]
