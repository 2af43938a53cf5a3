"""R9: the standing and the outcome."""

from __future__ import annotations

from engine.games.montana.state import Ending, Phase, SeatState, State
from engine.types import Outcome


def outcome(state: State) -> Outcome | None:
    """R9.3: the outcome, with ranks by settlements, then by cows and canteens, then by goods, coins
    and workers; ``None`` while the match runs.
    """
    if state.phase is not Phase.OVER:
        return None
    scores = standing(state)
    keys = [(score, _animals(seat), _belongings(seat)) for score, seat in zip(scores, state.seats, strict=True)]
    return Outcome(
        scores=scores,
        ranks=tuple(1 + sum(1 for other in keys if other > key) for key in keys),
        ended=ending_sentence(state),
        details=tuple(
            (
                ("settlements", score),
                ("cows and canteens", _animals(seat)),
                ("goods, coins and workers", _belongings(seat)),
                ("settlements left", seat.settlements),
            )
            for score, seat in zip(scores, state.seats, strict=True)
        ),
    )


def standing(state: State) -> tuple[int, ...]:
    """The number of settlements of every seat on the board."""
    each = state.table.components.settlements.value[str(state.table.seats)]
    return tuple(each - seat.settlements for seat in state.seats)


def ending_sentence(state: State) -> str:
    """R9.1, R9.4: what triggered the end, as a sentence without names."""
    if state.ending is Ending.NO_ROOM:
        return "There is no hex left to build on."
    return "A seat has built its last settlement."


def _animals(seat: SeatState) -> int:
    return seat.cows + seat.canteens


def _belongings(seat: SeatState) -> int:
    return sum(seat.goods) + seat.coins + sum(seat.workers)
