"""Bots for any game that implements the contract: a random one, one that looks one action ahead,
one that plans its turn to the end; and the levels of the bots that have seats of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Seat

WIDTH: Final = 2
"""The unfinished turns that ``planned`` extends at each step."""
POSITIONS: Final = 250
"""The positions that ``planned`` looks at, at most, before it decides."""
Level: TypeAlias = Literal["easy", "fair"]
"""How well a bot plays that has a seat of its own."""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
FEW: Final = 4
"""The actions among which an easy bot chooses."""
_Continuation: TypeAlias = tuple[float, Any, tuple[Any, ...]]
"""A beginning of a turn: the value of the position it leads to, that position, its actions."""


def random_action(game: AnyGame, state: Any, seat: Seat, choose: Callable[[Sequence[Any]], Any]) -> Any:
    """A legal action, picked by ``choose``. Raises ``ValueError`` if the seat is not awaited."""
    return choose(_choices(game, state, seat))


def greedy(game: AnyGame, state: Any, seat: Seat) -> Any:
    """The legal action after which ``game.evaluate`` is highest; of equal ones the first.

    If a draw follows an action, the state before the draw is evaluated. The choice depends on
    nothing hidden from the seat. Raises ``ValueError`` if the seat is not awaited.
    """
    return best_of(game, state, seat, _choices(game, state, seat))


def best_of(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> Any:
    """The action that ``greedy`` chooses among ``actions``, which are legal and not empty."""
    best, most = None, float("-inf")
    for action in actions:
        worth = game.evaluate(game.apply(state, seat, action), seat)
        if best is None or worth > most:
            best, most = action, worth
    return best


def planned(game: AnyGame, state: Any, seat: Seat, width: int = WIDTH, positions: int = POSITIONS) -> tuple[Any, ...]:
    """The actions up to the end of the seat's turn, or up to a draw, after which ``game.evaluate``
    is highest; of equal ones the first found.

    A beam search: the ``width`` best unfinished turns are extended by every legal action, until all
    are finished or ``positions``, at least one, were looked at. Raises as ``greedy``.
    """
    finished: _Continuation | None = None
    beam: list[_Continuation] = [(0.0, state, ())]
    looked_at = 0
    while beam and looked_at < positions:
        further: list[_Continuation] = []
        for _, before, actions in beam:
            for action in _choices(game, before, seat)[: positions - looked_at]:
                after = game.apply(before, seat, action)
                line = (game.evaluate(after, seat), after, (*actions, action))
                looked_at += 1
                if game.to_act(after) == (seat,):
                    further.append(line)
                elif finished is None or line[0] > finished[0]:
                    finished = line
        # A stable sort: of equal ones the first found come first, so the choice is deterministic.
        further.sort(key=lambda line: -line[0])
        beam = _different(further, width)
    return (finished if finished is not None else beam[0])[2]


def chosen(
    level: Level, game: AnyGame, state: Any, seat: Seat, pick: Callable[[int], int], positions: int
) -> tuple[Any, ...]:
    """The actions of a bot of that level, up to the end of its turn or to a draw, or fewer where it
    has looked at ``positions``, at least one.

    A fair bot is ``planned``. An easy one takes the best of ``FEW`` actions that ``pick``, which
    gives a number from 0 to below its argument, has chosen by lot. Raises as ``greedy``.
    """
    if level == "fair":
        return planned(game, state, seat, positions=positions)
    actions: tuple[Any, ...] = ()
    while not actions or (positions > 0 and game.to_act(state) == (seat,)):
        legal = list(_choices(game, state, seat))
        few = [legal.pop(pick(len(legal))) for _ in range(min(FEW, len(legal), max(1, positions)))]
        positions -= len(few)
        actions = (*actions, best_of(game, state, seat, few))
        state = game.apply(state, seat, actions[-1])
    return actions


def first_legal(game: AnyGame, state: Any, seat: Seat) -> Any:
    """The first legal action. Raises ``ValueError`` if the seat is not awaited."""
    return _choices(game, state, seat)[0]


substitute = greedy
"""The bot that plays for a seat that has resigned: takes game, state and seat, gives an action."""


def _different(lines: Sequence[_Continuation], width: int) -> list[_Continuation]:
    """The first lines that lead to different positions; equal positions are worth the same."""
    found: list[_Continuation] = []
    for line in lines:
        if not any(line[0] == other[0] and line[1] == other[1] for other in found):
            found.append(line)
            if len(found) == width:
                break
    return found


def _choices(game: AnyGame, state: Any, seat: Seat) -> tuple[Any, ...]:
    actions = legal_actions(game, state, seat)
    if not actions:
        raise ValueError(f"seat {seat} has nothing to do in this state of {game.info.title}")
    return actions
