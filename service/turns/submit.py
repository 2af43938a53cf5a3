"""Submits a turn: its row is committed before a worker is woken.

Turns that are submitted to a process at the same time are committed together.

1. The player must hold a seat of the match, and the turn must still be fresh for that seat
   (``service.turns.refusals``); the actions are parsed, documents or notation.
2. The turn is committed before it is announced. A caller that waits for the verdict subscribes to
   its announcement before the commit.
3. A worker is woken.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from engine.documents import from_document
from service.announcements import Waiter
from service.context import Context, Entropy
from service.errors import Conflict, NotFound
from service.matches.access import Seated, seated, state_of
from service.matches.replays import game_of
from service.sandbox import GivenActions, GivenNotation, Trial
from service.store import turns as rows
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.turns import StoredTurn
from service.turns.confirming import check_confirmed
from service.turns.intake import fingerprint, take_in, tries_actions
from service.turns.judge import is_failure
from service.turns.lookup import as_told, confirm_wanted, looked_up, queued
from service.turns.refusals import check_playable
from service.turns.types import Turn
from service.turns.verdicts import StoredVerdict
from service.waits import apart

TURN_ID_LENGTH = 20


def submit(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: GivenActions = None,
    notation: GivenNotation = None,
    idempotency_key: str | None = None,
    wait: float = 0,
    read: StoredMatch | None = None,
    in_reply_to: str | None = None,
    received: datetime | None = None,
    confirmation: str | None = None,
    is_confirmed: bool = False,
) -> Turn:
    """Stores a turn, wakes a worker, and gives the turn, with its verdict if there is one after at
    most ``wait`` seconds. ``read`` is the match, where the request has read it already.
    ``in_reply_to`` is the Message-ID of the mail that carries the turn: its verdict is mailed at
    once, as the answer to that mail. The turn counts from when it was ``received``, where that was
    earlier. ``confirmation`` is that of a dry run; ``is_confirmed`` says that its player was asked.

    Repeated with the same idempotency key, the same submission gives the same turn. Raises
    ``NotFound``, ``Forbidden``, ``StalePly``, ``Conflict`` (``match_not_started``, ``match_over``,
    ``resigned``, ``not_your_turn``, ``ply_ahead``, ``turn_waiting``, ``idempotency_key_reused``),
    ``ConfirmationNeeded`` where the player has yet to confirm it, ``MatchUnreadable``,
    ``TrialFailed`` (where a number follows an action) or ``Invalid``.
    """
    at = seated(context, player, match_id, seat, read)
    digest = fingerprint(match_id, at.seat, ply, actions, notation)
    known = _submitted_before(context, player, idempotency_key, digest)
    if known is None:
        document, now = _checked(context, at, ply, actions, notation), context.clock()
        wanted = "never" if is_confirmed else confirm_wanted(context, player, match_id)
        if wanted != "never":
            check_confirmed(context, player, wanted, Trial(at.match, at.seat, actions, notation), digest, confirmation)
        turn = StoredTurn(
            id=context.entropy.token(TURN_ID_LENGTH),
            match_id=match_id,
            seat=at.seat,
            player_id=player.id,
            ply=ply,
            document=document,
            submitted_at=now if received is None else min(received, now),
            idempotency_key=idempotency_key,
            fingerprint=digest,
            in_reply_to=in_reply_to,
        )
        with expecting(context, turn, wait) as waiter:
            turn = turn if waiter is None else replace(turn, awaited_by=waiter.address)
            known = _added(context, player, turn)
            if known is None:
                return until_judged(context, at.match, turn, waiter, wait)
    return _again(context, at.match, known, wait)


def _again(context: Context, match: StoredMatch, known: StoredTurn, wait: float) -> Turn:
    """A turn that was submitted before; the worker is woken again, as its wake-up may have been
    lost.
    """
    with expecting(context, known, wait) as waiter:
        turn = looked_up(context, match, known)
        if turn.status != "queued":
            return turn
        context.batched.wake(context.queue.wake_turns)
        return until_judged(context, match, known, waiter, wait)


def _checked(
    context: Context, at: Seated, ply: int, actions: GivenActions, notation: GivenNotation
) -> Mapping[str, Any]:
    """The document of a turn that is still fresh; replaying is done apart."""
    trial = Trial(at.match, at.seat, actions, notation)

    def check() -> Mapping[str, Any]:
        check_playable(context, at, ply)
        if notation is not None and tries_actions(notation):
            return context.sandbox.run(context, document_of, trial)
        return document_of(context, trial)

    return check() if ply == at.match.ply and notation is None else apart(check)


def document_of(context: Context, trial: Trial) -> Mapping[str, Any]:
    """The document of a submitted turn, as it is stored. Raises ``Invalid``."""
    at = Seated(trial.match, game_of(trial.match), trial.seat)
    return take_in(at.game, lambda: state_of(context, at), at.seat, trial.actions, trial.notation).document


def _submitted_before(context: Context, player: Player, key: str | None, digest: str) -> StoredTurn | None:
    if key is None:
        return None
    known = context.batched.earlier(context.database, player.id, key)
    if known is not None and known.fingerprint != digest:
        raise Conflict(f"The idempotency key {key} was used for another turn; use a new one.", "idempotency_key_reused")
    return known


def _added(context: Context, player: Player, turn: StoredTurn) -> StoredTurn | None:
    """Commits the turn and wakes a worker; gives the turn with the same key where one was committed
    first. Raises ``Conflict`` (``turn_waiting``).
    """
    if context.batched.add(context.database, turn, context.queue.wake_turns):
        return None
    faster = _submitted_before(context, player, turn.idempotency_key, turn.fingerprint)
    if faster is None:
        raise Conflict(
            "A turn that you have submitted to this match waits for its verdict; submit the next one after that.",
            "turn_waiting",
        )
    return faster


LONGEST_SILENCE: Final = 1.5
"""Seconds after which the row is read without an announcement."""


def expecting(context: Context, turn: StoredTurn, seconds: float) -> AbstractContextManager[Waiter | None]:
    """What the verdict is announced to; nothing where the request does not wait."""
    return context.queue.expecting(turn.id) if seconds > 0 else nullcontext()


def until_judged(context: Context, match: StoredMatch, turn: StoredTurn, waiter: Waiter | None, seconds: float) -> Turn:
    """Returns the queued turn as soon as its verdict is announced or found, or as it is after
    ``seconds``.
    """
    shown, deadline = queued(turn), context.timer() + seconds
    while waiter is not None and shown.status == "queued" and (left := deadline - context.timer()) > 0:
        handed = waiter.wait(min(left, LONGEST_SILENCE))
        shown = looked_up(context, match, turn) if handed is None else as_told(turn, handed)
    return shown


def retry(database: Database, entropy: Entropy, turn_id: str, now: datetime) -> str:
    """Submits a quarantined turn again, as a new turn of the same player, and gives the new turn's
    id. The verdict on the first one stays, since the player has been told of it.

    Raises ``NotFound``, or ``Conflict`` where the turn is not quarantined or the seat has another
    turn that waits.
    """
    with database.write() as connection:
        turn = rows.find(connection, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.", "turn_not_found")
        if not _failed(turn):
            raise Conflict(f"Turn {turn_id} is not quarantined; it is {turn.status}.")
        again = replace(
            turn,
            id=entropy.token(TURN_ID_LENGTH),
            idempotency_key=None,
            status="queued",
            verdict=None,
            submitted_at=now,
            judged_at=None,
            attempts=0,
            in_reply_to=None,
            awaited_by=None,
        )
        if rows.add_all(connection, [again]):
            raise Conflict(f"The seat of turn {turn_id} has another turn that waits for its verdict.", "turn_waiting")
        rows.forget_attempts(connection, turn_id)
    return again.id


def _failed(turn: StoredTurn) -> bool:
    return turn.verdict is not None and is_failure(from_document(StoredVerdict, turn.verdict))
