"""What a mail is made of, from the database: its recipient, the match up to the notice's ply, the
turn of a verdict; and what it tells besides what its notice is about: what was said in the match
since the last mail, and what the player has noted. That is decided once, and kept in the notice, so
that a mail that is repeated is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.play import Replayed, read_action
from engine.types import CHANCE, Seat, ToldOutcome
from service.addresses import mailable
from service.clocks.sentences import others_sentence, remaining_sentences, rule_sentences
from service.clocks.spans import instant
from service.context import Context
from service.kinds import where
from service.matches import chat, replays, timekeeping
from service.matches.access import outcome_shown
from service.notices.mail.errors import CannotCompose
from service.notices.mail.message import NAME_LENGTH, one_line, shortened
from service.offers.sentences import ended_words
from service.payloads import ADDED, NAMED, Gathered, Payload, read_as
from service.players import preferences
from service.players.preferences import Preferences
from service.store import addresses, clocks, covering, matches, outbox, players, turns
from service.store import chat as chat_rows
from service.store.addresses import RELEASED
from service.store.chat import Line, Told
from service.store.covering import Because, ByNotice, Reason
from service.store.matches import StoredMatch
from service.store.outbox import Notice
from service.turns import verdicts
from service.turns.types import Verdict

NO_ZONE: Final = "UTC"


@dataclass(frozen=True, slots=True)
class Recipient:
    """The recipient of a mail; ``player_id`` is ``None`` for somebody invited by address."""

    player_id: str | None
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class MatchMaterial:
    """A match as of ``ply``, with what led there from some ply on (``steps``). ``components`` is
    the name of the component set, ``custom`` where the creator supplied it.
    """

    match_id: str
    game: AnyGame
    title: str
    ply: int
    state: Any
    steps: tuple[Replayed, ...]
    components: str
    names: tuple[str, ...]
    player_ids: tuple[str | None, ...]
    creator: str
    commitment: str
    nonces: tuple[str | None, ...]
    nonces_digest: str | None
    secret: str | None
    outcome: ToldOutcome | None
    zone: str = NO_ZONE
    time: tuple[str, ...] = ()
    """What is told of the clocks, in sentences."""
    rule: tuple[str, ...] = ()
    """The rule of the clocks, in sentences; none without a clock."""
    timed_out: tuple[int, ...] = ()
    """How often the time of each seat was up; none without a clock, and before the end."""
    without_result: str = ""
    """Why the match has ended without a result; empty for any other."""
    is_unlisted: bool = False
    """Whether it is shown to nobody without a token of one of its players."""
    join_secret: str | None = None
    """What its join link ends with."""
    is_over: bool = False
    """Whether it had ended by that ply, whatever its state would ask."""
    awaited: tuple[Seat, ...] = ()
    """The seats that the match awaits."""

    def seat_of(self, player_id: str | None) -> Seat | None:
        """The player's seat; ``None`` where they have none."""
        return None if player_id is None or player_id not in self.player_ids else self.player_ids.index(player_id)


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn of so many ``actions``, with its verdict, and the ``refused`` one in notation."""

    actions: int
    verdict: Verdict
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """What a mail tells besides: ``said`` in its match, or by match in a digest; ``note`` of the
    player; ``text_only``: without HTML and pictures.
    """

    said: tuple[Line, ...] = ()
    said_in: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    note: str = ""
    text_only: bool = False


NOTHING: Final = Added()


def reader_of(connection: Connection, notice: Notice) -> Recipient:
    """The player, or the invited address. Raises ``CannotCompose`` where there is neither."""
    if notice.player_id is None:
        if not notice.address:
            raise CannotCompose("The notice is for nobody: it names neither a player nor an address.")
        return Recipient(None, "", mailable(notice.address))
    player = players.find(connection, notice.player_id)
    if player is None:
        raise CannotCompose(f"There is no player {notice.player_id} any more.")
    if player.email.endswith(RELEASED):
        raise CannotCompose(f"Player {notice.player_id} never confirmed an address, which is another player's now.")
    typed = notice.address or addresses.primary_of(connection, player)
    return Recipient(player.id, name_of(player.name), mailable(typed))


def with_names(connection: Connection, told: Payload) -> Payload:
    """What a notice tells, with the names that players have now in place of their ids."""
    ids = {member: player_id for member in NAMED if (player_id := getattr(told, member, ""))}
    names = players.names(connection, set(ids.values()))
    called: dict[str, Any] = {member: name_of(names[player_id]) for member, player_id in ids.items()}
    return replace(told, **called) if called else told


def material_of(
    connection: Connection,
    context: Context,
    match_id: str,
    ply: int | None,
    player_id: str | None,
    since: int | None,
    now: datetime,
) -> MatchMaterial:
    """The match as of ``ply`` (``None``: now), with the steps from ply ``since`` on (``None``:
    since the player's last turn), and what its clocks are ``now``. Raises ``CannotCompose``, and
    ``MatchUnreadable``.
    """
    match = matches.find(connection, match_id)
    if match is None:
        raise CannotCompose(f"There is no match {match_id} any more.")
    if ply is not None and ply > match.ply:
        raise CannotCompose(f"The notice refers to ply {ply}, but the match is only at ply {match.ply}.")
    at = match.ply if ply is None else ply
    game = replays.game_of(match)
    start = since_last_turn(connection, match, player_id, at) if since is None else since
    creator = players.find(connection, match.created_by)
    zone = zone_of(connection, player_id)
    state, is_over = replays.load(connection, context, match, at), match.is_over and at == match.ply
    with replays.ruled(match_id):
        awaited = () if is_over else tuple(seat for seat in game.to_act(state) if seat != CHANCE)
    return MatchMaterial(
        match_id=match_id,
        game=game,
        title=one_line(match.title),
        ply=at,
        state=state,
        steps=tuple(replays.walk(connection, context, match, start, at)),
        components=match.components_name,
        names=tuple(name_of(name) for name in match.names),
        player_ids=tuple(seat.player_id for seat in match.seats),
        creator=name_of(creator.name) if creator else "Somebody",
        commitment=match.commitment,
        nonces=tuple(seat.nonce for seat in match.seats),
        nonces_digest=replays.digest_of(match),
        secret=match.secret.hex() if match.is_over else None,
        outcome=outcome_shown(match) if match.is_over else None,
        zone=zone,
        time=time_told(connection, match, player_id, zone, now),
        rule=rule_told(match),
        timed_out=timed_out(connection, match) if match.is_over else (),
        without_result=ended_words(match) if match.is_over else "",
        is_unlisted=match.unlisted,
        join_secret=match.join_secret,
        is_over=is_over,
        awaited=awaited,
    )


def since_last_turn(connection: Connection, match: StoredMatch, player_id: str | None, ply: int) -> int:
    """The ply of the first entry of another seat after the player's last turn, up to ``ply``; 0
    where the player has had no turn, ``ply`` where they have no seat.

    Draws right after that turn belong to it, and have been narrated to the player.
    """
    seat = match.seat_of(player_id)
    if seat is None:
        return ply
    own = matches.last_entry_of(connection, match.id, seat, ply)
    return 0 if own is None else matches.next_entry_of_a_seat(connection, match.id, own + 1, ply)


def judged_turn_of(connection: Connection, context: Context, turn_id: str) -> JudgedTurn:
    """A turn with its verdict. Raises ``CannotCompose``."""
    turn = turns.find(connection, turn_id)
    match = None if turn is None else matches.find(connection, turn.match_id)
    verdict = None if turn is None or match is None else verdicts.read(connection, context, match, turn)
    if turn is None or match is None or verdict is None:
        raise CannotCompose(f"There is no verdict on turn {turn_id}.")
    actions = turn.document.get("actions") or ()
    at = verdict.violation.action_index if verdict.violation else None
    game = replays.game_of(match)
    refused = ""
    if at is not None and at < len(actions):
        with suppress(replays.RulesFail), replays.ruled(match.id):
            refused = game.format(read_action(game, turn.seat, actions[at]))
    return JudgedTurn(len(actions), verdict, refused)


def name_of(text: str) -> str:
    """A player's name as shown in a mail."""
    return shortened(one_line(text), NAME_LENGTH) or "Nameless"


def zone_of(connection: Connection, player_id: str | None) -> str:
    """The time zone of a player; UTC for somebody who has no account yet."""
    return NO_ZONE if player_id is None else preferences.effective(connection, player_id).time_zone


def rule_told(match: StoredMatch) -> tuple[str, ...]:
    """The rule of the clocks, in sentences; none for a match without a clock."""
    rule = timekeeping.rule_of(match)
    return () if rule is None else rule_sentences(rule)


def timed_out(connection: Connection, match: StoredMatch) -> tuple[int, ...]:
    """How often the time of each seat was up; none for a match without a clock."""
    if match.clock is None:
        return ()
    late = clocks.timed_out(connection, [match.id])
    return tuple(late.get((match.id, seat.seat), 0) for seat in match.seats)


def time_told(
    connection: Connection, match: StoredMatch, player_id: str | None, zone: str, now: datetime
) -> tuple[str, ...]:
    """The rule before the match starts; then what is left of the player's clock, or while it does
    not run, until when those have time for whom the match waits. Nothing in a match without a
    clock.
    """
    seat = match.seat_of(player_id)
    if match.status == "open" or seat is None:
        return rule_told(match)
    times = timekeeping.times_of(connection, [match], now).get(match.id, ()) if match.status == "running" else ()
    if not times:
        return ()
    left = [time.remaining(instant(now)) for time in times]
    others = [others_sentence(match.names[other], left[other], zone) for other in range(len(left)) if other != seat]
    return remaining_sentences(left[seat], zone) or tuple(each for each in others if each)


def complete(connection: Connection, notices: Sequence[Notice]) -> tuple[tuple[Notice, ...], int]:
    """Adds to notices that are going to be sent what their mails tell besides, where that was not
    decided before. One of what was said is covered where another of them tells it. Returns those to
    be sent, and how many were covered.
    """
    send, covered = list[Notice](), 0
    for notice in notices:
        if notice.player_id is None or ADDED in notice.payload:
            send.append(notice)
            continue
        wanted = preferences.effective(connection, notice.player_id, notice.match_id)
        added = _additions(connection, notice, notice.player_id, wanted)
        if notice.kind in where(covered_when="said") and "chat" not in added:
            reason = told_already(connection, notice) or Because.BLOCKED
            covered += covering.cover(connection, [notice.id], reason)
        elif added:
            send.append(replace(notice, payload={**notice.payload, ADDED: added}))
            outbox.set_payload(connection, notice.id, send[-1].payload)
        else:
            send.append(notice)
    return tuple(send), covered


def told_already(connection: Connection, notice: Notice) -> Reason | None:
    """Why to cover a notice of what was said; ``None`` where there is something to tell."""
    if ADDED in notice.payload or notice.match_id is None or notice.player_id is None:
        return None
    if not chat.hears(connection, notice.match_id, notice.player_id):
        return Because.HANDED_OVER
    told = chat_rows.lock_told(connection, notice.match_id, notice.player_id)
    latest = chat_rows.latest(connection, notice.match_id)
    if chat.unheard(connection, notice.match_id, notice.player_id, told.number, latest):
        return None
    return ByNotice(told.notice_id) if told.number else Because.BLOCKED


def _additions(connection: Connection, notice: Notice, player_id: str, wanted: Preferences) -> dict[str, Any]:
    added: dict[str, Any] = {"text_only": True} if wanted.text_only else {}
    if notice.kind == "digest":
        places = [place.match for place in read_as(Gathered, notice.payload).matches]
        wants = [match_id for match_id in places if preferences.effective(connection, player_id, match_id).chat]
        told = {match_id: _told_by(connection, notice, match_id, player_id) for match_id in wants}
        said = {match_id: lines for match_id, lines in told.items() if lines is not None}
        return added | ({"chats": said} if said else {})
    if notice.match_id is None:
        return added
    if notice.kind in where(tells_chat=True) and wanted.chat:
        lines = _told_by(connection, notice, notice.match_id, player_id)
        added |= {} if lines is None else {"chat": lines}
    if notice.kind in where(tells_note=True) and (
        note := chat_rows.find_note(connection, notice.match_id, player_id).text
    ):
        added["note"] = note
    return added


def _told_by(connection: Connection, notice: Notice, match_id: str, player_id: str) -> list[int] | None:
    """The numbers after which and up to which a mail tells what was said, now recorded, if any."""
    latest = chat_rows.latest(connection, match_id)
    if latest == 0 or not chat.hears(connection, match_id, player_id):
        return None
    told = chat_rows.lock_told(connection, match_id, player_id)
    if latest == told.number or not chat.unheard(connection, match_id, player_id, told.number, latest):
        return None
    chat_rows.tell(connection, match_id, player_id, Told(latest, notice.id))
    return [told.number, latest]


def added_to(connection: Connection, notice: Notice) -> Added:
    """What the mail of a notice tells besides."""
    kept: Mapping[str, Any] = notice.payload.get(ADDED, {})
    said: tuple[Line, ...] = ()
    said_in: dict[str, tuple[Line, ...]] = {}
    if notice.player_id is not None:
        if notice.match_id is not None and "chat" in kept:
            said = chat.unheard(connection, notice.match_id, notice.player_id, *kept["chat"])
        for match_id, (after, up_to) in kept.get("chats", {}).items():
            said_in[match_id] = chat.unheard(connection, match_id, notice.player_id, after, up_to)
    return Added(said, said_in, kept.get("note", ""), kept.get("text_only", False))
