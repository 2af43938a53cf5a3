"""Turns: submit one, have it judged, look it up, ask beforehand. Every door ends here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from engine import play
from engine.documents import to_document
from engine.game import AnyGame
from engine.types import Entry
from service.errors import Conflict, Forbidden, Invalid, NotFound, StalePly
from service.matches import memory
from service.matches.intake import Actions, Notation, fingerprint, take_in, take_in_prefix
from service.matches.judging import judge
from service.matches.ruling import refusal
from service.matches.showing import existing, shown_turn
from service.matches.telling import changes_since, told
from service.matches.types import LegalAction, LegalActions, Preview, Turn
from service.players.types import Player
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn

if TYPE_CHECKING:
    from service.wiring import Overland

__all__ = ["find", "judge", "legal_actions", "list", "pending", "preview", "submit", "wait"]

TURN_ID_LENGTH = 20
SLICE_SECONDS = 2.0
SHORTEST_PAUSE = 0.1


def submit(
    overland: Overland,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: Actions = None,
    notation: Notation = None,
    idempotency_key: str | None = None,
) -> Turn:
    """Stores a turn and wakes a worker for it.

    With an idempotency key that was used before, the same submission answers the same turn again. Raises ``NotFound``, ``Forbidden``,
    ``StalePly``, ``Conflict`` (``match_not_running``, ``resigned``, ``idempotency_key_reused``) or ``Invalid``.
    """
    with overland.database.read() as connection:
        table = _sit_down(connection, player, match_id, seat)
        print_ = fingerprint(match_id, table.seat, ply, actions, notation)
        known = _submitted_before(connection, player, idempotency_key, print_)
        if known is None:
            _check_ply(connection, table, ply)
            intake = take_in(table.game, lambda: memory.load(connection, overland, table.match), table.seat, actions, notation)
    if known is None:
        turn = StoredTurn(
            id=overland.entropy.token(TURN_ID_LENGTH),
            match_id=match_id,
            seat=table.seat,
            player_id=player.id,
            ply=ply,
            document=intake.document,
            idempotency_key=idempotency_key,
            fingerprint=print_,
            status="queued",
            verdict=None,
            submitted_at=overland.clock(),
            judged_at=None,
        )
        known = _added(overland, player, turn)
    if known.status == "queued":
        overland.queue.wake_turns()
    return shown_turn(known)


def wait(overland: Overland, player: Player, match_id: str, turn_id: str, seconds: float) -> Turn:
    """The turn, as soon as it is judged, or as it is after so many seconds."""
    deadline = time.monotonic() + seconds
    while (turn := find(overland, player, match_id, turn_id)).status == "queued" and (left := deadline - time.monotonic()) > 0:
        began = time.monotonic()
        announced = overland.queue.wait_for_verdict(turn_id, min(left, SLICE_SECONDS))
        if not announced and time.monotonic() - began < SHORTEST_PAUSE:  # a queue that cannot wait must not make this a busy loop
            time.sleep(min(left, SHORTEST_PAUSE))
    return turn


def find(overland: Overland, player: Player, match_id: str, turn_id: str) -> Turn:
    """A turn of the player's own. Raises ``NotFound``."""
    with overland.database.read() as connection:
        turn = turn_rows.find(connection, turn_id)
    if turn is None or turn.match_id != match_id or turn.player_id != player.id:
        raise NotFound(f"You have submitted no turn {turn_id} to match {match_id}.", "turn_not_found")
    return shown_turn(turn)


def list(overland: Overland, player: Player, match_id: str, after: str | None = None, limit: int = 50) -> tuple[Turn, ...]:
    """The player's turns in a match, oldest first, behind turn ``after``. Raises ``NotFound``."""
    with overland.database.read() as connection:
        existing(match_rows.find(connection, match_id), match_id)
        return tuple(shown_turn(turn) for turn in turn_rows.of_player(connection, match_id, player.id, limit, after))


def pending(overland: Overland, older_than: timedelta, limit: int = 500) -> tuple[str, ...]:
    """The ids of turns that were submitted longer ago than that and have no verdict, oldest first."""
    with overland.database.read() as connection:
        return turn_rows.pending(connection, limit, overland.clock() - older_than)


def preview(overland: Overland, player: Player, match_id: str, seat: int | None, ply: int, actions: Actions = None, notation: Notation = None) -> Preview:
    """What a turn would do up to its first draw; changes nothing. Raises what ``submit`` raises."""
    with overland.database.read() as connection:
        table = _sit_down(connection, player, match_id, seat)
        _check_ply(connection, table, ply)
        state = memory.load(connection, overland, table.match)
    played = take_in(table.game, lambda: state, table.seat, actions, notation).actions
    looked = play.preview(table.game, state, table.seat, played)
    violation = None
    if looked.violation is not None:
        violation = refusal(table.game, looked.state, table.seat, looked.violation, looked.actions)
    done = [Entry(table.seat, action) for action in played[: looked.actions]]
    return Preview(
        accepted=looked.actions,
        drawing=looked.drawing,
        violation=violation,
        entries=told(table.game, state, done, table.seat, table.match.names),
        observation=to_document(table.game.observe(looked.state, table.seat)),
    )


def legal_actions(
    overland: Overland, player: Player, match_id: str, seat: int | None = None, actions: Actions = None, notation: Notation = None
) -> LegalActions:
    """What the seat may do now, or behind some actions of the same turn; nothing where the match does not wait for it, or a draw comes first.

    Raises ``NotFound``, ``Forbidden``, ``Conflict``, or ``Invalid`` where the actions that come before cannot be read or are not legal.
    """
    with overland.database.read() as connection:
        table = _sit_down(connection, player, match_id, seat)
        state = memory.load(connection, overland, table.match)
    before = take_in_prefix(table.game, lambda: state, table.seat, actions, notation)
    looked = play.preview(table.game, state, table.seat, before)
    pointer = "/notation" if notation is not None else f"/actions/{looked.actions}"
    if looked.violation is not None:
        raise Invalid(((pointer, looked.violation.message),), looked.violation.code)
    if looked.actions < len(before):
        raise Invalid(((pointer, "This comes after a draw, and behind a draw nobody can look."),), "behind_a_draw")
    playing = table.match.status == "running" and table.match.seats[table.seat].resigned_at is None
    legal = play.legal_actions(table.game, looked.state, table.seat) if playing else ()
    items = tuple(LegalAction(to_document(action), table.game.format(action)) for action in legal)
    return LegalActions(match_id, table.match.ply, table.seat, items)


@dataclass(frozen=True, slots=True)
class _Table:
    """A running match, and the seat of whoever sat down at it."""

    match: StoredMatch
    game: AnyGame
    seat: int


def _sit_down(connection: Connection, player: Player, match_id: str, seat: int | None) -> _Table:
    match = existing(match_rows.find(connection, match_id), match_id)
    own = match.seat_of(player.id)
    if own is None:
        raise Forbidden("You have no seat in this match.", "not_seated")
    if seat is not None and seat != own:
        raise Forbidden(f"Seat {seat} is not yours; you sit on seat {own}.", "not_your_seat")
    if match.status == "open":
        raise Conflict("The match has not started yet: seats are still free.", "match_not_running")
    if match.status == "cancelled":
        raise Conflict("The match was cancelled before it started.", "match_not_running")
    return _Table(match, memory.game_of(match), own)


def _check_ply(connection: Connection, table: _Table, ply: int) -> None:
    match = table.match
    if match.status == "finished":
        raise Conflict("The match is over; no more turns are taken.", "match_over")
    if match.seats[table.seat].resigned_at is not None:
        raise Conflict("You have resigned from this match; the house plays your seat.", "resigned")
    if ply < 0 or ply > match.ply:
        raise Invalid((("/ply", f"The match has only come to ply {match.ply}; a turn answers that."),))
    if ply < match.ply:
        raise StalePly(
            f"This turn answers ply {ply}, but the match has moved on to ply {match.ply}: look again.",
            ply,
            match.ply,
            changes_since(connection, match, table.seat, ply),
        )


def _submitted_before(connection: Connection, player: Player, key: str | None, print_: str) -> StoredTurn | None:
    known = None if key is None else turn_rows.by_key(connection, player.id, key)
    if known is not None and known.fingerprint != print_:
        raise Conflict(f"The idempotency key {key} was used for another turn; take a new one.", "idempotency_key_reused")
    return known


def _added(overland: Overland, player: Player, turn: StoredTurn) -> StoredTurn:
    """The turn, or the one with the same key that was faster."""
    try:
        with overland.database.write() as connection:
            turn_rows.add(connection, turn)
    except IntegrityError:
        with overland.database.read() as connection:
            faster = _submitted_before(connection, player, turn.idempotency_key, turn.fingerprint)
        if faster is None:
            raise
        return faster
    return turn
