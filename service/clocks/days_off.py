"""How many days off a player has. Pure: days are whole, instants are seconds.

Seven days to begin with, one more for every twelve days since the player signed up, at most thirty
at any time. Days off are taken when they are declared; where they end early, the whole days that
were not used are given back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.clocks.spans import DAY

FIRST_DAYS: Final = 7
EARNED_EVERY: Final = 12 * DAY
MOST_DAYS: Final = 30
SHORTEST: Final = 2
"""The fewest days off at once."""
MOST_IN_A_MATCH: Final = 15 * DAY
"""For so long days off stop the clock of one seat in one match, at most, in seconds."""


class Taking(NamedTuple):
    """Days off that were taken at some instant; given back where they are negative."""

    at: int
    days: int


def balance(signed_up: int, takings: Iterable[Taking], now: int) -> int:
    """The days off that are left at ``now``."""
    days, earned = FIRST_DAYS, 0
    for at, taken in [*sorted(takings), Taking(now, 0)]:
        due = max(earned, (at - signed_up) // EARNED_EVERY)
        days = min(MOST_DAYS, days + due - earned)
        earned = due
        days = min(MOST_DAYS, days - taken)
    return max(0, days)


def unused(end: int, now: int) -> int:
    """The whole days that are left of days off until ``end``."""
    return max(0, (end - now) // DAY)
