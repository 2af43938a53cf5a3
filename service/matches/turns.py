"""Turns: submit one, have it judged, look it up, ask beforehand. Every door ends here."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from engine import play
from engine.documents import to_document
from engine.types import Entry
from service.errors import Invalid, NotFound
from service.matches.intake import Actions, Notation, take_in, take_in_prefix
from service.matches.judging import judge
from service.matches.ruling import refusal
from service.matches.seating import check_ply, sit_down, state_of
from service.matches.showing import existing, shown_turn
from service.matches.submitting import submit
from service.matches.telling import told
from service.matches.types import LegalAction, LegalActions, Preview, Turn
from service.matches.waiting import until_judged
from service.players.types import Player
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.turns import StoredTurn

if TYPE_CHECKING:
    from service.wiring import Overland

__all__ = ["find", "judge", "legal_actions", "list", "pending", "preview", "submit", "wait"]


def wait(overland: Overland, player: Player, match_id: str, turn_id: str, seconds: float) -> Turn:
    """The turn, as soon as it is judged, or as it is after so many seconds. Raises ``NotFound``."""
    with overland.queue.expecting(turn_id) as announced:
        return until_judged(overland, _own(overland, player, match_id, turn_id), announced, seconds)


def find(overland: Overland, player: Player, match_id: str, turn_id: str) -> Turn:
    """A turn of the player's own. Raises ``NotFound``."""
    return shown_turn(_own(overland, player, match_id, turn_id))


def list(
    overland: Overland, player: Player, match_id: str, after: str | None = None, limit: int = 50
) -> tuple[Turn, ...]:
    """The player's turns in a match, oldest first, behind turn ``after``. Raises ``NotFound``."""
    with overland.database.read() as connection:
        existing(match_rows.find(connection, match_id), match_id)
        return tuple(shown_turn(turn) for turn in turn_rows.of_player(connection, match_id, player.id, limit, after))


def pending(overland: Overland, older_than: timedelta, limit: int = 500) -> tuple[str, ...]:
    """The ids of turns that were submitted longer ago than that and have no verdict, oldest
    first.
    """
    with overland.database.read() as connection:
        return turn_rows.pending(connection, limit, overland.clock() - older_than)


def preview(
    overland: Overland,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: Actions = None,
    notation: Notation = None,
) -> Preview:
    """What a turn would do up to its first draw; changes nothing. Raises what ``submit`` raises."""
    table = sit_down(overland, player, match_id, seat)
    check_ply(overland, table, ply)
    state = state_of(overland, table)
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
    overland: Overland,
    player: Player,
    match_id: str,
    seat: int | None = None,
    actions: Actions = None,
    notation: Notation = None,
) -> LegalActions:
    """What the seat may do now, or behind some actions of the same turn; nothing where the match
    does not wait for it, or a draw comes first.

    Raises ``NotFound``, ``Forbidden``, ``Conflict``, or ``Invalid`` where the actions that come
    before cannot be read or are not legal.
    """
    table = sit_down(overland, player, match_id, seat)
    state = state_of(overland, table)
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


def _own(overland: Overland, player: Player, match_id: str, turn_id: str) -> StoredTurn:
    with overland.database.look() as connection:
        turn = turn_rows.find(connection, turn_id)
    if turn is None or turn.match_id != match_id or turn.player_id != player.id:
        raise NotFound(f"You have submitted no turn {turn_id} to match {match_id}.", "turn_not_found")
    return turn
