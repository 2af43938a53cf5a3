"""Reads the data of a mail from the database: the recipient, and the match up to the notice's
ply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from service.matches import replays, timekeeping
from service.matches.access import outcome_shown
from service.notices.mail.errors import CannotCompose
from service.notices.mail.message import NAME_LENGTH, one_line, shortened
from service.offers.sentences import ended_words
from service.payloads import NAMED, Payload
from service.players import preferences
from service.store import addresses, clocks, matches, players, turns
from service.store.addresses import RELEASED
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
    """A match as of ``ply``, in ``state``: ``names`` and ``player_ids`` by seat, ``steps`` to be
    narrated to the reader, up to that ply.

    ``components`` is the name of the component set, ``custom`` where the match's creator supplied
    it; ``nonces_digest`` is set once the match has started.
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

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that the match awaits."""
        return () if self.is_over else tuple(seat for seat in self.game.to_act(self.state) if seat != CHANCE)

    def seat_of(self, player_id: str | None) -> Seat | None:
        """The player's seat; ``None`` where they have none."""
        return None if player_id is None or player_id not in self.player_ids else self.player_ids.index(player_id)


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn of ``actions`` submitted actions, with its verdict; ``refused`` is the refused one in
    notation, empty where none was.
    """

    actions: int
    verdict: Verdict
    refused: str = ""


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
    now: datetime | None = None,
) -> MatchMaterial:
    """The match as of ``ply`` (``None``: now), with the steps from ply ``since`` on (``None``:
    since the player's last turn), and what its clocks are ``now``, where that is told.

    Secret and outcome are set once it is finished. Raises ``CannotCompose``.
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
    return MatchMaterial(
        match_id=match_id,
        game=game,
        title=one_line(match.title),
        ply=at,
        state=replays.load(connection, context, match, at),
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
        time=() if now is None else time_told(connection, match, player_id, zone, now),
        rule=rule_told(match),
        timed_out=timed_out(connection, match) if match.is_over else (),
        without_result=ended_words(match) if match.is_over else "",
        is_unlisted=match.unlisted,
        join_secret=match.join_secret,
        is_over=match.is_over and at == match.ply,
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
    refused = "" if at is None or at >= len(actions) else game.format(read_action(game, turn.seat, actions[at]))
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
    """The sentences for a player: the rule before the match starts; then what is left of their
    clock, or while it does not run, until when the others have time for whom the match waits. None
    for a match without a clock.
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
