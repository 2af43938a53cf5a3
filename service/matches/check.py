"""Checks stored matches against the installed rules, so that a faulty change is found before it is
deployed: logs are replayed, with every entry judged and every draw recomputed, and the rows are
compared with the result.

A difference never contains what is concealed from a player: the match may be running, and the
reader of the report may be one of its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy.exc import SQLAlchemyError

from engine import play
from engine.documents import from_document, to_document
from engine.draws import commitment, digest, terms
from engine.errors import DocumentError
from engine.game import AnyGame
from engine.play import IllegalAction, WrongDraw, check_drawn, conceded, ended_early, ends_with, read_action, walk
from engine.record import EarlyEnd
from engine.types import CHANCE, Entry, Setup
from service.errors import Conflict
from service.matches import mending, replays
from service.store import matches as rows
from service.store.database import Database
from service.store.matches import StoredEntry, StoredMatch

Code: TypeAlias = Literal[
    "rules_version_missing", "setup", "commitment", "ply", "entry", "draw", "fault", "invariant", "to_act", "outcome"
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that does not fit; ``ply`` is where the replay failed, for a fault in the log."""

    code: Code
    message: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A match and all its differences; ``plies`` is the number of entries in its log."""

    match_id: str
    game: str
    rules_version: int
    status: str
    plies: int
    differences: tuple[Difference, ...]
    unreadable: bool = False
    """Whether the service has marked the match, because it could not replay its log."""


class _Differs(Exception):
    """Raised where the replay cannot continue."""

    def __init__(self, code: Code, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.difference = Difference(code, message, ply)


def check(database: Database, match_id: str) -> Checked | None:
    """Checks one match; gives ``None`` where there is none of that id."""
    with database.read() as connection:
        match = rows.find(connection, match_id)
        if match is None:
            return None
        components, log = rows.components(connection, match_id), rows.log(connection, match_id, 0, _END)
    found, unreadable = tuple(_differences(match, components, log)), match.unreadable_at is not None
    return Checked(match.id, match.game, match.rules_version, match.status, len(log), found, unreadable)


def wake_if_mended(database: Database, checked: Checked, now: datetime) -> bool:
    """Lets a match go on that was marked as unreadable and is mended. Returns whether it does."""
    if not checked.unreadable or any(each.code == "fault" for each in checked.differences):
        return False
    with database.write() as connection:
        match = rows.lock(connection, checked.match_id)
        if match is None or match.unreadable_at is None:
            return False
        try:
            replays.rebuilt(connection, match)
        except SQLAlchemyError:
            raise
        except Exception:
            return False
        mending.wake(connection, match, now)
    return True


_END = 2**31 - 1
"""Beyond the last ply of any match, so that entries beyond the match's own count are found too."""


def _differences(match: StoredMatch, components: Mapping[str, Any], log: Sequence[StoredEntry]) -> Iterator[Difference]:
    try:
        game = replays.game_of(match)
        setup = _setup(game, match, components)
        yield from _count(match, log)
        state = _replayed(game, setup, match, log)
    except Conflict as error:
        yield Difference("rules_version_missing", error.message)
    except _Differs as error:
        yield error.difference
    else:
        for looks in (_invariants, _awaited, _outcome):
            try:
                yield from looks(game, state, match)
            except Exception as error:
                yield Difference("fault", f"Its rules fail at its last ply with {type(error).__name__}.", match.ply)


def _setup(game: AnyGame, match: StoredMatch, components: Mapping[str, Any]) -> Setup:
    try:
        options: Any = from_document(game.options, match.options, "/options")
        setup = Setup(len(match.seats), options, game.load_components(components))
    except Exception as error:
        sentence = f"Its options or components are not what {game.info.title} is played with: {error}"
        raise _Differs("setup", sentence) from error
    promised = terms(match.id, match.game, match.rules_version, len(match.seats), match.options, components)
    if commitment(match.secret, promised) != match.commitment or digest(components) != match.components_digest:
        sentence = "Its commitment does not cover the secret, the rules and the components that are stored with it."
        raise _Differs("commitment", sentence)
    return setup


def _count(match: StoredMatch, log: Sequence[StoredEntry]) -> Iterator[Difference]:
    plies = [entry.ply for entry in log]
    if plies != list(range(len(plies))):
        missing = next(ply for ply, found in enumerate(plies) if ply != found)
        raise _Differs("ply", f"The entry at ply {missing} is missing from its log.", missing)
    if len(plies) != match.ply:
        yield Difference("ply", f"Its log has {len(plies)} entries, its row says {match.ply}.")


def _replayed(game: AnyGame, setup: Setup, match: StoredMatch, log: Sequence[StoredEntry]) -> Any:
    """The state after the log. Raises ``_Differs`` for any failure on the way."""
    ply = 0
    try:
        state = game.setup(setup)
        entries = (Entry(entry.seat, read_action(game, entry.seat, entry.action)) for entry in log)
        for step in walk(game, state, 0, entries, check_drawn(replays.draw_of(match)) if log else None):
            state, ply = step.after, step.ply + 1
    except DocumentError as error:
        raise _Differs("entry", f"The entry at ply {ply} is not an action of {game.info.title}.", ply) from error
    except IllegalAction as error:
        raise _refused(log[ply], error) from error
    except Exception as error:
        raise _Differs("fault", f"The replay fails at ply {ply} with {type(error).__name__}.", ply) from error
    return state


def _refused(entry: StoredEntry, error: IllegalAction) -> _Differs:
    """The difference for an entry that is not legal; of its content it names only the type."""
    ply, kind, violation = entry.ply, entry.action["type"], error.violation
    if isinstance(error, WrongDraw):
        return _Differs("draw", f"The draw at ply {ply} ({kind}) is not the one that the secret gives.", ply)
    if violation is None:
        return _Differs("entry", f"Chance did something at ply {ply} ({kind}), where it is not its turn.", ply)
    rule = f" by rule {violation.rule}" if violation.rule else ""
    sentence = f"What seat {entry.seat} did at ply {ply} ({kind}) is refused{rule}: {violation.code}."
    return _Differs("entry", sentence, ply)


def _invariants(game: AnyGame, state: Any, match: StoredMatch) -> Iterator[Difference]:
    return (Difference("invariant", sentence) for sentence in game.check(state))


def _awaited(game: AnyGame, state: Any, match: StoredMatch) -> Iterator[Difference]:
    said = [seat.seat for seat in match.seats if seat.to_act]
    is_over = play.outcome(game, state, match.ply) is not None
    due = list(game.to_act(state)) if match.is_on and not is_over else []
    if due != said:
        yield Difference("to_act", f"The rules await {_seats(due)}, its rows {_seats(said)}.")


def _outcome(game: AnyGame, state: Any, match: StoredMatch) -> Iterator[Difference]:
    gone = [seat.seat for seat in match.resigned]
    if match.started_at is None:
        return
    outcome, without = play.outcome(game, state, match.ply), False
    if outcome is None and match.early_end is not None:
        end: EarlyEnd = from_document(EarlyEnd, match.early_end)
        outcome = ended_early(game, state, end.how, end.seats, gone)
        without = outcome is None
    if outcome is None and ends_with(len(match.seats), gone, match.bots):
        outcome = conceded(game, state, gone)
    due = "cancelled" if without else "running" if outcome is None else "finished"
    if match.status != due and not (due == "running" and match.is_on):
        yield Difference("outcome", f"By the rules the match is {due}, by its row it is {match.status}.")
    elif outcome is not None and to_document(outcome) != match.outcome:
        yield Difference("outcome", "The outcome that the log gives is not the one in its row.")


def _seats(seats: Sequence[int]) -> str:
    return " and ".join("chance" if seat == CHANCE else f"seat {seat}" for seat in seats) or "nobody"
