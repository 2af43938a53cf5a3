"""What simulations count: of a finished match its turns and the goods paid for settlements, of an
action what became of the town.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.montana.actions import Action, Harvest, Pass, PlaceInTown
from engine.games.montana.components import GOODS, noun
from engine.games.montana.state import NO_GOODS, Happening, Phase, State, add
from engine.types import Seat


def figures(state: State) -> Sequence[tuple[str, float]]:
    """The means over the seats of a finished match: turns, and goods paid for settlements.

    A seat has a turn in every round and one for each canteen spent; the spins of the set-up and
    decisions in the towns of others are not counted.
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
    """What happened in town, and where was harvested.

    A town is contested if two seats or more stand in the shop when all have decided. What others
    decide in the town of a seat are places or passes; overtaken ones decide again.
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
