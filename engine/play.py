"""The driver: plays any game that implements the contract.

1. ``begin`` makes the first state and lets chance act until a seat is awaited.
2. ``adjudicate`` judges one turn: each action in order, chance in between, up to the first
   violation.
3. ``walk`` replays a log entry by entry, with or without checks; every replay uses it.
4. ``still_fresh`` says whether a turn may be judged at a later ply than the one it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from engine import sentences
from engine.documents import from_document, quoted, to_document
from engine.errors import DocumentError, EngineError
from engine.game import MOST_PLIES, AnyGame
from engine.types import (
    CHANCE,
    Ending,
    Entry,
    Outcome,
    Problem,
    Seat,
    Setup,
    Statement,
    VerdictStatus,
    Viewer,
    Violation,
)

Draw: TypeAlias = Callable[[int, int], int]
"""The source of draws: takes a ply and the total weight, gives a number from 0 to total - 1."""

EntryCheck: TypeAlias = Callable[[AnyGame, int, Any, Entry[Any]], None]
"""A check of one entry: takes game, ply, state before and entry; raises if it does not fit."""


class IllegalAction(EngineError):
    """An illegal action at ``ply`` of a log; ``violation`` says why, ``None`` for chance."""

    code = "illegal_action"

    def __init__(self, message: str, ply: int, violation: Violation | None = None) -> None:
        super().__init__(message)
        self.ply = ply
        self.violation = violation


class WrongDraw(IllegalAction):
    """A draw in a replayed log that differs from the one computed from secret, nonces and ply."""

    code = "wrong_draw"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a turn.

    ``entries`` are to be appended to the log, the first at the ply where the turn was judged.
    ``state`` is the state after all of them, ``states`` has the state after each. ``accepted``
    counts the accepted actions. ``violation`` is ``None`` if all were accepted, else it says why
    the action at index ``failed`` (0-based) was refused. The actions from index ``accepted`` to
    ``failed`` - 1 were legal but were dropped with it.
    """

    entries: tuple[Entry[Any], ...]
    state: Any
    accepted: int
    failed: int | None = None
    violation: Violation | None = None
    states: tuple[Any, ...] = ()

    @property
    def verdict(self) -> VerdictStatus:
        """The verdict as the API names it."""
        if self.violation is None:
            return "accepted"
        return "partly_accepted" if self.entries else "rejected"


def begin(game: AnyGame, setup: Setup, draw: Draw) -> tuple[Any, tuple[Entry[Any], ...]]:
    """The state in which a seat is awaited first, and the entries of chance that lead to it."""
    return settle(game, game.setup(setup), 0, draw)


def settle(game: AnyGame, state: Any, ply: int, draw: Draw) -> tuple[Any, tuple[Entry[Any], ...]]:
    """Lets chance act until a seat is awaited or the match is over: that state, the entries."""
    entries: list[Entry[Any]] = []
    while game.to_act(state) == (CHANCE,):
        action = drawn(game, state, ply + len(entries), draw)
        state = game.apply(state, CHANCE, action)
        entries.append(Entry(CHANCE, action))
    return state, tuple(entries)


def drawn(game: AnyGame, state: Any, ply: int, draw: Draw) -> Any:
    """The outcome that ``draw`` picks at ``ply``; raises ``ValueError`` if that is out of range."""
    outcomes = game.outcomes(state)
    total = sum(weight for _, weight in outcomes)
    left = picked = draw(ply, total)
    if not 0 <= picked < total:
        raise ValueError(f"the draw at ply {ply} is {picked}, which is not from 0 to {total - 1}")
    for action, weight in outcomes:
        left -= weight
        if left < 0:
            return action
    raise AssertionError("unreachable: the weights add up to the total")


def read_action(game: AnyGame, seat: Seat, document: Mapping[str, Any], pointer: str = "") -> Any:
    """The action that a document at ``pointer`` describes. Raises ``DocumentError``."""
    kinds = game.chance_actions if seat == CHANCE else game.actions
    kind = next((kind for kind in kinds if kind.type == document.get("type")), None)
    if kind is None:
        said = f"{quoted(document['type'])} is not one of" if "type" in document else "type is missing: it is one of"
        raise DocumentError(((f"{pointer}/type", f"{said} {', '.join(kind.type for kind in kinds)}."),))
    return from_document(kind, document, pointer)


def legal_actions(game: AnyGame, state: Any, seat: Seat) -> tuple[Any, ...]:
    """The candidates without problems, in canonical order; empty if the seat is not awaited."""
    if seat not in game.to_act(state):
        return ()
    return tuple(action for action in game.candidates(state, seat) if not any(game.problems(state, seat, action)))


def prompt(game: AnyGame, state: Any, seat: Seat, viewer: Viewer) -> Statement:
    """What the awaited seat is asked: itself by what is legal for it, others by what is public."""
    own = game.own_prompt if viewer == seat else None
    return game.prompt(state, seat) if own is None else own(state, seat)


def is_legal(game: AnyGame, state: Any, seat: Seat, action: Any) -> bool:
    """Whether the seat may do this now; faster than ``judge``, which gives the reasons."""
    return not any(_problems(game, state, seat, action))


def judge(game: AnyGame, state: Any, seat: Seat, action: Any, after: int = 0) -> Violation | None:
    """Every rule that this breaks now, ``after`` so many actions of its turn; ``None`` if legal."""
    return sentences.violation(game, _problems(game, state, seat, action, after))


def _problems(game: AnyGame, state: Any, seat: Seat, action: Any, after: int = 0) -> Iterator[Problem]:
    """The problems that are the same for all games; if there are none, those of the game."""
    awaited, begun = game.to_act(state), {"after": after} if after else {}
    if not awaited:
        yield Problem("match_over", "", begun)
    elif seat not in awaited or seat == CHANCE:
        yield Problem("not_your_turn", "", {"awaited": list(awaited), **begun})
    elif not isinstance(action, game.actions):
        yield Problem("not_an_action", "", {"action": str(action.type)})
    else:
        yield from game.problems(state, seat, action)


def adjudicate(game: AnyGame, state: Any, ply: int, seat: Seat, actions: Sequence[Any], draw: Draw) -> Judgement:
    """Judges the actions of one turn at ``ply``, up to the first violation.

    The actions are accepted or dropped together until a draw is shown to the seat; a violation
    after such a draw leaves what came before it accepted. So an illegal action at the end of a turn
    is no way to see the next card. A draw that is concealed from the seat does not count as shown
    and is dropped with the rest. An action that is superfluous after another one counts as accepted
    and has no entry.
    """
    if not actions:
        return Judgement((), state, 0, 0, sentences.violation(game, [Problem("empty_turn", "")]))
    kept = Judgement((), state, 0)
    entries: list[Entry[Any]] = []
    states: list[Any] = []
    for index, action in enumerate(actions):
        violation = judge(game, state, seat, action, after=index)
        if violation is not None:
            if index and game.superfluous(state, seat, action):
                continue
            return Judgement(kept.entries, kept.state, kept.accepted, index, violation, kept.states)
        entries.append(Entry(seat, action))
        state = game.apply(state, seat, action)
        states.append(state)
        shown = False
        while game.to_act(state) == (CHANCE,):
            chance = drawn(game, state, ply + len(entries), draw)
            shown = shown or game.seen(state, CHANCE, chance, seat) is not None
            entries.append(Entry(CHANCE, chance))
            state = game.apply(state, CHANCE, chance)
            states.append(state)
        if shown:
            kept = Judgement(tuple(entries), state, index + 1, states=tuple(states))
    return Judgement(tuple(entries), state, len(actions), states=tuple(states))


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a turn would do, up to the first draw.

    ``actions`` counts the legal actions, ``state`` is the state after them. ``drawing`` says that a
    draw follows the last of them: nothing after it can be previewed. ``ending`` says that the last
    of them ends the match, which reveals what is hidden: ``state`` is then the one before it.
    """

    state: Any
    actions: int
    drawing: bool
    violation: Violation | None = None
    ending: bool = False


def preview(game: AnyGame, state: Any, seat: Seat, actions: Iterable[Any]) -> Previewed:
    """Applies the actions up to the first violation, to a draw, or to the end of the match."""
    count = 0
    for action in actions:
        violation = judge(game, state, seat, action, after=count)
        if violation is not None:
            if count and game.superfluous(state, seat, action):
                count += 1
                continue
            return Previewed(state, count, False, violation)
        after = game.apply(state, seat, action)
        count += 1
        awaited = game.to_act(after)
        if not awaited:
            return Previewed(state, count, False, ending=True)
        state = after
        if awaited == (CHANCE,):
            return Previewed(state, count, True)
    return Previewed(state, count, False)


def longest(game: AnyGame, state: Any) -> int:
    """The most plies of the match: once it has as many, it ends and the standing counts."""
    return min(game.longest(state), MOST_PLIES)


def outcome(game: AnyGame, state: Any, ply: int) -> Outcome | None:
    """The outcome by the rules, or by the standing after the most plies; or ``None``."""
    found = game.outcome(state)
    if found is None and ply >= longest(game, state):
        scores = game.standing(state)
        found = Outcome(scores, ranked(scores), Statement("most_plies", {"plies": ply}))
    return found


def ranked(scores: Sequence[int]) -> tuple[int, ...]:
    """The ranks by these scores, equal ones shared."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def ends_with(seats: int, resigned: Collection[Seat], bots: Collection[Seat]) -> bool:
    """Whether a match ends where those have resigned: one seat is left, or only ``bots``."""
    stayed = set(range(seats)).difference(resigned)
    return bool(resigned) and (len(stayed) <= 1 or stayed <= set(bots))


def conceded(game: AnyGame, state: Any, resigned: Collection[Seat]) -> Outcome:
    """The outcome by resignation: who did not resign is first, the scores are the current ones."""
    scores = game.standing(state)
    return Outcome(scores, _shared(len(scores), resigned), Statement("resignation"))


def ended_early(
    game: AnyGame, state: Any, how: Ending, seats: Collection[Seat], resigned: Collection[Seat]
) -> Outcome | None:
    """The outcome of a match that ``seats`` have ended before its rules did: ``standing`` ranks all
    seats by the current scores; in a ``draw`` the seats that did not resign share rank 1; a match
    that was ``called_off`` or ``abandoned`` has none.
    """
    if how in ("called_off", "abandoned"):
        return None
    scores, alone = game.standing(state), len(seats) == 1
    if how == "draw":
        return Outcome(scores, _shared(len(scores), resigned), Statement("draw_chosen" if alone else "draw_agreed"))
    return Outcome(scores, ranked(scores), Statement("standing_chosen" if alone else "standing_agreed"))


def _shared(seats: int, resigned: Collection[Seat]) -> tuple[int, ...]:
    """The ranks where the seats that did not resign share the first."""
    stayed = seats - len(set(resigned))
    return tuple(1 + stayed if seat in resigned else 1 for seat in range(seats))


def check_legal(game: AnyGame, ply: int, state: Any, entry: Entry[Any]) -> None:
    """Raises ``IllegalAction`` if the seat, or chance, cannot do this in ``state``."""
    if entry.seat != CHANCE:
        violation = judge(game, state, entry.seat, entry.action)
        if violation is not None:
            sentence = f"Ply {ply}: seat {entry.seat} cannot do {entry.action}: {violation.message}"
            raise IllegalAction(sentence, ply, violation)
    elif game.to_act(state) != (CHANCE,) or all(entry.action != action for action, _ in game.outcomes(state)):
        raise IllegalAction(f"Ply {ply}: chance cannot do {entry.action} here.", ply)


def check_drawn(draw: Draw) -> EntryCheck:
    """The check that an entry is legal and, if it is a draw, what ``draw`` gives; it raises
    ``IllegalAction`` or ``WrongDraw``.
    """

    def check(game: AnyGame, ply: int, state: Any, entry: Entry[Any]) -> None:
        if entry.seat != CHANCE or game.to_act(state) != (CHANCE,):
            check_legal(game, ply, state, entry)
        elif (expected := drawn(game, state, ply, draw)) != entry.action:
            raise WrongDraw(
                f"Ply {ply}: the draw does not follow from the secret, the nonces and the ply: "
                f"they give {to_document(expected)}, the log has {to_document(entry.action)}.",
                ply,
            )

    return check


class Replayed(NamedTuple):
    """One step of a walk: the entry with its ply and the states before and after it."""

    ply: int
    before: Any
    entry: Entry[Any]
    after: Any


def walk(
    game: AnyGame, state: Any, ply: int, log: Iterable[Entry[Any]], check: EntryCheck | None = check_legal
) -> Iterator[Replayed]:
    """Replays entries one by one from the state at ``ply``, which is the ply of the first entry.

    ``check`` is called with each entry before it is applied: ``check_legal``, the result of
    ``check_drawn`` or another function that raises; with ``None`` nothing is checked. ``log`` is
    read lazily.
    """
    for at, entry in enumerate(log, ply):
        if check is not None:
            check(game, at, state, entry)
        after = game.apply(state, entry.seat, entry.action)
        yield Replayed(at, state, entry, after)
        state = after


def narrated(game: AnyGame, steps: Iterable[Replayed], viewer: Viewer, names: Sequence[str]) -> tuple[str, ...]:
    """The sentences for the entries of a walk; entries without a sentence are left out."""
    told = (game.narrate(before, entry.seat, entry.action, after, viewer, names) for _, before, entry, after in steps)
    return tuple(sentence for sentence in told if sentence)


def replay(game: AnyGame, setup: Setup, log: Iterable[Entry[Any]]) -> Any:
    """The state after the whole log. Raises ``IllegalAction``."""
    return resume(game, game.setup(setup), 0, log)


def resume(game: AnyGame, state: Any, ply: int, log: Iterable[Entry[Any]]) -> Any:
    """The state after further entries, the first of them at ``ply``. Raises ``IllegalAction``."""
    for step in walk(game, state, ply, log):
        state = step.after
    return state


class Mark(NamedTuple):
    """Which seats are awaited in a state, and whose turn it is, where others decide within it."""

    awaited: tuple[Seat, ...]
    turn_of: Seat | None


def marks(game: AnyGame, states: Iterable[Any]) -> tuple[Mark, ...]:
    """The marks of states one after another; those in which chance is due have none."""
    found = ((game.to_act(state), state) for state in states)
    return tuple(
        Mark(awaited, game.turn_of(state) if awaited else None) for awaited, state in found if awaited != (CHANCE,)
    )


def still_fresh(game: AnyGame, steps: Sequence[Replayed], seat: Seat) -> bool:
    """Whether a turn of ``seat`` that answers the ply at which ``steps`` begin may be judged after
    them.

    It may if there are no steps. Otherwise the seat must have been awaited at every ply, all steps
    must be concealed from it, and its observation, prompt and legal actions must be the same as at
    the ply that the turn answers.
    """
    if not steps:
        return True
    answered, now = steps[0].before, steps[-1].after
    return (
        seat in game.to_act(answered)
        and all(_unnoticed(game, step, seat) for step in steps)
        and game.observe(answered, seat) == game.observe(now, seat)
        and prompt(game, answered, seat, seat) == prompt(game, now, seat, seat)
        and legal_actions(game, answered, seat) == legal_actions(game, now, seat)
    )


def _unnoticed(game: AnyGame, step: Replayed, seat: Seat) -> bool:
    """Whether another seat or chance acted, concealed from ``seat``, which is still awaited."""
    action = step.entry.action
    return (
        step.entry.seat != seat
        and game.seen(step.before, step.entry.seat, action, seat) is None
        and seat in game.to_act(step.after)
    )
