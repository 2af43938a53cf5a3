"""Submits a turn, and waits for its verdict. A caller that waits subscribes to its announcement
before the row is committed, and a worker is woken after that. Turns that are submitted to a process
at the same time are committed together.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from engine.documents import from_document
from service.announcements import Telling, Waiter
from service.context import Context, Entropy
from service.errors import Conflict, NotFound
from service.matches.access import Seated, seated, state_of
from service.matches.replays import game_of
from service.sandbox import GivenActions, GivenNotation, Trial
from service.store import turns as rows
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.turns import StoredTurn, VerdictRow
from service.turns import verdicts
from service.turns.intake import fingerprint, take_in, tries_actions
from service.turns.judge import check_playable, is_failure
from service.turns.trials import check_confirmed, confirm_wanted
from service.turns.types import Turn, Verdict
from service.turns.verdicts import StoredVerdict
from service.waits import apart, ending

TURN_ID_LENGTH = 20
LONGEST_SILENCE: Final = 1.5
"""Seconds after which the row is read without an announcement."""


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
    most ``wait`` seconds; a repetition with the same idempotency key gives the same turn.
    ``read`` is the match, where the request has read it; ``in_reply_to`` the Message-ID of the
    mail with the turn, which its verdict answers at once. The turn counts from when it was
    ``received``, where that was earlier. ``confirmation`` is that of a dry run; ``is_confirmed``
    says that its player was asked.

    Raises ``NotFound``, ``Forbidden``, ``StalePly``, ``Conflict`` (``match_not_started``,
    ``match_over``, ``resigned``, ``not_your_turn``, ``ply_ahead``, ``turn_waiting``,
    ``idempotency_key_reused``), ``ConfirmationNeeded``, ``MatchUnreadable``, ``TrialFailed``
    (where a number follows an action) or ``Invalid``.
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
    """A turn that was submitted before; its wake-up may have been lost, so there is another."""
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
    """Commits the turn; gives the one with the same key if that was first. Raises ``Conflict``."""
    if context.batched.add(context.database, turn, context.queue.wake_turns):
        return None
    faster = _submitted_before(context, player, turn.idempotency_key, turn.fingerprint)
    if faster is None:
        sentence = "A turn that you have submitted to this match waits for its verdict; submit the next one after that."
        raise Conflict(sentence, "turn_waiting")
    return faster


def expecting(context: Context, turn: StoredTurn, seconds: float) -> AbstractContextManager[Waiter | None]:
    """What the verdict is announced to; nothing where the request does not wait."""
    return context.queue.expecting(turn.id) if seconds > 0 else nullcontext()


def until_judged(context: Context, match: StoredMatch, turn: StoredTurn, waiter: Waiter | None, seconds: float) -> Turn:
    """The queued turn once its verdict is announced or found, or as it is after ``seconds``."""
    shown, deadline = turn_shown(turn), context.timer() + seconds
    while waiter is not None and shown.status == "queued" and (left := deadline - context.timer()) > 0 and not ending():
        handed = waiter.wait(min(left, LONGEST_SILENCE))
        shown = looked_up(context, match, turn) if handed is None else as_told(turn, handed)
    return shown


def looked_up(context: Context, match: StoredMatch, turn: StoredTurn) -> Turn:
    """The turn with its present status and verdict, as its submitter sees it; read together with
    those that are looked up at the same time. ``match`` may be from before it was judged.
    """

    def show(connection: Connection, found: VerdictRow | None) -> Turn | StoredTurn:
        judged = turn
        if found is not None and found.verdict is not None:
            judged = replace(turn, status=found.status, verdict=found.verdict, judged_at=found.judged_at)
        if verdicts.is_far(context, match, judged):
            return judged
        return _told(connection, context, match, judged, found)

    def replay(judged: StoredTurn) -> Turn:
        with context.database.read() as connection:
            found = rows.verdicts(connection, [judged.id]).get(judged.id)
            return _told(connection, context, match, judged, found)

    shown = context.batched.verdict(context.database, turn.id, show)
    # A long replay would hold up the others.
    return shown if isinstance(shown, Turn) else apart(lambda: replay(shown))


def handed_on(told: Telling, judged_at: datetime, awaited: bool) -> Telling:
    """A verdict as its judge tells it to whoever waits; ``awaited`` is that of ``Turn``."""
    return {"verdict": told, "judged_at": judged_at.isoformat(), "awaited": awaited}


def as_told(turn: StoredTurn, handed: Telling) -> Turn:
    """The turn with the verdict that was handed on, as ``looked_up`` shows it."""
    verdict: Verdict = from_document(Verdict, handed["verdict"])
    judged = replace(turn, status=verdict.status, judged_at=datetime.fromisoformat(handed["judged_at"]))
    return turn_shown(judged, verdict, handed["awaited"])


def _told(
    connection: Connection, context: Context, match: StoredMatch, judged: StoredTurn, found: VerdictRow | None
) -> Turn:
    """The turn with its verdict; ``found`` is its row as it was read last."""
    entries, awaited = ((), None) if found is None else (found.entries, found.awaited)
    return turn_shown(judged, verdicts.read(connection, context, match, judged, entries), awaited)


def turn_shown(turn: StoredTurn, verdict: Verdict | None = None, awaited: bool | None = None) -> Turn:
    """A turn as its submitter sees it, with its verdict where there is one."""
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
        if turn.verdict is None or not is_failure(from_document(StoredVerdict, turn.verdict)):
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
