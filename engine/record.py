"""A match as one file: headers, log, commitment and revealed secret, comparable to PGN for chess.

Anyone can verify a finished record offline: secret and terms match the commitment, entries are
legal, draws follow from secret, nonces and ply, the outcome from the log. Who noted the commitment
before the match and the digest of the nonces at its start knows that neither was exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine import draws, play, registry
from engine.documents import About, from_document, to_document
from engine.errors import DocumentError, RecordError, UnknownGame
from engine.game import AnyGame
from engine.play import Draw, IllegalAction, check_drawn, conceded, ended_early, ends_with, read_action, walk
from engine.types import CHANCE, Ending, Entry, Outcome, Seat, Setup
from engine.wording import either

FORMAT: Final = "overland-record/1"
Find: TypeAlias = Callable[[str, int], AnyGame]
"""The game of a name and version; raises ``UnknownGame``, ``UnknownVersion``."""
NOT_COVERED: Final = ("the players' names", "started_at", "finished_at")
"""The parts of a record that verification cannot check."""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One entry of the log: the seat (-1 for chance) and the action's document, ``None`` while it
    is concealed.
    """

    seat: Annotated[int, About("Who acted; -1 is chance.", minimum=-1)]
    action: Annotated[Mapping[str, Any] | None, About("The action; `null` while it is concealed.")]


@dataclass(frozen=True, slots=True)
class Resignation:
    """A seat resigned; from then on a bot played for it, or the match ended."""

    seat: Annotated[int, About("The seat that resigned.", minimum=0)]
    ply: Annotated[int, About("How many entries the log had.", minimum=0)]


StopKind: TypeAlias = Literal["days_off", "pause", "quiet", "weekend", "outage"]
"""What stops a clock, such as quiet hours of the player, or an outage of the service."""
StepKind: TypeAlias = Literal[
    "begun",
    "turn",
    "time_up_bot_turn",
    "time_up_bot_hold",
    "time_up_bot_seat",
    "time_up_resign",
    "resigned",
    "back",
    "extended",
    "handed",
    "over",
]
"""``begun`` is the deal; ``time_up_bot_turn``: a bot plays the turn, as time and reserve were up;
``time_up_bot_hold``: it does, and holds the seat from then on; ``time_up_bot_seat``: it has the
seat for good; ``back``: the player takes the seat back from the bot; ``handed``: another player has
the seat from then on; ``over``: the match ended otherwise than by a turn.
"""


@dataclass(frozen=True, slots=True)
class RecordedStop:
    """A span of time in UTC, half-open, in which a clock was stopped, and what kind of thing
    stopped it.
    """

    kind: Annotated[StopKind, About("What stopped the clock.")]
    start: Annotated[str, About("Since when, in UTC.")]
    end: Annotated[str, About("Until when, in UTC.")]


@dataclass(frozen=True, slots=True)
class RecordedMark:
    """The seats that a state awaits, and whose turn it is, where others decide within it."""

    awaited: Annotated[tuple[int, ...], About("The seats that are awaited; none where the match is over.")]
    turn_of: Annotated[int | None, About("Whose turn it is, where others decide within it; otherwise `null`.")]


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step of the clocks."""

    kind: Annotated[StepKind, About("What happened.")]
    seat: Annotated[int | None, About("To which seat; `null` where it concerns all.")]
    ply: Annotated[int, About("The ply of the match after it.", minimum=0)]
    counts_at: Annotated[str, About("When it counts, in UTC.")]
    at: Annotated[str, About("When it was written, in UTC.")]
    seconds: Annotated[int, About("The seconds of an extension; otherwise 0.", minimum=0)] = 0
    stops: Annotated[
        Mapping[str, tuple[RecordedStop, ...]], About("What stopped each clock whose run it ended, by seat.")
    ] = field(default_factory=dict)
    not_before: Annotated[
        str | None,
        About(
            "Two hours of the clock after an outage, where time was up then and would have been earlier without that;"
            " otherwise `null`."
        ),
    ] = None
    states: Annotated[
        tuple[RecordedMark, ...],
        About(
            "Those that it led to, in order, without those in which something is drawn; one that awaits nobody is the"
            " end."
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class Handover:
    """That a player handed their seat to another."""

    seat: Annotated[int, About("The seat that was handed over.", minimum=0)]
    ply: Annotated[int, About("How many entries the log had.", minimum=0)]
    at: Annotated[str, About("When, in UTC.")]
    by: Annotated[str, About("The name of who had it until then.")]
    to: Annotated[str, About("The name of who has had it since.")]


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """That the match was ended where its log ends, before its rules ended it."""

    how: Annotated[Ending, About("How it was ended.")]
    seats: Annotated[tuple[int, ...], About("The seats that agreed on it, or that asked for it if it was `abandoned`.")]
    absent: Annotated[tuple[int, ...], About("If it was `abandoned`: seats that were away by the host's word.")] = ()


@dataclass(frozen=True, slots=True)
class RecordedClock:
    """The clocks of a match: their rule and all steps."""

    rule: Annotated[Mapping[str, Any], About("The rule of the clocks.")]
    steps: Annotated[tuple[RecordedStep, ...], About("All steps, in order.")]


@dataclass(frozen=True, slots=True)
class Record:
    """A match as one file."""

    format: Annotated[Literal["overland-record/1"], About("The format of the file.")]
    scheme: Annotated[Literal["overland/1"], About("How the draws are made.")]
    match: Annotated[str, About("The id of the match.")]
    game: Annotated[str, About("The name of the game.")]
    rules_version: Annotated[int, About("The version of the rules that it was played with.")]
    players: Annotated[tuple[str, ...], About("The names of those who have the seats, at the end.")]
    options: Annotated[Mapping[str, Any], About("All options of the match.")]
    components: Annotated[Mapping[str, Any], About("The whole component set.")]
    commitment: Annotated[str, About("What the service committed to before anyone sat down.")]
    nonces: Annotated[tuple[str, ...], About("The nonce of every seat.")]
    nonces_digest: Annotated[str | None, About("The digest that was shown at the start.")]
    log: Annotated[tuple[LoggedAction, ...], About("Every entry, from the first.")]
    secret: Annotated[str | None, About("The secret of the draws, hexadecimal; `null` until the match is over.")] = None
    started_at: Annotated[str | None, About("When the match started, in UTC.")] = None
    finished_at: Annotated[str | None, About("When it ended, in UTC; `null` until then.")] = None
    outcome: Annotated[Outcome | None, About("How it ended; `null` until then, and where it was called off.")] = None
    resignations: Annotated[tuple[Resignation, ...], About("Who resigned, in order.")] = ()
    clock: Annotated[RecordedClock | None, About("The clocks; left out of a match without clocks.")] = None
    bots: Annotated[
        Mapping[str, str],
        About("The levels of the bots that had seats from the start, by seat; left out if there are none."),
    ] = field(default_factory=dict)
    early_end: Annotated[EarlyEnd | None, About("That it was ended before its rules ended it; otherwise left out.")] = (
        None
    )
    handovers: Annotated[
        tuple[Handover, ...], About("The seats that were handed to others, in order; left out if there are none.")
    ] = ()


LEFT_OUT: Final = ("clock", "bots", "early_end", "handovers")
"""The parts that are left out of the document of a record that has none."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a successful verification; a match that was called off has no outcome. ``made``
    are the seats whose nonce the service made from the secret.
    """

    plies: int
    draws: int
    game: str
    seats: int
    outcome: Outcome | None
    nonces_digest: str
    made: tuple[int, ...]


def opened_record(
    game: AnyGame,
    match: str,
    setup: Setup,
    components: Mapping[str, Any],
    players: tuple[str, ...],
    secret: bytes,
    nonces: tuple[str, ...],
) -> Record:
    """The record of a match without an entry; ``components`` is the document of its set."""
    name, version, options = game.info.name, game.info.rules_version, to_document(setup.options)
    committed = draws.commitment(secret, draws.terms(match, name, version, setup.seats, options, components))
    digest = draws.nonces_digest(match, committed, nonces)
    return Record(
        FORMAT, draws.SCHEME, match, name, version, players, options, components, committed, nonces, digest, log=()
    )


def read_record(document: Mapping[str, Any]) -> Record:
    """The record of a JSON document; raises ``DocumentError``."""
    return from_document(Record, document)


def write_record(record: Record) -> dict[str, Any]:
    """The record as a JSON document."""
    document: dict[str, Any] = to_document(record)
    return {name: value for name, value in document.items() if value or name not in LEFT_OUT}


def bots_of(record: Record) -> frozenset[Seat]:
    """The seats that bots had from the start. Raises ``RecordError`` for any other, or for all."""
    known = {str(seat): seat for seat in range(len(record.players))}
    if not set(record.bots) <= set(known) or len(record.bots) == len(known):
        raise RecordError(f"Bots are said to have had the seats {', '.join(record.bots)} of {len(known)}.")
    return frozenset(known[seat] for seat in record.bots)


def names_at(players: Sequence[str], handovers: Sequence[Handover], ply: int) -> tuple[str, ...]:
    """Who had the seats when the entry at ``ply`` was made; ``players`` have them now."""
    names = list(players)
    for handover in reversed(handovers):
        if ply < handover.ply:
            names[handover.seat] = handover.by
    return tuple(names)


def terms_of(record: Record) -> str:
    """The text that the commitment of the record covers beside the secret."""
    return draws.terms(
        record.match, record.game, record.rules_version, len(record.players), record.options, record.components
    )


def digest_of(record: Record) -> str:
    """The digest of the nonces, computed from the record's headers."""
    return draws.nonces_digest(record.match, record.commitment, record.nonces)


def setup_of(record: Record, find: Find = registry.game) -> tuple[AnyGame, Setup]:
    """The game and the setup that the headers of a record describe; raises ``RecordError``."""
    try:
        game = find(record.game, record.rules_version)
        options: Any = from_document(game.options, record.options, "/options")
        components = game.load_components(record.components)
    except (UnknownGame, DocumentError) as error:
        raise RecordError(f"The headers do not describe a match: {error}") from error
    if len(record.players) not in game.info.seats:
        raise RecordError(
            f"{game.info.title} is for {either(map(str, game.info.seats))} players, not {len(record.players)}."
        )
    return game, Setup(len(record.players), options, components)


def verify(record: Record, find: Find = registry.game) -> Verified:
    """Checks a finished record. Raises ``RecordError`` with what fails and at which ply."""
    game, setup = setup_of(record, find)
    secret = _proven_secret(record)
    draw = draws.drawing(secret, record.match, record.commitment, record.nonces)
    state = _replayed(game, game.setup(setup), record, draw)
    _check_handovers(record)
    return Verified(
        plies=len(record.log),
        draws=sum(1 for logged in record.log if logged.seat == CHANCE),
        game=game.info.title,
        seats=setup.seats,
        outcome=_proven_outcome(game, record, state),
        nonces_digest=digest_of(record),
        made=_made(record, secret),
    )


def check_noted(record: Record, committed: str | None, nonces: str | None) -> None:
    """Compares a record with what a player noted of the commitment and of the digest of the nonces,
    ``None`` for what was not. Raises ``RecordError``.
    """
    if committed is not None and committed != record.commitment:
        raise RecordError(
            f"The commitment is not the one you noted: you have {committed}, the record has {record.commitment}. The"
            " secret, or what it was committed with, was exchanged."
        )
    if nonces is not None and nonces != digest_of(record):
        raise RecordError(
            f"The nonces are not those of the start: the digest you noted is {nonces}, that of the record is"
            f" {digest_of(record)}. A nonce or the commitment was exchanged after the match had started."
        )


def states_of(record: Record) -> tuple[AnyGame, tuple[Any, ...]]:
    """The game, and the states at all plies of a verified log. Raises ``RecordError``."""
    game, setup = setup_of(record)
    begun = game.setup(setup)
    return game, (begun, *(step.after for step in walk(game, begun, 0, _entries(game, record), None)))


def _made(record: Record, secret: bytes) -> tuple[int, ...]:
    return tuple(
        seat for seat, nonce in enumerate(record.nonces) if nonce == draws.made_nonce(secret, record.match, seat)
    )


def _entries(game: AnyGame, record: Record) -> Iterator[Entry[Any]]:
    for ply, logged in enumerate(record.log):
        if logged.action is None:
            raise RecordError(f"Ply {ply} is concealed: the match was still running when this record was written.", ply)
        try:
            yield Entry(logged.seat, read_action(game, logged.seat, logged.action))
        except DocumentError as error:
            raise RecordError(f"Ply {ply} is not an action of {game.info.title}: {error}", ply) from error


def _proven_secret(record: Record) -> bytes:
    """The secret, once it, the match id and the nonces are checked. Raises ``RecordError``."""
    if record.secret is None:
        raise RecordError("The secret is not revealed: the match was still running when this record was written.")
    if not re.fullmatch(f"[0-9a-f]{{{2 * draws.SECRET_BYTES}}}", record.secret):
        raise RecordError(f"The secret is not {draws.SECRET_BYTES} bytes in lower-case hexadecimal.")
    if not draws.is_match_id(record.match):
        raise RecordError(f"The match {record.match!r} is not an id of letters, digits, '_' and '-'.")
    secret = bytes.fromhex(record.secret)
    if draws.commitment(secret, terms_of(record)) != record.commitment:
        raise RecordError(
            "The commitment does not match: the secret, or what it was committed with (match, game, rules_version,"
            " number of players, options, components), is not the one the match was opened with."
        )
    if len(record.nonces) != len(record.players):
        raise RecordError(f"There is a nonce for each seat, {len(record.players)} in all, not {len(record.nonces)}.")
    for seat, nonce in enumerate(record.nonces):
        if not draws.is_nonce(nonce):
            raise RecordError(
                f"The nonces have {nonce!r} for seat {seat}: a nonce is 8 to 64 letters, digits, '_' and '-'."
            )
    if record.nonces_digest != digest_of(record):
        raise RecordError(
            f"The digest of the nonces is not the one that follows from them: the record says {record.nonces_digest},"
            f" it gives {digest_of(record)}."
        )
    return secret


def _replayed(game: AnyGame, state: Any, record: Record, draw: Draw) -> Any:
    """The state after the log; raises ``RecordError`` with the ply of the first illegal entry."""
    try:
        for step in walk(game, state, 0, _entries(game, record), check_drawn(draw)):
            state = step.after
    except IllegalAction as error:
        raise RecordError(str(error), error.ply) from error
    return state


def _proven_outcome(game: AnyGame, record: Record, state: Any) -> Outcome | None:
    _check_resignations(record)
    _check_early_end(record)
    resigned = tuple(resignation.seat for resignation in record.resignations)
    outcome = play.outcome(game, state, len(record.log))
    conceding = ends_with(len(record.players), resigned, bots_of(record))
    if record.early_end is not None:
        if outcome is not None or conceding:
            raise RecordError("The match is said to have been ended early, but was over before.")
        outcome = ended_early(game, state, record.early_end.how, record.early_end.seats, resigned)
    elif outcome is None:
        if not conceding:
            raise RecordError("The log ends before the match does.", len(record.log))
        if record.resignations[-1].ply != len(record.log):
            raise RecordError(
                f"The resignations end the match at ply {record.resignations[-1].ply}, but the log has"
                f" {len(record.log)} entries."
            )
        outcome = conceded(game, state, resigned)
    elif conceding:
        raise RecordError("The resignations would have ended the match before its log does.")
    if outcome != record.outcome:
        gives = "none" if outcome is None else to_document(outcome)
        raise RecordError(f"The outcome does not follow from the log: it gives {gives}.")
    return outcome


def _check_resignations(record: Record) -> None:
    seats = [resignation.seat for resignation in record.resignations]
    plies = [resignation.ply for resignation in record.resignations]
    if len(set(seats)) != len(seats) or not set(seats) <= set(range(len(record.players))):
        raise RecordError(f"The resignations name the seats {seats}: each seat of the match can resign at most once.")
    if plies != sorted(plies) or any(not 0 <= ply <= len(record.log) for ply in plies):
        raise RecordError(f"The resignations are at the plies {plies}: they have to be in order and within the log.")
    if bots_of(record).intersection(seats):
        raise RecordError(f"The resignations name the seats {seats}: a bot's seat cannot resign.")
    if len(seats) >= max(2, len(record.players)):
        raise RecordError("The resignations name every seat: the last one left has won and cannot resign.")


def _check_handovers(record: Record) -> None:
    plies = [0, *(handover.ply for handover in record.handovers), len(record.log)]
    known = all(0 <= handover.seat < len(record.players) for handover in record.handovers)
    if plies != sorted(plies) or not known:
        raise RecordError("Seats are said to have been handed over that there are not, or at plies out of order.")
    names = list(names_at(record.players, record.handovers, -1))
    for handover in record.handovers:
        if names[handover.seat] != handover.by:
            raise RecordError(f"{handover.by} is said to have handed over seat {handover.seat}, which was another's.")
        names[handover.seat] = handover.to
    if tuple(names) != record.players:
        raise RecordError(f"By what was handed over {', '.join(names)} have the seats, by the record others.")


def _check_early_end(record: Record) -> None:
    """Checks that everybody who had a seat had agreed on the end or, where the match was abandoned,
    that bots held the seats of all others, or their players were away by the word of the host; for
    how long, is a matter of the clocks.
    """
    if record.early_end is None:
        return
    seats, owners = record.early_end.seats, _owners(record)
    if not seats or list(seats) != sorted(set(seats)) or not owners.issuperset(seats):
        raise RecordError(
            f"The seats {list(seats)} are said to have ended the match: these have to be, in order, seats of people"
            " who had not resigned."
        )
    silent = owners.difference(seats)
    if record.early_end.how != "abandoned":
        if silent:
            raise RecordError(f"The match was ended without the word of the players of the seats {sorted(silent)}.")
    elif not silent or not silent <= _held(record).union(record.early_end.absent):
        raise RecordError(
            f"The match is said to have been abandoned by the seats {sorted(silent)}: by the steps of the clocks a bot"
            " has to have held each seat that did not ask for the end."
        )


def _owners(record: Record) -> set[Seat]:
    """The seats of people at the end who had neither resigned nor lost their seat for good."""
    resigned = {resignation.seat for resignation in record.resignations}
    steps = () if record.clock is None else record.clock.steps
    replaced = {step.seat for step in steps if step.kind == "time_up_bot_seat"}
    return {seat for seat in range(len(record.players)) if seat not in resigned | replaced | bots_of(record)}


def _held(record: Record) -> set[Seat]:
    """The seats that bots held when the match ended, until their players came back."""
    held = set()
    for step in () if record.clock is None else record.clock.steps:
        if step.seat is not None and step.kind == "time_up_bot_hold":
            held.add(step.seat)
        elif step.seat is not None and step.kind == "back":
            held.discard(step.seat)
    return held
