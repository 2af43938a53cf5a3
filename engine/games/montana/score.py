"""R9: the standing, the outcome, and what simulations count."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.montana.actions import Action, Harvest, Pass, PlaceInTown
from engine.games.montana.components import GOODS, noun
from engine.games.montana.state import NO_GOODS, Happening, Phase, SeatState, State, add
from engine.types import Outcome, ScoreLine, Seat, Statement


def outcome(state: State) -> Outcome | None:
    """R9.3: the outcome; ``None`` while the match runs."""
    if state.phase is not Phase.OVER:
        return None
    scores = standing(state)
    keys = [(score, _animals(seat), _belongings(seat)) for score, seat in zip(scores, state.seats, strict=True)]
    return Outcome(
        scores=scores,
        ranks=tuple(1 + sum(1 for other in keys if other > key) for key in keys),
        ended=ended(state),
        details=tuple(
            (
                ScoreLine("settlements", score),
                ScoreLine("animals", _animals(seat)),
                ScoreLine("belongings", _belongings(seat)),
                ScoreLine("left", seat.settlements),
            )
            for score, seat in zip(scores, state.seats, strict=True)
        ),
    )


def standing(state: State) -> tuple[int, ...]:
    """The number of settlements of every seat on the board."""
    each = state.table.components.settlements.value[str(state.table.seats)]
    return tuple(each - seat.settlements for seat in state.seats)


def ended(state: State) -> Statement:
    """R9.1, R9.4: what has triggered the end."""
    assert state.ending is not None
    return Statement(state.ending.value)


def _animals(seat: SeatState) -> int:
    return seat.cows + seat.canteens


def _belongings(seat: SeatState) -> int:
    return sum(seat.goods) + seat.coins + sum(seat.workers)


def figures(state: State) -> Sequence[tuple[str, float]]:
    """The means over the seats of a finished match: turns, of which each round and each canteen
    spent gives one, and goods paid for settlements.
    """
    seats, paid = state.table.seats, NO_GOODS
    for hexagon, owner in enumerate(state.owners):
        if owner >= 0:
            paid = add(paid, state.land[hexagon].cost)
    return (
        ("turns", state.round + state.spent / seats),
        ("turns that canteens gave", state.spent / seats),
        *((f"{noun(good)} built with", number / seats) for good, number in zip(GOODS, paid, strict=True)),
    )


def occurrences(before: State, seat: Seat, action: Action, after: State) -> Sequence[str]:
    """What happened in town, and where was harvested. A town is contested if two seats or more
    stand in the shop when all have decided; overtaken seats decide again.
    """
    found = [f"row {event.number + 1} served" for event in after.events if event.kind is Happening.REWARDED]
    if isinstance(action, Harvest):
        found.append(f"{noun(action.area)} used")
    if isinstance(action, PlaceInTown) and seat != before.seat:
        found.append("others place in town")
    if isinstance(action, Pass) and seat != before.seat:
        found.append("others pass in town")
    found += [
        "others pass in town" for event in after.events if event.kind is Happening.PASSED and event.seat != before.seat
    ]
    if (before.phase is Phase.TOWN or isinstance(action, PlaceInTown)) and after.phase is not Phase.TOWN:
        decided = (Happening.REWARDED, Happening.CANNOT_PAY)
        standing = sum(1 for event in after.events if event.kind in decided) + sum(place >= 0 for place in after.shop)
        found += ["towns", *["towns contested"] * (standing > 1)]
    return found
