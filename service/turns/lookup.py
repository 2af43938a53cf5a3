"""A player's own turns, one by id or all of a match, which of them they want to confirm, and what
the match asks for after one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from engine.documents import from_document, to_document
from engine.play import legal_actions, prompt, still_fresh
from engine.sentences import prompt_told
from service.announcements import Telling
from service.context import Context
from service.errors import NotFound
from service.matches import replays
from service.matches.access import existing, own_seat
from service.players.admission import admitted
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.turns import StoredTurn, VerdictRow
from service.turns import verdicts
from service.turns.judge import MOST_LEGAL
from service.turns.types import LegalAction, NextTurn, Turn, Verdict
from service.waits import apart

MOST_SINCE: Final = 64
"""The most entries after a turn that are examined; with more, the match counts as moved on."""


def find(context: Context, player: Player, match_id: str, turn_id: str) -> Turn:
    """A turn of the player. Raises ``NotFound`` or ``Forbidden`` (``not_seated``)."""
    with context.database.look() as connection:
        turn = turn_rows.find(connection, turn_id)
    if turn is None or turn.match_id != match_id or turn.player_id != player.id:
        own_seat(context, player, match_id, None)
        raise NotFound(f"You have submitted no turn {turn_id} to match {match_id}.", "turn_not_found")
    return shown(context, turn)


def confirm_wanted(context: Context, player: Player, match_id: str) -> str:
    """Which of their turns in the match the player wants to confirm: never, draws, always."""
    read = context.batched.read
    return read(context.database, lambda connection: turn_rows.confirm_of(connection, player.id, match_id))


def of_player(
    context: Context, player: Player, match_id: str, after: str | None = None, limit: int = 50
) -> tuple[Turn, ...]:
    """At most ``limit`` turns of the player in a match, oldest first, after turn ``after``. Raises
    ``NotFound``, ``Forbidden`` (``not_seated``) and ``UnknownCursor``.
    """
    with context.database.read() as connection:
        match = admitted(connection, match_rows.find(connection, match_id), match_id, player)
        if match.seat_of(player.id) is None and not turn_rows.of_player(connection, match_id, player.id, 1, None):
            own_seat(context, player, match_id, None, match)
        turns = turn_rows.of_player(connection, match_id, player.id, limit, after)
        judged = verdicts.read_all(connection, context, match, turns)
    return tuple(_turn(turn, verdict) for turn, verdict in zip(turns, judged, strict=True))


def shown(context: Context, turn: StoredTurn) -> Turn:
    """A turn as its submitter sees it."""
    if turn.verdict is None:
        return _turn(turn, None)
    with context.database.read() as connection:
        match = existing(match_rows.find(connection, turn.match_id), turn.match_id)
        return _turn(turn, verdicts.read(connection, context, match, turn))


def queued(turn: StoredTurn) -> Turn:
    """A turn that was just stored, as its submitter sees it."""
    return _turn(turn, None)


def looked_up(context: Context, match: StoredMatch, turn: StoredTurn) -> Turn:
    """The turn with its present status and verdict, as its submitter sees it; read together with
    those that are looked up at the same time.

    ``match`` may have been read before the turn was judged.
    """

    def show(connection: Connection, found: VerdictRow | None) -> Turn | StoredTurn:
        judged = _judged(turn, found)
        if verdicts.is_far(context, match, judged):
            return judged
        return _told(connection, context, match, judged, found)

    shown = context.batched.verdict(context.database, turn.id, show)
    # A long replay would hold up the others.
    return shown if isinstance(shown, Turn) else apart(lambda: _replayed(context, match, shown))


def handed_on(told: Telling, judged_at: datetime, awaited: bool) -> Telling:
    """A verdict as its judge tells it to whoever waits; ``awaited`` is that of ``Turn``."""
    return {"verdict": told, "judged_at": judged_at.isoformat(), "awaited": awaited}


def as_told(turn: StoredTurn, handed: Telling) -> Turn:
    """The turn with the verdict that was handed on, as ``looked_up`` shows it."""
    verdict: Verdict = from_document(Verdict, handed["verdict"])
    judged = replace(turn, status=verdict.status, judged_at=datetime.fromisoformat(handed["judged_at"]))
    return _turn(judged, verdict, handed["awaited"])


def _replayed(context: Context, match: StoredMatch, judged: StoredTurn) -> Turn:
    with context.database.read() as connection:
        found = turn_rows.verdicts(connection, [judged.id]).get(judged.id)
        return _told(connection, context, match, judged, found)


def _told(
    connection: Connection, context: Context, match: StoredMatch, judged: StoredTurn, found: VerdictRow | None
) -> Turn:
    """The turn with its verdict; ``found`` is its row as it was read last."""
    entries, awaited = ((), None) if found is None else (found.entries, found.awaited)
    return _turn(judged, verdicts.read(connection, context, match, judged, entries), awaited)


def _judged(turn: StoredTurn, found: VerdictRow | None) -> StoredTurn:
    if found is None or found.verdict is None:
        return turn
    return replace(turn, status=found.status, verdict=found.verdict, judged_at=found.judged_at)


def _turn(turn: StoredTurn, verdict: Verdict | None, awaited: bool | None = None) -> Turn:
    notation = turn.document.get("notation")
    return Turn(
        id=turn.id,
        match_id=turn.match_id,
        seat=turn.seat,
        player_id=turn.player_id,
        ply=turn.ply,
        actions=tuple(turn.document["actions"]),
        status=turn.status,
        submitted_at=turn.submitted_at,
        judged_at=turn.judged_at,
        verdict=verdict,
        notation=None if notation is None else tuple(notation),
        awaited=awaited,
    )


def next_turn(context: Context, turn: Turn) -> NextTurn | None:
    """Returns what the match asks of the turn's seat now that the turn is judged.

    ``None`` while the turn is queued, where it was rejected (its refusal lists what would be
    legal), where the match does not await the seat, and where anything has happened since that the
    seat may know of. Raises ``NotFound``.
    """
    verdict = turn.verdict
    if verdict is None or verdict.status == "rejected" or turn.awaited is False:
        return None
    return apart(lambda: _asked(context, turn, verdict))


def _asked(context: Context, turn: Turn, verdict: Verdict) -> NextTurn | None:
    with context.database.read() as connection:
        match = existing(match_rows.find(connection, turn.match_id), turn.match_id)
        if (
            match.status != "running"
            or match.ply - verdict.ply_after > MOST_SINCE
            or not match.seats[turn.seat].to_act
            or not replays.at_hand(match)
        ):
            return None
        steps = tuple(replays.walk(connection, context, match, verdict.ply_after))
        game, state = replays.game_of(match), replays.load(connection, context, match)
    if not still_fresh(game, steps, turn.seat):
        return None
    legal = legal_actions(game, state, turn.seat)
    return NextTurn(
        ply=match.ply,
        prompt=prompt_told(game, prompt(game, state, turn.seat, turn.seat)),
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )
